"""Every argument of every command, rightly and wrongly given: one line, a documented status, never a traceback."""

import argparse
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.cli.arguments import parser
from headwater.cli.command_error import ExitStatus
from headwater.cli.main import main
from support.git_repo import RepoBuilder
from support.program import FILES

DOCUMENTED = {ExitStatus.OK, ExitStatus.NOT_FOUND, ExitStatus.USAGE, ExitStatus.FAILED, ExitStatus.BUSY}
WRONG = (
    "",
    "\udcff",
    "\ud800",
    "x" * 70_000,
    "-1",
    "nan",
    "9" * 5000,
    "a\0b",
    "\x1b[2J",
    "/none/here",
    "{",
    "*",
    "[",
    "1:2:3",
)
RIGHT = {  # of a command that would serve: what ends it at once
    "index": ["REPO"],
    "remove": ["none"],
    "pause": ["shop"],
    "resume": ["shop"],
    "search": ["validate_token"],
    "defs": ["validate_token"],
    "usages": ["validate_token"],
    "grep": ["def "],
    "struct": ["calls of validate_token"],
    "structural": ["generate", "REPO", "--number", "1"],
    "context": ["validate_token", "--max-tokens", "300"],
    "files": ["shop"],
    "serve": ["--address", "nowhere"],
    "mcp": ["--server", "nowhere"],
    "watch": ["--once"],
    "up": ["--repo", "/none/here"],
    "service": ["query", "--settings"],
    "dlq": ["list"],
    "rollout": ["status"],
    "scip": ["import", "/none/here", "--repo", "shop"],
    "eval": ["mine"],
    "status": [],
    "collect": [],
    "verify": ["--roots-only"],
}
COMMANDS: dict[str, argparse.ArgumentParser] = next(
    dict(a.choices) for a in parser()._actions if isinstance(a, argparse._SubParsersAction)
)


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Indexed in a home of its own."""
    folder = tmp_path_factory.mktemp("arguments")
    git = RepoBuilder(folder / "shop.git")
    git.commit(FILES)
    before = os.environ.get("HEADWATER_HOME")
    os.environ["HEADWATER_HOME"] = str(folder / "home")
    assert main(["index", str(git.path)]) == 0
    yield git.path
    del os.environ["HEADWATER_HOME"]
    if before is not None:
        os.environ["HEADWATER_HOME"] = before


def _called(command: str, *arguments: str, repo: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """The status of a call with --json, after checking what it said."""
    capsys.readouterr()
    try:
        status = main([command, "--json", *(str(repo) if a == "REPO" else a for a in arguments)])
    except SystemExit as stop:
        status = int(str(stop.code))
    said = capsys.readouterr()
    shown = (command, [a[:80] for a in arguments], status, said.err[-400:])
    assert status in DOCUMENTED, shown
    assert "Traceback" not in said.err, shown
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", said.err), shown
    if status > ExitStatus.NOT_FOUND:
        assert said.err.startswith(("headwater: ", "usage: ")), shown
        assert not re.search(r"\b(Get|List)[A-Z]\w+|INVALID_|_pb2", said.err), shown
        answered = json.loads(said.out.splitlines()[-1])
        assert answered.get("problems") or answered["error"]["message"], shown
    return status


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_q4_every_argument_wrongly_given_is_said_in_a_line(
    command: str, repo: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("RECORD", "REPLAY"):  # the command sets them
        monkeypatch.setenv(f"HEADWATER_STRUCTURAL_{name}", "")
    for number, action in enumerate(COMMANDS[command]._actions):
        if isinstance(action, argparse._HelpAction) or action.nargs == 0:
            continue
        for value in (*WRONG[:4], *WRONG[4 + number % 3 :: 3]):  # each with some of them, each of them for many
            if action.option_strings:
                _called(command, *RIGHT[command], f"{action.option_strings[-1]}={value}", repo=repo, capsys=capsys)
            elif command not in ("service", "up"):
                _called(command, *_with(command, action, value), repo=repo, capsys=capsys)


def _with(command: str, action: argparse.Action, value: str) -> list[str]:
    positionals = [a for a in COMMANDS[command]._actions if not a.option_strings]
    number = positionals.index(action)
    given = RIGHT[command][: len(positionals)] if command != "watch" else []
    rest = RIGHT[command][len(given) :]
    return [*rest, "--", *given[:number], value, *given[number + 1 :]]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_q4_every_command_rightly_given_and_no_two_arguments_share_a_name(
    command: str, repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = _called(command, *RIGHT[command], repo=repo, capsys=capsys)
    ends_at_once = {"serve": 2, "mcp": 2, "up": 2, "dlq": 2, "remove": 1, "scip": 2, "structural": 1}
    assert status == ends_at_once.get(command, 0), capsys.readouterr()
    names = [a.dest for a in COMMANDS[command]._actions]
    assert len(names) == len(set(names))
    flags = [
        a.option_strings[-1] for a in COMMANDS[command]._actions if a.nargs == 0 and a.dest not in ("help", "json")
    ]
    for flag in flags if command != "watch" else ():
        _called(command, flag, *RIGHT[command], repo=repo, capsys=capsys)
