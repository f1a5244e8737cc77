"""`headwater scip import` through the program: what the compiler knows takes the place of what names allow."""

from pathlib import Path

import pytest

from support.git_repo import Files
from support.program import Program

SAMPLES = Path(__file__).parents[1] / "unit/domain/scip/examples"
FILES: Files = {f"src/{f.name}": f.read_bytes() for f in (SAMPLES / "typescript").iterdir() if f.is_file()}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    made.git.commit(FILES)
    assert made.run("index", str(made.git.path)).returncode == 0
    return made


def _uses(program: Program) -> list[tuple[str, int, str]]:
    answer = program.json("usages", "src/a.ts:1:26")
    return [(r["path"], r["start_line"], r["certainty"]) for r in answer["results"] if r["kind"] != "definition"]


def test_usages_become_the_compilers_for_that_commit(program: Program) -> None:
    before = _uses(program)
    report = program.json("scip", "import", str(SAMPLES / "typescript.scip"), "--repo", "shop")
    assert (report["files"], report["left_out"]) == (len(FILES), 0)
    compiled = _uses(program)
    assert [(path, line) for path, line, _ in compiled] == [("src/a.ts", 2), ("src/a.ts", 4)]
    assert {certainty for *_, certainty in compiled} == {"resolved"}
    program.git.commit({**FILES, "src/b.ts": b"export const later = 1;\n"})
    assert program.run("index", str(program.git.path)).returncode == 0
    assert _uses(program) == before


def test_what_is_no_index_and_what_is_not_indexed(program: Program, tmp_path: Path) -> None:
    (tmp_path / "no.scip").write_bytes(b"\xff\xff\xff")
    for file, repo, reason in (
        (tmp_path / "no.scip", "shop", "SCIP"),
        (tmp_path / "absent.scip", "shop", "SCIP"),
        (SAMPLES / "typescript.scip", "other", "NOT_FOUND"),
    ):
        assert program.json("scip", "import", str(file), "--repo", repo)["error"]["reason"] == reason
