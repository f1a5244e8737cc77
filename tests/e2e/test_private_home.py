"""A whole home is its owner's alone whatever the umask, an older one is warned of, and no secret is said anywhere."""

import json
import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from support.program import FILES, PROGRAM, Program

TOKEN = "A1b2C3d4E5f6" * 3
SAID = f"s3cr3t{TOKEN}"


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    made.git.commit(FILES)
    return made


def _open_to_others(root: Path) -> list[str]:
    found = [p for p in (root, *root.rglob("*")) if not p.is_symlink() and stat.S_IMODE(p.stat().st_mode) & 0o077]
    return [f"{stat.filemode(p.stat().st_mode)} {p}" for p in found]


def _serve(program: Program, *command: str) -> None:
    """Until it says where it listens; its files are looked at while it runs."""
    process = subprocess.Popen(
        [PROGRAM, *command, "--json"], env=program.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, umask=0
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        done = program.run("search", "validate_token")
        assert done.returncode in (0, 75)
        assert _open_to_others(program.home) == []
    finally:
        process.terminate()
        process.communicate()


def test_s14_no_file_of_a_home_is_open_to_others(program: Program, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(program.git.path), str(clone)], check=True)
    before = os.umask(0)
    try:
        for command in (
            ("index", str(program.git.path)),
            ("index", "--worktree", str(clone)),
            ("struct", "calls of sign"),
            ("search", "validate_token"),
            ("verify",),
            ("collect",),
        ):
            done = program.run(*command)
            assert done.returncode == 0, (command, done.stderr)
            assert "chmod" not in done.stderr
        _serve(program, "serve", "--address", "127.0.0.1:0", "--watch")
    finally:
        os.umask(before)
    assert _open_to_others(program.home) == []


def test_s14_an_older_home_that_is_open_to_others_is_warned_of_once_a_command(program: Program) -> None:
    program.home.mkdir(mode=0o755)
    program.home.chmod(0o755)
    for _ in range(2):
        said = program.run("index", str(program.git.path), "--json").stderr
        assert said.count(f"run 'chmod -R go= {program.home}'") == 1
    program.home.chmod(0o700)
    assert "chmod" not in program.run("status").stderr


def test_s2_a_relative_home_is_refused(program: Program) -> None:
    for name in ("HEADWATER_HOME", "HEADWATER_STRUCTURAL_SEMGREP", "HEADWATER_STACK_DIR"):
        program.run("index", str(program.git.path))
        environ = {**program.env, name: "somewhere"}
        line = [PROGRAM, "struct", "calls of sign", "--exact"]
        done = subprocess.run(line, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 2, (name, done.stderr)
        assert f"{name} is the relative path 'somewhere'" in done.stderr


def test_s18_no_secret_is_said_by_any_command_log_or_error(program: Program, tmp_path: Path) -> None:
    url = f"http://me:{SAID}@127.0.0.1:9/r.git?private_token={TOKEN}"
    said = []
    program.git.commit(FILES)
    subprocess.run(["git", "-C", str(program.git.path), "remote", "add", "origin", url], check=True)
    program.env |= {
        "HEADWATER_CATALOG_URL": f"postgresql://app:{SAID}@127.0.0.1:9/db",
        "HEADWATER_GIT_REPOSITORIES": f"r={url}",
        "HEADWATER_GIT_MIRRORS": str(tmp_path / "mirrors"),
        "HEADWATER_TOPICS_BROKERS": "127.0.0.1:9",
    }
    for command in (
        ("index", str(program.git.path), "--json"),
        ("index", url, "--json"),
        ("status", "--json"),
        ("search", "validate_token", "--json"),
        ("remove", url),
        ("service", "merkle-differ"),
        ("service", "vector-sink"),
    ):
        process = subprocess.Popen(
            [PROGRAM, *command], env=program.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        killer = threading.Timer(15, process.kill)
        killer.start()
        said.append(process.communicate()[0])
        killer.cancel()
    whole = json.dumps(said)
    assert SAID not in whole
    assert TOKEN not in whole
