"""One suite for every catalog, write side: generations, publication, idempotence, collection, leases, refusals."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.domain.document import document_key
from headwater.domain.merkle import EntryChange, recompute_root
from headwater.domain.tree import EMPTY_TREE, Mode, TreeEntry, hash_blob
from headwater.domain.version import PipelineVersion
from headwater.domain.view import ChunkCounts, FileCounts, ViewKey
from headwater.stores.catalog import (
    CatalogUnavailableError,
    DivergenceError,
    Missing,
    Repository,
    StaleGenerationError,
    VersionMismatchError,
)
from support.catalogs import MAIN, TOPIC, CatalogRig, NewStore, Store
from support.git_repo import Files
from support.sample_documents import VERSION, sample_write

A = b"def alpha(x):\n    return beta(x)\n"
A2 = b"def alpha(x):\n    return gamma(x)\n"
B = b"from pkg.a import alpha as renamed\n\nVALUE = renamed(3)\n"
C = b"class Gamma:\n    def run(self):\n        return self.run\n"
FILES: Files = {"a.py": A, "pkg/b.py": B, "pkg/deep/er/c.py": C, "link": (int(Mode.SYMLINK), b"a.py")}


@pytest.fixture
def store(new_store: NewStore, tmp_path: Path) -> Iterator[Store]:
    made = new_store(tmp_path / "store")
    yield made
    made.close()


@pytest.fixture
def rig(store: Store, tmp_path: Path) -> CatalogRig:
    return CatalogRig(store(), tmp_path)


def paths(rig: CatalogRig, view: ViewKey = MAIN) -> list[str]:
    with rig.pin([view]) as scope:
        return [f.path for f in rig.catalog.files(scope)]


def test_the_root_is_gits_own_tree_id(rig: CatalogRig) -> None:
    for number, files in enumerate((FILES, {**FILES, "a.py": A2}, {"pkg": A}, {"pkg/b.py": B}, {})):
        generation = rig.push(files)
        oid = str(rig.git.tree(files)) if files else EMPTY_TREE
        assert generation == number + 1
        assert rig.catalog.root(MAIN, generation) == oid
        assert recompute_root(rig.catalog.tree_reader(MAIN, generation)) == oid
        assert paths(rig) == sorted(files)


def test_a_view_tells_what_is_opened_and_what_is_published(rig: CatalogRig) -> None:
    assert rig.catalog.view(MAIN) is None
    rig.push(FILES)
    rig.open({"a.py": A2})
    state = rig.catalog.view(MAIN)
    assert state is not None
    assert (state.opened, state.published) == (2, 1)
    assert (state.opened_tree, state.tree) == (str(rig.git.tree({"a.py": A2})), str(rig.git.tree(FILES)))
    assert (state.opened_commit, state.commit) == (f"{2:040x}", f"{1:040x}")
    assert state.tree_proven
    assert state.vector_complete
    assert rig.catalog.views() == [state]


def test_a_generation_opens_only_on_the_newest(rig: CatalogRig) -> None:
    rig.push(FILES)
    for base in (0, 2):
        with pytest.raises(StaleGenerationError, match="read the view again"):
            rig.catalog.open_generation(MAIN, base, "c" * 40, EMPTY_TREE, 1.0, [])


def test_publishing_goes_only_forward_and_only_vectors_may_follow(rig: CatalogRig) -> None:
    first = rig.open(FILES)
    rig.put(FILES)
    assert rig.catalog.publish(MAIN, first, False, 2.0)
    assert not _vector_complete(rig)
    assert rig.catalog.publish(MAIN, first, True, 3.0)
    assert rig.catalog.publish(MAIN, first, False, 4.0)
    assert _vector_complete(rig)
    second = rig.push({"a.py": A2})
    assert not rig.catalog.publish(MAIN, first, True, 5.0)
    assert not rig.catalog.publish(MAIN, second + 1, True, 5.0)
    assert paths(rig) == ["a.py"]


def _vector_complete(rig: CatalogRig) -> bool:
    with rig.pin() as (snapshot,):
        return snapshot.vector_complete


def test_a_manifest_that_is_not_the_commits_tree_is_not_published(rig: CatalogRig) -> None:
    rig.push(FILES)
    generation = rig.open({"a.py": A2}, tree="1" * 40)
    with pytest.raises(DivergenceError, match="1111"):
        rig.catalog.publish(MAIN, generation, True, 2.0)
    assert paths(rig) == sorted(FILES)


def test_missing_names_what_a_generation_waits_for(rig: CatalogRig) -> None:
    generation = rig.open(FILES)
    assert set(rig.catalog.missing(MAIN, generation, 100).paths) == set(FILES)
    assert len(rig.catalog.missing(MAIN, generation, 2).paths) == 2
    rig.put({"a.py": A, "link": FILES["link"]}, embedded=False)
    found = rig.catalog.missing(MAIN, generation, 1 << 31)
    assert set(found.paths) == {"pkg/b.py", "pkg/deep/er/c.py"}
    assert found.unembedded == ("a.py",)
    rig.put(FILES)
    assert rig.catalog.missing(MAIN, generation, 100) == Missing((), ())


def test_missing_looks_only_at_the_generation(rig: CatalogRig) -> None:
    rig.push({"a.py": A})
    rig.open({"a.py": A2, "b.py": B})
    assert rig.catalog.missing(MAIN, 1, 10) == Missing((), ())
    rig.open({"b.py": B})
    assert rig.catalog.missing(MAIN, 3, 10).paths == ("b.py",)


def test_missing_is_right_behind_a_long_backlog(rig: CatalogRig) -> None:
    rig.push({"a.py": A})
    backlog: Files = {f"many/f{n}.py": b"def f%d(): pass\n" % n for n in range(2_500)}
    other = rig.open(backlog, TOPIC)
    rig.put(backlog, embedded=False)
    assert len(rig.catalog.missing(TOPIC, other, 1 << 31).unembedded) == 2_500
    assert rig.catalog.missing(MAIN, 1, 10) == Missing((), ())
    generation = rig.open({"a.py": A2})
    assert rig.catalog.missing(MAIN, generation, 10).paths == ("a.py",)
    rig.put({"a.py": A2}, embedded=False)
    assert rig.catalog.missing(MAIN, generation, 10) == Missing((), ("a.py",))


def test_vectors_may_be_marked_before_their_document(rig: CatalogRig) -> None:
    generation = rig.open({"a.py": A})
    write = sample_write("a.py", A)
    hashes = [c.content_hash for c in write.document.chunks]
    rig.catalog.mark_embedded(hashes)
    assert rig.catalog.embedded([*hashes, "f" * 32]) == set(hashes)
    rig.catalog.put_documents([write])
    assert rig.catalog.missing(MAIN, generation, 10) == Missing((), ())
    rig.catalog.publish(MAIN, generation, True, 1.0)
    with rig.pin() as scope:
        assert [r.document.path for r in rig.catalog.lexical(scope, ["alpha"], 5)] == ["a.py"]


def test_e2_writing_again_changes_nothing(rig: CatalogRig) -> None:
    rig.push(FILES)
    before = _everything(rig)
    rig.put(FILES)
    rig.catalog.put_documents([sample_write("a.py", A), sample_write("a.py", A)])
    assert _everything(rig) == before
    for files in ({**FILES, "a.py": A2}, FILES):
        rig.push(files)
    assert _everything(rig) == before


def _everything(rig: CatalogRig) -> list[object]:
    with rig.pin() as scope:
        reader = rig.catalog
        return [
            [(f.path, f.status, f.chunks) for f in reader.files(scope)],
            [(r.document.path, r.reference) for r in reader.references_named(scope, ["alpha", "beta", "renamed"])],
            [(r.document.path, r.symbol) for r in reader.symbols_named(scope, ["alpha", "Gamma", "run"], 100)],
            [(r.document.path, r.chunk, r.score) for r in reader.lexical(scope, ["alpha", "run", "return"], 100)],
        ]


def test_known_are_present_and_not_parked(rig: CatalogRig) -> None:
    rig.open(FILES)
    keys = {p: sample_write(p, content).document.key for p, content in FILES.items()}
    assert rig.catalog.known(list(keys.values())) == set()
    rig.catalog.put_documents([sample_write("a.py", A), sample_write("pkg/b.py", B, parked=True)])
    rig.put({"link": FILES["link"]})
    assert rig.catalog.known([*keys.values(), document_key("x", "0" * 40, 0, "v")]) == {keys["a.py"], keys["link"]}


def test_a_parked_document_is_replaced_and_counts_as_there(rig: CatalogRig) -> None:
    generation = rig.open({"a.py": A, "b.py": B})
    rig.put({"b.py": B})
    rig.catalog.put_documents([sample_write("a.py", A, parked=True)])
    assert rig.catalog.missing(MAIN, generation, 10).paths == ()
    assert rig.catalog.parked(MAIN, generation) == ("a.py",)
    assert rig.catalog.publish(MAIN, generation, True, 2.0)
    assert rig.catalog.file_counts(MAIN, generation) == FileCounts(indexed=1, skipped=0, parked=1)
    with rig.pin() as scope:
        assert rig.catalog.lexical(scope, ["beta"], 5) == []
        assert rig.catalog.parked_in(scope, 5) == [(0, "a.py")]
        rig.put({"a.py": A}, embedded=False)
        assert rig.catalog.parked_in(scope, 5) == []
        assert [r.document.path for r in rig.catalog.lexical(scope, ["beta"], 5)] == ["a.py"]
    assert rig.catalog.parked(MAIN, generation) == ()
    assert rig.catalog.missing(MAIN, generation, 10).unembedded == ("a.py",)
    rig.catalog.put_documents([sample_write("a.py", A, parked=True)])
    assert rig.catalog.parked(MAIN, generation) == ()


def test_counts(rig: CatalogRig) -> None:
    first = rig.push(FILES)
    second = rig.push({**FILES, "a.py": A2})
    assert rig.catalog.file_counts(MAIN, second) == FileCounts(indexed=3, skipped=1, parked=0)
    assert rig.catalog.chunk_counts(MAIN, first, second) == ChunkCounts(total=3, embedded=1, reused=2, removed=1)
    assert rig.catalog.chunk_counts(MAIN, 0, first) == ChunkCounts(total=3, embedded=3, reused=0, removed=0)


def test_a_deleted_view_is_gone_at_once_and_can_be_made_again(rig: CatalogRig) -> None:
    rig.push(FILES)
    rig.push({"a.py": A2}, TOPIC)
    with rig.pin([MAIN]) as held:
        rig.catalog.delete_view(MAIN)
        rig.catalog.delete_view(MAIN)
        rig.catalog.collect(1)
        assert [f.path for f in rig.catalog.files(held)] == sorted(FILES)
        with rig.pin([MAIN, TOPIC]) as scope:
            assert [s.view for s in scope] == [TOPIC]
    assert rig.catalog.view(MAIN) is None
    assert not rig.catalog.publish(MAIN, 1, True, 9.0)
    assert rig.push({"a.py": A}) == 1
    assert paths(rig) == ["a.py"]


def test_repositories(rig: CatalogRig) -> None:
    rig.catalog.add_repository(Repository("demo", "/somewhere"))
    rig.catalog.add_repository(Repository("demo", "/elsewhere", paused=True))
    rig.catalog.add_repository(Repository("another", "/x"))
    assert rig.catalog.repositories() == [Repository("another", "/x"), Repository("demo", "/elsewhere", True)]
    rig.push(FILES)
    rig.catalog.remove_repository("demo")
    assert [r.name for r in rig.catalog.repositories()] == ["another"]
    assert rig.catalog.views() == []


def test_collect_keeps_what_is_pinned(rig: CatalogRig) -> None:
    rig.push(FILES)
    with rig.pin() as scope:
        for n in range(3):
            rig.push({"a.py": b"def version%d(): pass\n" % n})
        rig.catalog.collect(1)
        assert [f.path for f in rig.catalog.files(scope)] == sorted(FILES)
        (row,) = rig.catalog.symbols_named(scope, ["Gamma"], 5)
        assert rig.catalog.text(row.document.document_id) == C.decode()
    assert rig.catalog.collect(1) > 0
    assert rig.catalog.unreferenced() == 0
    assert rig.catalog.names_containing("gamma", 5) == []


def test_collect_keeps_what_another_reader_pins(rig: CatalogRig, store: Store) -> None:
    rig.push(FILES)
    reader = store()
    with reader.pin([MAIN]) as scope:
        rig.push({"a.py": A2})
        rig.catalog.collect(1)
        assert [f.path for f in reader.files(scope)] == sorted(FILES)
        assert [r.document.path for r in reader.symbols_named(scope, ["Gamma"], 5)] == ["pkg/deep/er/c.py"]
    rig.catalog.collect(1)
    assert rig.catalog.unreferenced() == 0
    with reader.pin([MAIN]) as scope:
        assert [f.path for f in reader.files(scope)] == ["a.py"]


def test_collect_keeps_what_is_opened_but_not_published(rig: CatalogRig) -> None:
    rig.push({"a.py": A})
    generation = rig.open(FILES)
    rig.put(FILES)
    rig.catalog.collect(1)
    assert rig.catalog.missing(MAIN, generation, 10) == Missing((), ())
    assert rig.catalog.publish(MAIN, generation, True, 3.0)
    assert paths(rig) == sorted(FILES)


def test_collect_keeps_the_newest_published(rig: CatalogRig) -> None:
    for n in range(4):
        rig.push({"a.py": b"def version%d(): pass\n" % n})
    rig.catalog.collect(2)
    assert rig.catalog.root(MAIN, 3) == str(rig.git.tree({"a.py": b"def version2(): pass\n"}))
    assert rig.catalog.collect(2) == 0


def test_the_size_on_disk_grows_with_what_is_stored(rig: CatalogRig) -> None:
    before = rig.catalog.size()
    assert before > 0
    rig.push({f"src/m{n}.py": b"def f%d(): return %d\n" % (n, n) * 40 for n in range(100)})
    assert rig.catalog.size() > before


def test_e3_branches_made_and_deleted_leave_nothing(rig: CatalogRig, store: Store) -> None:
    base: Files = {f"src/f{n}.py": b"def f%d(value):\n    return g%d(value)\n" % (n, n % 7) for n in range(200)}
    rig.push(base)
    rig.catalog.collect(1)
    before, answers = store.size(), _everything(rig)
    for n in range(20):
        branch = ViewKey("demo", f"refs/heads/b{n}")
        own: Files = {f"own/{n}_{i}.py": b"def branch%d_%d(): return %d\n" % (n, i, n) for i in range(20)}
        rig.push({**base, **own}, branch)
        rig.catalog.delete_view(branch)
    write = sample_write("own/0_0.py", b"def branch0_0(): return 0\n")
    hashes = [c.content_hash for c in write.document.chunks]
    assert rig.catalog.orphan_hashes(hashes) == []
    assert rig.catalog.unreferenced() > 0
    rig.catalog.collect(1)
    assert rig.catalog.unreferenced() == 0
    assert rig.catalog.orphan_hashes(hashes) == hashes
    assert _everything(rig) == answers
    assert store.size() <= before * 1.1


def test_a_closed_catalog_says_so_and_another_goes_on(rig: CatalogRig, store: Store) -> None:
    rig.push(FILES)
    second = store()
    with second.pin([MAIN]) as scope:
        assert [f.path for f in second.files(scope)] == sorted(FILES)
    rig.catalog.close()
    second.add_repository(Repository("x", "y"))
    with pytest.raises(CatalogUnavailableError, match="closed"):
        rig.catalog.views()


@pytest.mark.parametrize("other", [PipelineVersion("test-model", 1024), PipelineVersion("other", 8)])
def test_e9_another_pipeline_version_is_refused(rig: CatalogRig, store: Store, other: PipelineVersion) -> None:
    rig.push(FILES)
    with pytest.raises(VersionMismatchError, match="shadow index"):
        store(other)
    with pytest.raises(VersionMismatchError, match="shadow index"):
        rig.catalog.put_documents([sample_write("z.py", A, other)])
    assert paths(rig) == sorted(FILES)


def test_d10_paths_of_any_kind_are_found_exactly(rig: CatalogRig) -> None:
    odd = ["a'b.py", 'a"b.py', "tail\\", "new\nline.py", "%_like.py", "ünï/cödé.py", "\uef80raw.py", "a/b'/;--.py"]
    rig.push({path: b"def found(): pass\n# %d\n" % n for n, path in enumerate(odd)})
    with rig.pin() as scope:
        for path in odd:
            assert [d.path for d in rig.catalog.document_at(scope, path)] == [path]
            assert [f.path for f in rig.catalog.files(scope, path)] == [path]
    rig.push(dict.fromkeys(odd[1:], b"def found(): pass\n"))
    assert paths(rig) == sorted(odd[1:])


def test_an_empty_file_alone_is_searchable_by_its_path(rig: CatalogRig) -> None:
    rig.push({"empty.py": b"", "short.py": b"x"})
    with rig.pin() as scope:
        assert [d.path for d in rig.catalog.documents_containing(scope, [])] == ["empty.py", "short.py"]
        assert rig.catalog.documents_containing(scope, ["abc"]) == []


def test_names_and_paths_of_any_length_stop_nothing(rig: CatalogRig) -> None:
    name, folder = "n" * 100_000, "/".join(["f" * 200] * 20)
    files: Files = {f"{folder}/a.py": f"def {name}(): pass\n".encode(), "b.py": A, "c.py": b"x = " + b"9" * 100_000}
    rig.push(files)
    rig.push({**files, "b.py": A2})
    with rig.pin() as scope:
        assert [f.path for f in rig.catalog.files(scope, folder)] == [f"{folder}/a.py"]
        assert [r.document.path for r in rig.catalog.symbols_named(scope, ["alpha"], 5)] == ["b.py"]


def test_a_change_names_its_entry_by_the_path(rig: CatalogRig) -> None:
    change = EntryChange("x/y.py", None, TreeEntry(Mode.FILE, "", hash_blob(A)))
    tree = str(rig.git.tree({"x/y.py": A}))
    generation = rig.catalog.open_generation(MAIN, 0, "c" * 40, tree, 1.0, [change])
    assert rig.catalog.publish(MAIN, generation, True, 1.0)


def test_pointers_only_keeps_no_text_and_finds_words_by_their_hashes(store: Store, tmp_path: Path) -> None:
    rig = CatalogRig(store(store_text=False, term_key="a key"), tmp_path)
    rig.push({"a.py": b"def alpha(x):\n    return 'a clandestine phrase'\n"})
    with rig.pin() as scope:
        for word in ("alpha", "Clandestine"):
            assert [r.document.path for r in rig.catalog.lexical(scope, [word], 5)] == ["a.py"]
        assert [d.path for d in rig.catalog.documents_containing(scope, ["no such text"])] == ["a.py"]
    rig.catalog.close()
    secret = b"clandestine phrase"
    assert all(secret not in part and secret.hex().encode() not in part for part in store.dump())
    assert VERSION
