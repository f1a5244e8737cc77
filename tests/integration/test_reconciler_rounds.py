"""The reconciler's rounds on a real index: what differs is found, named exactly, repaired, and proven again."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from headwater.ast_chunker.analyser import InProcessAnalyser
from headwater.ast_chunker.stage import AstChunker
from headwater.domain.view import ViewKey
from headwater.events import CommitReceived, IndexApplied
from headwater.events.index_applied import Index
from headwater.metrics import Metrics
from headwater.reconciler.findings import STEPS
from headwater.reconciler.rounds import Compared, Rounds
from headwater.reconciler.stage import Reconciler
from headwater.stores.git_source import LocalGitSource
from headwater.streaming.in_process import InProcessRunner
from support.equality import check_equals_fresh
from support.git_repo import Files, RepoBuilder
from support.rig import MODEL, REPO, Rig, received

MAIN = "refs/heads/main"
VIEW = ViewKey(REPO, MAIN)
FILES: Files = {f"src/m{n}.py": f"def f{n}():\n    return {n}\n".encode() for n in range(5)} | {"a.txt": b"words\n"}


class Bench:
    """An index, its repository, and rounds whose repairs are kept."""

    def __init__(self, folder: Path) -> None:
        self.git = RepoBuilder(folder / "repo.git")
        self.git.commit(FILES)
        index = folder / "index"
        index.mkdir()
        self.rig = Rig(index, self.git.path)
        self.repairs: list[CommitReceived] = []
        self.now, self.answers, self.metrics = 1_000.0, True, Metrics()
        compared = Compared(
            catalog=self.rig.catalog, reader=self.rig.catalog, git=self.rig.git, vectors=self.rig.vectors
        )
        self.rounds = Rounds(
            compared,
            Reconciler(self.rig.catalog).settle,
            self.repairs.extend,
            lambda: self.now - 0.5,
            0.0,
            self.metrics,
            lambda: self.answers,
        )

    def lag(self) -> float | None:
        return self.metrics.registry.get_sample_value("headwater_head_lag_seconds", {"view": f"{REPO}@{MAIN}"})

    def look(self, times: int = 1) -> list[str]:
        """Reasons found at the last of some rounds, between which heartbeats pass."""
        for _ in range(times):
            self.now += 1
            found = [f.reason for f in self.rounds.look(self.now)]
        return found

    def carry_out(self) -> None:
        self.rig.run(self.repairs)
        self.repairs.clear()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    made.rig.run([received(MAIN)])
    yield made
    made.rig.close()


def check_whole(bench: Bench, tmp_path: Path) -> None:
    assert bench.look() == []
    (tmp_path / "fresh").mkdir()
    check_equals_fresh(bench.rig, bench.git.path, tmp_path / "fresh")


def test_an_index_that_is_true_needs_nothing(bench: Bench, tmp_path: Path) -> None:
    assert bench.look(STEPS + 2) == []
    assert bench.repairs == []
    check_whole(bench, tmp_path)


def test_an_index_that_isnt_live_yet_shows_no_lag_for_anybody_to_be_woken_by(bench: Bench) -> None:
    bench.answers = False
    bench.git.commit({**FILES, "src/new.py": b"x = 1\n"})
    assert bench.look(STEPS + 1) == ["behind"]
    assert bench.lag() == 0
    bench.answers = True
    bench.look(3)
    assert bench.lag() == 2


def test_a_push_that_nobody_told_of_is_repaired_once_it_is_lost(bench: Bench, tmp_path: Path) -> None:
    bench.git.commit({**FILES, "src/m1.py": b"def g():\n    pass\n", "src/new.py": b"x = 1\n"})
    assert bench.look(STEPS) == ["behind"]
    assert bench.repairs == []
    bench.look()
    assert [(r.cause, r.paths) for r in bench.repairs] == [("repair", ("src/m1.py", "src/new.py"))]
    bench.carry_out()
    check_whole(bench, tmp_path)


def test_a_paused_repository_is_not_brought_to_its_head_until_it_is_resumed(bench: Bench, tmp_path: Path) -> None:
    repository = bench.rig.catalog.repositories()[0]
    bench.rig.catalog.add_repository(replace(repository, paused=True))
    bench.git.commit({**FILES, "src/m1.py": b"def g():\n    pass\n"})
    assert bench.look(STEPS + 2) == []
    assert bench.repairs == []
    bench.rig.catalog.add_repository(repository)
    assert bench.look(STEPS + 1) == ["behind"]
    bench.carry_out()
    check_whole(bench, tmp_path)


def test_a_deletion_that_nobody_told_of(bench: Bench) -> None:
    bench.git.delete(MAIN)
    assert bench.look(STEPS + 1) == ["deleted"]
    bench.carry_out()
    assert bench.rig.catalog.view(VIEW) is None


def test_documents_that_never_came_are_named_and_made(bench: Bench, tmp_path: Path) -> None:
    commit = bench.git.commit({**FILES, "src/m2.py": b"def h():\n    return 'h'\n"})
    differ = bench.rig.stages()["merkle-differ"]
    sent = [message.event for message in differ.handle([received(MAIN, commit)])]
    assert not all(isinstance(event, IndexApplied) for event in sent)  # file-changed is lost
    assert bench.look(STEPS + 1) == ["unfinished"]
    assert [r.paths for r in bench.repairs] == [("src/m2.py",)]
    bench.carry_out()
    check_whole(bench, tmp_path)


def test_vector_rows_that_got_lost_are_made_again(bench: Bench, tmp_path: Path) -> None:
    with bench.rig.catalog.pin([VIEW]) as scope:
        rows = bench.rig.catalog.chunks_of(scope, bench.rig.catalog.chunk_hashes(scope, 100) or [])
    lost = next(row for row in rows if row.document.path == "src/m3.py")
    bench.rig.vectors.delete([lost.chunk.content_hash])
    assert bench.look() == ["vectors"]
    assert [r.paths for r in bench.repairs] == [("src/m3.py",)]
    bench.carry_out()
    check_whole(bench, tmp_path)


def test_s11_altered_vectors_and_damaged_rows_are_found_a_part_a_round_and_made_again(
    bench: Bench, tmp_path: Path
) -> None:
    matrix = tmp_path / "index" / "vectors" / "rows.1.i8"
    matrix.write_bytes(bytes(256) + matrix.read_bytes()[256:])
    assert bench.look() == ["vectors"]
    assert not next(iter(bench.rig.catalog.views())).vector_complete
    bench.carry_out()
    assert next(iter(bench.rig.catalog.views())).vector_complete
    connection = apsw.Connection(str(tmp_path / "index" / "catalog.db"))
    connection.execute("DELETE FROM symbols WHERE document = (SELECT id FROM documents WHERE path = 'src/m2.py')")
    connection.close()
    assert bench.look() == ["rows"]
    assert [r.paths for r in bench.repairs] == [("src/m2.py",)]
    bench.carry_out()
    check_whole(bench, tmp_path)


def test_s11_a_leaf_that_is_gone_below_right_folder_ids_is_found_by_an_ordinary_round(
    bench: Bench, tmp_path: Path
) -> None:
    assert bench.look() == []
    bench.rounds._proof_s = float("inf")
    connection = apsw.Connection(str(tmp_path / "index" / "catalog.db"))
    connection.execute("DELETE FROM entries WHERE name = 'm2.py'")
    connection.close()
    assert bench.look() == ["diverged"]
    assert {r.paths for r in bench.repairs} == {("src/m2.py",)}
    bench.carry_out()
    check_whole(bench, tmp_path)


def test_a_large_file_that_the_chunker_can_not_read_is_parked_with_its_reason_and_tried_again(
    bench: Bench, tmp_path: Path
) -> None:
    """A chunker that doesn't know where the repository is; what is small travels in the events."""
    large = b"".join(b"words of line %d\n" % n for n in range(20_000))
    commit = bench.git.commit({**FILES, "src/m1.py": b"def small(): pass\n", "large.txt": large})
    stages = bench.rig.stages()
    analyser = InProcessAnalyser(MODEL.version)
    stages["ast-chunker"] = AstChunker(MODEL.version, LocalGitSource({}.get), analyser)
    runner = InProcessRunner(stages)
    runner.submit("commit-received", [received(MAIN, commit)])
    runner.drain()
    with bench.rig.catalog.pin([VIEW]) as scope:
        states = {f.path: (f.status, f.reason) for f in bench.rig.catalog.files(scope)}
    assert states["src/m1.py"] == ("indexed", "")
    assert states["large.txt"][0] == "parked"
    assert "not registered" in states["large.txt"][1]
    assert bench.look() == ["parked"]
    assert [r.paths for r in bench.repairs] == [("large.txt",)]
    bench.carry_out()
    check_whole(bench, tmp_path)


def test_a_manifest_that_lost_an_entry_is_found_leaf_by_leaf_and_mended(bench: Bench, tmp_path: Path) -> None:
    lose = "DELETE FROM entries WHERE document IN (SELECT id FROM documents WHERE path = 'src/m4.py')"
    assert bench.rig.catalog._database.write(lambda session: session.run(lose)) == 1
    assert bench.look() == ["diverged"]
    assert [r.paths for r in bench.repairs] == [("src/m4.py",)]
    bench.carry_out()
    check_whole(bench, tmp_path)


def test_a_clock_stepped_by_an_hour_holds_no_generation_back(bench: Bench) -> None:
    """Pushes from a clock that runs ahead don't postpone the lexical side's going ahead."""
    commit = bench.git.commit({**FILES, "src/m0.py": b"def later():\n    pass\n"})
    stages, now = bench.rig.stages(), [1_000.0]
    ahead = CommitReceived(repo=REPO, ref=MAIN, after=commit, pushed_at=now[0] + 3_600, cause="poll")
    files = [m.event for m in stages["merkle-differ"].handle([ahead]) if m.topic == "file-changed"]
    symbols = [m.event for m in stages["ast-chunker"].handle(files) if m.topic == "symbols-changed"]
    list(stages["defref-sink"].handle(symbols))
    reconciler = Reconciler(bench.rig.catalog, lambda: now[0], vector_grace=10)
    applied = IndexApplied(index=Index.LEXICAL, repo=REPO, ref=MAIN, generation=2, pushed_at=ahead.pushed_at)
    reconciler.handle([applied])
    now[0] += 11
    reconciler.handle([applied])
    state = bench.rig.catalog.view(VIEW)
    assert state is not None
    assert (state.commit, state.vector_complete) == (commit, False)
