"""The one place that starts child processes: trusted programs, few variables, and none that outlives this process.

A folder that somebody works in may be somebody else's repository. So no child starts in the current folder, no program
or Python module is looked for there, and a child sees only the variables that it is named here or by its caller.
"""

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import IO

import msgspec

from headwater.runtime.safe_start import absolute_entries

_PATHS = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")  # a relative entry means a place in whatever folder one is in
_EVERY = (
    *_PATHS,
    *("HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM", "TMPDIR", "XDG_*", "VIRTUAL_ENV"),
    *("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "HEADWATER_LIMITS_*"),
)
_NO_LIMITS: Mapping[int, int] = MappingProxyType({})


class ProgramMissingError(Exception):
    """No such program on the absolute entries of PATH, or it was named by a relative path."""


class ChildTimeoutError(Exception):
    """The program took longer than it was given, and was ended with all that it had started."""


class Finished(msgspec.Struct, frozen=True):
    """How a program ended and what it wrote; `said` is its standard error."""

    status: int
    out: bytes
    said: bytes


def inherited(names: Iterable[str] = (), environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What a child is told of `environ`: what every program needs, and the caller's `names` (`SSL_*` means all such).

    Without `names` nothing secret is in it.
    """
    wanted = (*_EVERY, *names)
    return {name: value for name, value in environ.items() if any(fnmatchcase(name, w) for w in wanted)}


def program(name: str) -> str | None:
    """The absolute path of a program of this machine, None where it isn't installed."""
    try:
        return find_program(name)
    except ProgramMissingError:
        return None


def find_program(name: str, environ: Mapping[str, str] = os.environ) -> str:
    """The absolute path of a program, looked up on the absolute entries of PATH alone. Raises ProgramMissingError."""
    if os.path.isabs(name):
        return name
    if os.sep in name:
        raise ProgramMissingError(f"'{name}' is a relative path: name the program by its absolute path")
    found = shutil.which(name, path=absolute_entries(environ.get("PATH", os.defpath)))
    if found is None:
        raise ProgramMissingError(f"the program '{name}' is on no absolute entry of PATH: install it")
    return found


def python_command(*arguments: str) -> tuple[str, ...]:
    """This Python, with neither the current folder nor the script's own among the places of modules."""
    return (sys.executable, "-P", *arguments)


class Child(subprocess.Popen[bytes]):
    """A started program in a process group of its own, which ends with this handle or with this process.

    The child holds the read end of a pipe whose write end is here: the kernel signals its group once that is closed,
    also when this process is killed. A child that closes descriptors it doesn't know loses only that last protection.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        environ: Mapping[str, str] | None = None,
        cwd: Path | str = "/",
        stdin: int | IO[bytes] = subprocess.DEVNULL,
        stdout: int | IO[bytes] | None = None,
        stderr: int | IO[bytes] | None = None,
        pass_fds: Iterable[int] = (),
        user: str | None = None,
        limits: Mapping[int, int] = _NO_LIMITS,
    ) -> None:
        """`environ` unless given is `inherited()`; `limits` are amounts by `resource.RLIMIT_…`, set as it starts.

        Raises ProgramMissingError, OSError.
        """
        told = _told(inherited() if environ is None else environ)
        program = find_program(argv[0], told)
        ends, lifeline = os.pipe()
        self._lifeline: IO[bytes] | None = os.fdopen(lifeline, "wb", 0)
        try:
            super().__init__(
                [program, *argv[1:]],
                env=told,
                cwd=cwd,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pass_fds=(ends, *pass_fds),
                user=user,
                start_new_session=True,
                umask=0o077,
            )
            _kill_when_closed(ends, self.pid)
        except BaseException:
            self._cut()
            raise
        finally:
            os.close(ends)
        # it has ended already, or belongs to another user, whose limits aren't ours to set
        with suppress(ProcessLookupError, PermissionError):
            for limit, amount in {resource.RLIMIT_CORE: 0, **limits}.items():
                _lower(self.pid, limit, amount)

    def kill(self) -> None:
        """SIGKILL for the whole group; harmless once it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._cut()

    def wait(self, timeout: float | None = None) -> int:
        """Its status; what it leaves running is ended then. Raises subprocess.TimeoutExpired."""
        status = super().wait(timeout)
        self._cut()
        return status

    def _cut(self) -> None:
        if self._lifeline is not None:
            self._lifeline.close()
        self._lifeline = None


def run(
    argv: Sequence[str],
    *,
    seconds: float | None = None,
    given: bytes = b"",
    environ: Mapping[str, str] | None = None,
    cwd: Path | str = "/",
    user: str | None = None,
    limits: Mapping[int, int] = _NO_LIMITS,
) -> Finished:
    """Run a program to its end; `given` is what it reads. Raises ChildTimeoutError, ProgramMissingError, OSError."""
    pipe = subprocess.PIPE
    with Child(argv, environ=environ, cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe, user=user, limits=limits) as child:
        try:
            out, said = child.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise ChildTimeoutError(f"{argv[0]} gave no answer within {seconds:g} s") from error
        finally:
            child.kill()
        return Finished(child.returncode, out, said)


def _told(environ: Mapping[str, str]) -> dict[str, str]:
    """Whatever a caller made of it: no search path leads to the current folder."""
    paths = {name: absolute_entries(environ.get(name, "")) for name in _PATHS}
    rest = {name: value for name, value in environ.items() if name not in paths}
    return {**rest, **{name: value for name, value in paths.items() if value}, "PYTHONSAFEPATH": "1"}


def _kill_when_closed(descriptor: int, group: int) -> None:
    if not hasattr(fcntl, "F_SETSIG"):  # only Linux has it
        return
    fcntl.fcntl(descriptor, fcntl.F_SETOWN, -group)
    fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_ASYNC)


def _lower(pid: int, limit: int, amount: int) -> None:
    """Set from here: code between fork and exec is unsafe in a process with threads."""
    if not hasattr(resource, "prlimit"):
        return
    hard = resource.prlimit(pid, limit)[1]
    amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    resource.prlimit(pid, limit, (amount, amount))
