"""A developer's working copy through the program: every command, by option, by ref, and from inside the folder."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from headwater.domain.question import DefinitionsQuestion, GrepQuestion
from headwater.rpc.asking import RemoteAsker
from support.program import FILES, PROGRAM, SHOP, Program

EDITED = (
    SHOP.replace(b"def login(", b"def sign_in_again(") + b"\n\ndef peek(request):\n    return sign_in_again(request)\n"
)
COMMANDS = (
    ("search", "sign_in_again"),
    ("defs", "sign_in_again"),
    ("usages", "sign_in_again"),
    ("grep", "sign_in_again("),
    ("context", "sign_in_again"),
    ("struct", "calls of sign_in_again"),
)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    made.git.commit(FILES)
    assert made.run("index", str(made.git.path)).returncode == 0
    clone = tmp_path / "shop-clone"
    subprocess.run(["git", "clone", "-q", str(made.git.path), str(clone)], check=True)
    (clone / "shop/auth.py").write_bytes(EDITED)
    return made


def _asked(program: Program, folder: Path, *command: str) -> Any:
    done = subprocess.run(
        [PROGRAM, *command, "--json"], cwd=folder, env=program.env, capture_output=True, text=True, check=False
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def _found(answer: Any) -> bool:
    return bool(answer.get("results") or answer.get("items"))


def test_every_command_reads_it_by_option_by_ref_and_from_inside(program: Program, tmp_path: Path) -> None:
    clone = tmp_path / "shop-clone"
    view = program.json("index", "--worktree", str(clone))["views"][-1]
    label = view["ref"].split("/", 2)[2]
    assert view["tree_proven"] is True
    for command in COMMANDS:
        assert _found(program.json(*command, "--worktree", str(clone / "shop"))), command
        assert _found(program.json(*command, "--ref", label)), command
        assert _found(_asked(program, clone / "shop", *command, "--repo", view["repo"])), command
        assert not _found(program.json(*command)), command
    status = {v["ref"]: v for v in program.json("status", "--worktree", str(clone))["views"]}
    assert list(status) == [view["ref"]]
    assert status[view["ref"]]["behind"] == 0
    (clone / "new.py").write_bytes(b"NEW = 1\n")
    behind = program.run("status", "--worktree", str(clone))
    assert "has changed since" in behind.stdout
    assert all(v["holds"] for v in program.json("verify")["views"])
    assert program.run("remove", "--worktree", str(clone)).returncode == 0
    assert program.run("grep", "sign_in_again(", "--worktree", str(clone)).returncode == 1
    assert "refs/heads/main" in program.run("status").stdout
    assert program.run("index", "--worktree", str(clone)).returncode == 0
    assert program.run("remove", view["repo"]).returncode == 0
    assert program.run("grep", "sign_in_again(", "--worktree", str(clone)).returncode == 1


def test_a_save_is_searchable_soon_and_other_owners_are_not_ours(program: Program, tmp_path: Path) -> None:
    clone = tmp_path / "shop-clone"
    watching = subprocess.Popen(
        [PROGRAM, "watch", "--worktree", str(clone), "--json"], env=program.env, stdout=subprocess.PIPE, text=True
    )
    try:
        assert watching.stdout is not None
        assert json.loads(watching.stdout.readline())["ref"].startswith("private//shop-clone-")
        (clone / "fresh.py").write_bytes(b"def just_saved():\n    return 1\n")
        assert json.loads(watching.stdout.readline())["seconds"] < 60
        assert _found(program.json("defs", "just_saved", "--worktree", str(clone)))
    finally:
        watching.terminate()
        watching.wait(20)
        if watching.stdout is not None:
            watching.stdout.close()
    assert program.run("index", "--worktree", str(clone), "--owner", "user:ann").returncode == 0
    assert not any("user%3Aann" in v["ref"] for v in program.json("status")["views"])
    everywhere = program.json("grep", "just_saved", "--ref", "*")
    assert not any("ann" in r["ref"] for r in everywhere["results"])
    assert program.run("index", "--worktree", str(clone), "--owner", "ann").returncode == 2
    assert program.run("index").returncode == 2


def test_a_server_follows_it_for_its_owner(program: Program, tmp_path: Path) -> None:
    clone = tmp_path / "shop-clone"
    serving = subprocess.Popen(
        [PROGRAM, "serve", "--address", "127.0.0.1:0", "--worktree", str(clone), "--json"],
        env=program.env,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert serving.stdout is not None
        address = json.loads(serving.stdout.readline())["address"]
        taken_in = json.loads(serving.stdout.readline())
        (clone / "fresh.py").write_bytes(b"def just_saved():\n    return 1\n")
        again = json.loads(serving.stdout.readline())
        assert again["ref"] == taken_in["ref"]
        with RemoteAsker(address) as asker:
            found = asker.definitions(DefinitionsQuestion(symbol="just_saved", refs=(again["ref"],))).results
            assert [(r.path, r.commit) for r in found] == [("fresh.py", again["commit"])]
            assert asker.grep(GrepQuestion(pattern="just_saved")).results == ()
    finally:
        serving.terminate()
        serving.wait(20)
        if serving.stdout is not None:
            serving.stdout.close()
