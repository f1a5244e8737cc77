"""Runs the git program: bounded in time, without questions to anybody, and without secrets in what it says."""

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence

from headwater.stores.git_store import RepositoryUnreadableError

CAREFUL = ("-c", "protocol.ext.allow=never", "-c", "gc.autoDetach=false", "-c", "fetch.fsckObjects=true")
_SECRET = re.compile(r"//[^/@\s]*@")


def run_git(arguments: Sequence[str], seconds: float, environ: Mapping[str, str] = os.environ, given: str = "") -> str:
    """What git prints. Raises RepositoryUnreadableError when it fails or takes longer; secrets in URLs are left out."""
    return ran_git(arguments, seconds, environ, given)[0]


def ran_git(
    arguments: Sequence[str], seconds: float, environ: Mapping[str, str] = os.environ, given: str = ""
) -> tuple[str, str]:
    """What it prints and what it says beside; `given` is what it reads. Raises RepositoryUnreadableError."""
    environ = {"GIT_SSH_COMMAND": "ssh -oBatchMode=yes", **environ, "GIT_TERMINAL_PROMPT": "0"}
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            ["git", *arguments], stdin=pipe, stdout=pipe, stderr=pipe, env=environ, start_new_session=True
        )
    except FileNotFoundError as error:
        raise RepositoryUnreadableError("the git program is not installed: install the package `git`") from error
    with process:
        try:
            out, problem = process.communicate(given.encode(), timeout=seconds)
        except subprocess.TimeoutExpired as error:
            os.killpg(process.pid, signal.SIGKILL)  # with the helper that talks to the host
            raise RepositoryUnreadableError(f"git gave no answer within {seconds:g} s") from error
    if process.returncode:
        said = _SECRET.sub("//", problem.decode("utf-8", "replace")).strip()[-500:]
        raise RepositoryUnreadableError(f"git failed: {said}")
    return out.decode("utf-8", "replace"), problem.decode("utf-8", "replace")
