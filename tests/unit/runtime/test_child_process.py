"""Children run trusted programs, see what they are named, and end with their parent."""

import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from headwater.runtime.child_process import (
    Child,
    ChildTimeoutError,
    ProgramMissingError,
    find_program,
    inherited,
    python_command,
    run,
)

PARENT = """
import os, sys
from headwater.runtime.child_process import Child
child = Child(["sh", "-c", "sleep 600 & echo $!; echo $$; exec sleep 600"], stdout=sys.stdout)
os.write(1, b"started\\n")
sys.stdin.read()
"""


def _script(path: Path, text: str = "exit 7") -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def _wait_gone(pid: int) -> None:
    """Until no such process runs; the test's own timeout bounds it."""
    pause = threading.Event()
    while _state(pid) not in ("", "Z"):
        pause.wait(0.01)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


@pytest.mark.parametrize("search", ["", ":", ".", "bin", "./bin", "relative:/nonexistent", ":/nonexistent:"])
def test_s1_no_program_is_found_through_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, search: str
) -> None:
    for folder in (tmp_path, tmp_path / "bin", tmp_path / "relative"):
        folder.mkdir(exist_ok=True)
        _script(folder / "evil")
    monkeypatch.chdir(tmp_path)
    for name in ("evil", "./evil", "bin/evil"):
        with pytest.raises(ProgramMissingError):
            run([name], environ={"PATH": search})
    assert find_program("evil", {"PATH": f"{search}:{tmp_path}"}) == str(tmp_path / "evil")


def test_s1_a_python_child_finds_no_module_where_its_parent_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("msgspec", "sitecustomize", "usercustomize", "socket", "encodings"):
        (tmp_path / f"{name}.py").write_text("import os; os._exit(7)")
    monkeypatch.chdir(tmp_path)
    for search in ("", ".", ":", f":{Path.cwd().name}"):
        done = run(
            python_command("-c", "import msgspec, socket, os; print(os.getcwd())"),
            environ={**inherited(), "PYTHONPATH": search},
        )
        assert (done.status, done.out) == (0, b"/\n"), done.said


def test_s1_a_child_is_told_only_what_it_is_named() -> None:
    given = {
        "PATH": "/usr/bin:.",
        "HOME": "/root",
        "GIT_SSL_CAINFO": "/ca",
        "HEADWATER_CATALOG_URL": "postgresql://u:p@h",
        "LD_PRELOAD": "/evil.so",
        "PYTHONSTARTUP": "/evil.py",
        "GIT_DIR": "/evil",
        "BASH_ENV": "/evil",
        "TOKEN": "t",
    }
    done = run(["env"], environ=inherited(("GIT_SSL_*",), given))
    assert set(done.out.decode().split()) == {
        "PATH=/usr/bin",
        "HOME=/root",
        "GIT_SSL_CAINFO=/ca",
        "PYTHONSAFEPATH=1",
    }


def test_what_a_program_started_ends_with_it() -> None:
    done = run(["sh", "-c", "sleep 600 >/dev/null 2>&1 <&- & echo $!"])
    _wait_gone(int(done.out))
    with pytest.raises(ChildTimeoutError, match="gave no answer within"):
        run(["sh", "-c", "sleep 600 & sleep 600"], seconds=0.05)


def test_children_end_when_their_parent_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    lines = [parent.stdout.readline().strip() for _ in range(3)]
    pids = [int(line) for line in lines if line != b"started"]
    parent.send_signal(signal.SIGKILL)
    for pid in pids:
        _wait_gone(pid)
    parent.communicate()


def test_limits_hold_for_the_child_alone() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Child(["sleep", "600"], limits={resource.RLIMIT_NOFILE: 17}) as child:
        assert resource.prlimit(child.pid, resource.RLIMIT_NOFILE)[0] == 17
        assert resource.prlimit(child.pid, resource.RLIMIT_CORE) == (0, 0)
        child.kill()
    assert child.returncode == -signal.SIGKILL
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
    assert os.getpgid(0) != child.pid
