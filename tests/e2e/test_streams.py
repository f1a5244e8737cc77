"""The program with streams that are closed, full or a terminal, and with names that would draw on it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.git_repo import RepoBuilder
from support.program import PROGRAM, Program

NAME = "a\x1b[31m\u202e\n\u009bb\tc\u200b.py"
CODE = 'NEEDLE = "\x1b]0;owned\x07\u202ex"\t# \u2066\n'


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A repository whose names and code are sequences for a terminal."""
    program = Program(tmp_path_factory.mktemp("streams"))
    program.git = RepoBuilder(program.home.parent / "other.git")
    program.git.commit({NAME: CODE.encode(), "[bold]x[/bold].py": CODE.encode()})
    assert program.run("index", str(program.git.path)).returncode == 0
    return program


def _run(program: Program, *command: str, **options: Any) -> "subprocess.CompletedProcess[bytes]":
    given = {"env": program.env, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([PROGRAM, *command], timeout=60, check=False, **given)


def _on_terminal(program: Program, *command: str) -> str:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "wb") as terminal:
        assert _run(program, *command, stdout=terminal, stderr=terminal, stdin=subprocess.DEVNULL).returncode < 70
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # all is read
        pass
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    "command",
    [
        ("grep", "NEEDLE"),
        ("search", "NEEDLE"),
        ("files",),
        ("context", "NEEDLE"),
        ("grep", "N", "--json"),
        ("defs", "\x1b[2J"),
    ],
)
def test_s18_nothing_that_others_wrote_draws_on_a_terminal(hostile: Program, command: tuple[str, ...]) -> None:
    shown = _on_terminal(hostile, *command)
    assert shown.isprintable() or set(filter(lambda c: not c.isprintable(), shown)) <= {"\n", "\t"}, repr(shown)


def test_s18_a_pipe_gets_code_as_it_is_and_names_on_one_line(hostile: Program) -> None:
    lines = _run(hostile, "grep", "NEEDLE").stdout.decode().split("\n")
    assert lines[1] == "    " + CODE.rstrip("\n")
    assert any("[bold]x[/bold].py:1:1" in line for line in lines)
    assert any(r"other:a\x1b[31m\u202e\n\x9bb\tc\u200b.py:1:1" in line for line in lines)
    found = json.loads(_run(hostile, "grep", "NEEDLE", "--json").stdout)["results"]
    assert NAME in {result["path"] for result in found}


def test_q4_output_that_nobody_can_take_is_said_in_a_line_or_left(hostile: Program) -> None:
    with open("/dev/full", "wb") as full:
        done = _run(hostile, "files", stdout=full)
    assert (done.returncode, done.stderr) == (3, b"headwater: no space left on device\n")
    for closed in (">&-", "<&-", "2>&-", ">&- 2>&- <&-", "| head -c 1 >/dev/null"):
        line = f"'{PROGRAM}' files --json {closed}"
        shell = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line], env=hostile.env, capture_output=True, timeout=60, check=False
        )
        assert (shell.returncode, shell.stderr) == (0, b""), closed


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_q4_a_locale_without_the_characters_escapes_them(hostile: Program, locale: dict[str, str]) -> None:
    env = {**hostile.env, **locale}
    assert b"\\u202ex" in _run(hostile, "grep", "NEEDLE", env=env).stdout
    done = _run(hostile, "grep", "\u00fc", env=env)
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() != 0 and not os.access("/proc", os.R_OK), reason="needs /proc")
def test_q4_a_home_that_cannot_be_written_is_said_in_a_line(hostile: Program) -> None:
    done = _run(hostile, "index", str(hostile.git.path), env={**hostile.env, "HEADWATER_HOME": "/proc/none"})
    assert done.returncode in (2, 3, 75)
    assert done.stderr.startswith(b"headwater: ")
    assert done.stderr.count(b"\n") == 1


def test_q4_a_defect_is_one_line_and_a_traceback_only_when_asked_for(hostile: Program) -> None:
    broken = "import sys; from headwater.cli import main as m; m.import_module = lambda name: 1 / 0; "
    broken += "sys.exit(m.main(['status', '--json']))"
    for debug in ("", "1"):
        env = {**hostile.env, "HEADWATER_DEBUG": debug}
        done = subprocess.run([sys.executable, "-c", broken], env=env, capture_output=True, timeout=60, check=False)
        assert (b"Traceback" in done.stderr) == bool(debug)
    assert (
        subprocess.run(
            [sys.executable, "-c", broken], env=hostile.env, capture_output=True, timeout=60, check=False
        ).returncode
        == 70
    )


def test_s18_only_the_output_module_prints() -> None:
    cli = Path(__file__).parents[2] / "services" / "headwater" / "cli"
    printing = {p.name for p in cli.rglob("*.py") if " print(" in p.read_text("utf-8")}
    assert printing == {"output.py", "demo.py"}
