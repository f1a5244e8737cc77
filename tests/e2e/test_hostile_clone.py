"""The program started inside a clone that was made to take it over: nothing of the clone is ever run."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from support.git_repo import RepoBuilder
from support.program import FILES, PROGRAM, Program

MODULES = (
    "msgspec",
    "numpy",
    "pickle",
    "socket",
    "pathlib",
    "logging",
    "json",
    "apsw",
    "pygit2",
    "grpc",
    "mcp",
    "yaml",
)
MODULES += ("sitecustomize", "usercustomize", "conftest", "multiprocessing", "platformdirs", "signal", "tree_sitter")
PROGRAMS = ("git", "ssh", "env", "python", "python3", "sh", "java", "semgrep", "semgrep-core", "ldconfig", "gcc", "ld")
CORE = ".stack/semgrep/lib/python3.11/site-packages/semgrep/bin/semgrep-core"


class Clone:
    """Whatever of it is run or imported leaves a mark."""

    def __init__(self, folder: Path) -> None:
        self.program = Program(folder)
        self.program.git.commit(FILES)
        self.root, self.marks = folder / "clone", folder / "marks"
        self.marks.mkdir()
        subprocess.run(["git", "clone", "-q", str(self.program.git.path), str(self.root)], check=True)
        for name in (*MODULES, "headwater"):
            (self.root / f"{name}.py").write_text(self._python(f"module {name}"))
            (self.root / name).mkdir()
            (self.root / name / "__init__.py").write_text(self._python(f"package {name}"))
        for name in (*PROGRAMS, CORE, "bin/git", ".venv/bin/python"):
            self._executable(name)
        (self.root / "evil.pth").write_text(f"import os; open({str(self.marks / 'pth')!r}, 'w')\n")
        (self.root / ".env").write_text("HEADWATER_HOME=.\n")

    def _python(self, what: str) -> str:
        return f"open({str(self.marks / what)!r}, 'w').close()\nraise SystemExit(66)\n"

    def _executable(self, name: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n: > '{self.marks}/program {file.name}'\nexit 66\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def run(self, *command: str, given: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        """Inside the clone. Asserts that nothing of it was run."""
        done = subprocess.run(
            command,
            cwd=self.root,
            env={**self.program.env, **environ},
            input=given,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert sorted(p.name for p in self.marks.iterdir()) == [], done.stderr
        return done


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    return Clone(tmp_path_factory.mktemp("hostile"))


def test_s1_s2_no_command_runs_anything_of_the_clone_that_it_is_started_in(clone: Clone) -> None:
    path = f".::bin:./bin:{os.environ['PATH']}:"
    ordinary = {"PATH": path}
    assert clone.run(str(PROGRAM), "index", ".", **ordinary).returncode == 0
    assert clone.run(str(PROGRAM), "index", "--worktree", ".", **ordinary).returncode == 0
    for command in (
        ("status",),
        ("search", "validate_token"),
        ("usages", "validate_token"),
        ("grep", "signature"),
        ("files",),
        ("context", "validate_token"),
        ("struct", "calls of sign"),
        ("struct", "calls of sign", "--exact"),
        ("verify",),
        ("collect",),
        ("mcp",),
    ):
        done = clone.run(str(PROGRAM), *command, **ordinary)
        assert "Traceback" not in done.stderr, (command, done.stderr)


@pytest.mark.parametrize("search", ["", ".", ":", "numpy:.", "../clone"])
def test_s1_a_relative_entry_of_the_module_path_leads_nowhere_once_the_program_runs(clone: Clone, search: str) -> None:
    """What Python imports before the program is out of its hands: `site`'s modules, and the one that `-m` names."""
    for name in ("sitecustomize", "usercustomize", "headwater"):
        (clone.root / f"{name}.py").unlink(missing_ok=True)
        (clone.root / name / "__init__.py").unlink(missing_ok=True)
    for command in ((str(PROGRAM),), (sys.executable, "-m", "headwater.cli.main")):
        done = clone.run(*command, "index", ".", "--json", PYTHONPATH=search)
        assert done.returncode == 0, done.stderr
        assert clone.run(*command, "struct", "calls of sign", PYTHONPATH=search).returncode == 0
    assert clone.run(sys.executable, "-m", "headwater.cli.demo", ".", PYTHONPATH=search).returncode == 0


def test_s1_a_repository_indexed_from_elsewhere_runs_nothing_either(clone: Clone, tmp_path: Path) -> None:
    built = RepoBuilder(tmp_path / "r.git")
    built.commit({**FILES, "headwater/__init__.py": b"raise SystemExit(66)", "msgspec.py": b"raise SystemExit(66)"})
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "clone", "-q", str(built.path), str(checkout)], check=True)
    for command in (("index", "."), ("index", "--worktree", "."), ("search", "validate_token", "--repo", "checkout")):
        done = subprocess.run(
            [PROGRAM, *command], cwd=checkout, env=clone.program.env, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
