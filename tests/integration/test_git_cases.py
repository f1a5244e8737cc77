"""Faults seen in other systems when trees and histories are unusual: rows (a), (b) and (e) of the case list."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater.domain.path import path_from_git
from headwater.domain.tree import Mode
from headwater.domain.view import ViewKey
from headwater.stores.index_reader import FileRow
from headwater.streaming.in_process import InProcessRunner
from headwater.streaming.stage import Outgoing, Stage
from support.equality import check_equals_fresh
from support.git_repo import Files, RepoBuilder
from support.rig import REPO, Rig, received

MAIN, TOPIC = "refs/heads/main", "refs/heads/topic"
ALPHA = b"def alpha():\n    return 1\n"


class Bench:
    """One repository and one index of it."""

    def __init__(self, folder: Path) -> None:
        self.git = RepoBuilder(folder / "r.git")
        for name in ("index", "fresh"):
            (folder / name).mkdir()
        self.folder = folder
        self.rig = Rig(folder / "index", self.git.path)

    def push(self, files: Files, ref: str = MAIN) -> str:
        """Commit and index."""
        commit = self.git.commit(files, ref)
        self.rig.run([received(ref)])
        return commit

    def files(self, ref: str = MAIN) -> dict[str, FileRow]:
        with self.rig.catalog.pin([ViewKey(REPO, ref)]) as scope:
            return {row.path: row for row in self.rig.catalog.files(scope)}

    def definitions(self, name: str, ref: str = MAIN) -> list[str]:
        with self.rig.catalog.pin([ViewKey(REPO, ref)]) as scope:
            return [row.document.path for row in self.rig.catalog.symbols_named(scope, [name], 100)]

    def containing(self, text: str, ref: str = MAIN) -> list[str]:
        with self.rig.catalog.pin([ViewKey(REPO, ref)]) as scope:
            rows = self.rig.catalog.documents_containing(scope, [text])
            return [r.path for r in rows if text in self.rig.catalog.text(r.document_id)]

    def check(self) -> None:
        check_equals_fresh(self.rig, self.git.path, self.folder / "fresh")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.rig.close()


def test_a9_links_are_leaves_and_what_they_point_to_is_not_findable(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("def outside(): pass\n")
    bench.push(
        {
            "self": (Mode.SYMLINK, b"."),
            "one": (Mode.SYMLINK, b"two"),
            "two": (Mode.SYMLINK, b"one"),
            "out.py": (Mode.SYMLINK, str(tmp_path / "secret.py").encode()),
            "a.py": ALPHA,
        }
    )
    files = bench.files()
    assert {p: (f.status, f.reason) for p, f in files.items() if p != "a.py"} == dict.fromkeys(
        ("self", "one", "two", "out.py"), ("skipped", "symlink")
    )
    assert bench.definitions("outside") == []
    assert bench.definitions("alpha") == ["a.py"]


def test_a10_a_submodule_is_skipped_and_its_parent_indexed(bench: Bench) -> None:
    modules = b'[submodule "gone"]\n\tpath = nowhere\n\turl = https://unreachable.invalid/x\n'
    bench.push({"sub": (Mode.SUBMODULE, b"4" * 40), ".gitmodules": modules, "a.py": ALPHA})
    assert (bench.files()["sub"].status, bench.files()["sub"].reason) == ("skipped", "submodule")
    assert bench.definitions("alpha") == ["a.py"]


def test_a12_every_kind_of_path_is_found_once_by_its_own_spelling(bench: Bench) -> None:
    raw = ["目录/文件.py".encode(), b"a\nb.py", b"t\tab.py", b'q"uote.py', b"sp ace b/x.py", b"\xff.py", b"back\\.py"]
    paths = [path_from_git(p) for p in raw]
    bench.push({p: f"def f{i}(): pass\n".encode() for i, p in enumerate(paths)})
    assert sorted(bench.files()) == sorted(paths)
    for i, path in enumerate(paths):
        assert bench.definitions(f"f{i}") == [path]


def test_a14_a_rename_by_case_only_leaves_the_new_spelling(bench: Bench) -> None:
    bench.push({"Foo.py": ALPHA})
    bench.push({"foo.py": ALPHA})
    assert bench.definitions("alpha") == ["foo.py"]
    bench.check()


def test_a15_an_empty_repository_has_no_view_and_its_first_push_works(bench: Bench) -> None:
    bench.rig.run([received(MAIN)])
    assert bench.rig.catalog.views() == []
    bench.push({"a.py": ALPHA})
    assert bench.definitions("alpha") == ["a.py"]


def test_b1_a_force_push_equals_a_fresh_index(bench: Bench) -> None:
    first = bench.push({"a.py": ALPHA})
    bench.push({"a.py": b"def beta(): pass\n", "b.py": ALPHA})
    bench.push({"c.py": b"def gamma(): pass\n"})
    bench.git.point(MAIN, first)
    bench.push({"d.py": b"def delta(): pass\n"})
    assert bench.definitions("gamma") == []
    bench.check()


def test_b2_a_deleted_branch_is_gone_and_a_recreated_one_has_no_old_rows(bench: Bench) -> None:
    bench.push({"a.py": ALPHA})
    bench.push({"a.py": ALPHA, "topic.py": b"def topical(): pass\n"}, TOPIC)
    bench.git.delete(TOPIC)
    bench.rig.run([received(TOPIC)])
    assert bench.definitions("topical", TOPIC) == []
    bench.push({"other.py": b"def other(): pass\n"}, TOPIC)
    assert list(bench.files(TOPIC)) == ["other.py"]
    bench.check()


def test_b4_a_move_without_an_edit_leaves_nothing_at_the_old_path(bench: Bench) -> None:
    bench.push({"a.py": ALPHA, "keep.py": b"def kept(): pass\n"})
    bench.push({"moved/b.py": ALPHA, "keep.py": b"def kept(): pass\n"})
    assert bench.definitions("alpha") == bench.containing("def alpha") == ["moved/b.py"]
    assert "a.py" not in bench.files()
    bench.check()


def test_b7_a_missing_blob_is_parked_and_retried_and_never_an_empty_file(bench: Bench) -> None:
    lost = bench.git.repo.create_blob(b"def lost(): pass\n")
    bench.git.commit({"lost.py": b"def lost(): pass\n", "a.py": ALPHA})
    stored = bench.git.path / "objects" / str(lost)[:2] / str(lost)[2:]
    hidden = stored.rename(bench.folder / "hidden")
    bench.rig.git = type(bench.rig.git)({REPO: str(bench.git.path)}.get)
    bench.rig.run([received(MAIN)])
    assert (bench.files()["lost.py"].status, bench.files()["lost.py"].reason.split(":")[0]) == ("parked", "unreadable")
    assert bench.definitions("alpha") == ["a.py"]
    hidden.rename(stored)
    bench.rig.git = type(bench.rig.git)({REPO: str(bench.git.path)}.get)
    bench.rig.run([received(MAIN)])
    assert bench.definitions("lost") == ["lost.py"]
    bench.check()


def test_b8_detached_commits_are_views_of_their_own(bench: Bench) -> None:
    one = bench.git.commit({"a.py": ALPHA})
    two = bench.git.commit({"a.py": b"def beta(): pass\n"})
    bench.rig.run([received(one), received(two)])
    assert (bench.definitions("alpha", one), bench.definitions("beta", one)) == (["a.py"], [])
    assert (bench.definitions("alpha", two), bench.definitions("beta", two)) == ([], ["a.py"])


def test_b10_replaying_an_event_a_hundred_times_writes_nothing(bench: Bench) -> None:
    commit = bench.push({"a.py": ALPHA})
    before = bench.rig.catalog.view(ViewKey(REPO, MAIN))
    for _ in range(100):
        bench.rig.run([received(MAIN, commit)])
    assert bench.rig.catalog.view(ViewKey(REPO, MAIN)) == before


def test_e2_switching_back_embeds_and_parses_nothing_again(bench: Bench) -> None:
    bench.push({"a.py": ALPHA})
    bench.push({"a.py": b"def beta(): pass\n"})
    stages = bench.rig.stages()
    bench.git.commit({"a.py": ALPHA})
    handled = list(stages["merkle-differ"].handle([received(MAIN)]))
    assert [m.topic for m in handled] == ["index-applied"]


def test_e3_branches_made_and_deleted_leave_no_rows(bench: Bench) -> None:
    bench.push({"a.py": ALPHA})
    baseline = bench.rig.catalog.unreferenced()
    for i in range(20):
        ref = f"refs/heads/b{i}"
        bench.push({"a.py": ALPHA, "own.py": f"def own_{i}(): pass\n".encode()}, ref)
        bench.git.delete(ref)
        bench.rig.run([received(ref)])
    assert bench.rig.catalog.unreferenced() > baseline
    bench.rig.catalog.collect(1)
    assert bench.rig.catalog.unreferenced() == 0
    held = list(bench.rig.vectors.hashes())
    bench.rig.vectors.delete(bench.rig.catalog.orphan_hashes(held))
    assert bench.rig.vectors.count() == 1
    bench.check()


def test_e6_the_final_state_equals_the_tree_whatever_the_order_of_events(bench: Bench) -> None:
    commits = [bench.git.commit({"a.py": f"def v{i}(): pass\n".encode()}) for i in range(3)]
    for commit in reversed(commits):
        bench.rig.run([received(MAIN, commit)])
    assert bench.definitions("v2") == ["a.py"]
    assert bench.definitions("v0") == []
    bench.check()


def test_e6_deleted_and_made_again_in_one_batch_with_the_events_reversed(bench: Bench) -> None:
    bench.push({"a.py": ALPHA})
    bench.push({"a.py": ALPHA, "old.py": b"def old(): pass\n"}, TOPIC)
    bench.git.delete(TOPIC)
    commit = bench.git.commit({"a.py": ALPHA, "new.py": b"def new(): pass\n"}, TOPIC)
    bench.rig.run([received(TOPIC, commit), received(TOPIC)])
    assert bench.definitions("new", TOPIC) == ["new.py"]
    assert bench.definitions("old", TOPIC) == []
    bench.check()


def test_e6_a_push_during_a_run_changes_nothing_of_what_the_run_reads(bench: Bench) -> None:
    """A generation is whole though the ref has moved on while its files were worked on."""
    bench.push({"a.py": ALPHA})
    first = bench.git.commit({f"m{n}.py": f"def first_{n}(): pass\n".encode() for n in range(5)})
    stages = bench.rig.stages()
    sent = list(stages["merkle-differ"].handle([received(MAIN, first)]))
    bench.git.commit({f"m{n}.py": f"def second_{n}(): pass\n".encode() for n in range(5)})
    work_off(stages, sent)
    state = bench.rig.catalog.view(ViewKey(REPO, MAIN))
    assert state is not None
    assert (state.commit, bench.definitions("first_3"), bench.definitions("second_3")) == (first, ["m3.py"], [])
    bench.rig.run([received(MAIN)])
    bench.check()


def work_off(stages: dict[str, Stage[Any]], sent: list[Outgoing]) -> None:
    runner = InProcessRunner({name: stage for name, stage in stages.items() if name != "merkle-differ"})
    for message in sent:
        runner.submit(message.topic, [message.event])
    runner.drain()
