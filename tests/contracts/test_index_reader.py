"""One suite for every catalog, read side: each answer equals what a plain scan of the same documents gives."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from headwater.domain.document import Document, ReferenceKind
from headwater.domain.subtoken import subtokens
from headwater.stores.catalog import DocumentWrite
from headwater.stores.index_reader import Scope, TextNotStoredError
from support.catalogs import MAIN, TOPIC, BothSides, CatalogRig, NewStore, Store
from support.git_repo import Files
from support.sample_documents import sample_write

SOURCES: Files = {
    "a.py": b"class HTTPConnection:\n    def get_user_name(self):\n        return self.getUserName(self)\n",
    "pkg/b.py": b"from a import HTTPConnection as Conn\n\nclass Server(Conn):\n"
    b"    def getUserName(self):\n        pass\n",
    "pkg/c.py": b"from a import HTTPConnection\nfrom pkg.b import Server\n\n"
    b"def start():\n    return HTTPConnection()\n",
    "pkg/sub/d.py": "# 重试 策略 🚀 rocket\ndef retry_策略(次数):\n    return 'Straße ſtop K'\n".encode(),
    "pkg.py": b"def start():\n    return 1\n",
    "data.bin": b"\xff\xfe\0binary",
}


@pytest.fixture(scope="module")
def store(new_store: NewStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = new_store(tmp_path_factory.mktemp("store"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def catalog(store: Store, tmp_path_factory: pytest.TempPathFactory) -> BothSides:
    """`main` holds SOURCES; `topic` holds two files of other content, which no answer for `main` may show."""
    rig = CatalogRig(store(), tmp_path_factory.mktemp("rig"))
    rig.push({"a.py": b"def old_name(): pass\n"})
    rig.push(SOURCES)
    rig.push({"a.py": SOURCES["a.py"], "t.py": b"def start():\n    return HTTPConnection(1)\n"}, TOPIC)
    return rig.catalog


@pytest.fixture
def scope(catalog: BothSides) -> Iterator[Scope]:
    with catalog.pin([MAIN]) as pinned:
        yield pinned


def indexed(files: Files = SOURCES) -> dict[str, DocumentWrite]:
    writes = (sample_write(path, content) for path, content in sorted(files.items()))
    return {w.document.path: w for w in writes if w.text is not None}


def document(path: str) -> Document:
    return indexed()[path].document


def test_definitions_come_by_path_and_line(catalog: BothSides, scope: Scope) -> None:
    found = catalog.symbols_named(scope, ["start", "Server"], 10)
    assert [(r.document.path, r.symbol.name, r.symbol.at.line) for r in found] == [
        ("pkg.py", "start", 1),
        ("pkg/b.py", "Server", 3),
        ("pkg/c.py", "start", 4),
    ]
    assert all(document(r.document.path).facts.symbols[r.index] == r.symbol for r in found)
    assert [r.document.path for r in catalog.symbols_named(scope, ["start", "Server"], 2)] == ["pkg.py", "pkg/b.py"]
    assert catalog.symbols_named(scope, ["old_name", "Start", ""], 10) == []


def test_usages_are_every_reference_and_import_in_order(catalog: BothSides, scope: Scope) -> None:
    found = catalog.references_named(scope, ["HTTPConnection"])
    places = [(r.document.path, r.reference.at.line, r.reference.at.col) for r in found]
    assert places == [("pkg/b.py", 1, 15), ("pkg/c.py", 1, 15), ("pkg/c.py", 5, 12)]
    assert len(set(places)) == len(places)


def test_an_import_is_found_by_member_and_by_alias(catalog: BothSides, scope: Scope) -> None:
    lines = [(r.document.path, r.reference.at.line) for r in catalog.references_named(scope, ["Conn"])]
    assert ("pkg/b.py", 1) in lines
    assert ("pkg/b.py", 3) in lines
    importing = [d.path for d in catalog.documents_importing(scope, "HTTPConnection")]
    assert importing == ["pkg/b.py", "pkg/c.py"]
    assert catalog.documents_importing(scope, "Conn") == []


def test_usages_equal_a_scan_for_every_name(catalog: BothSides, scope: Scope) -> None:
    documents = [w.document for w in indexed().values()]
    for name in {r.name for d in documents for r in d.facts.references}:
        expected = [
            (d.path, r)
            for d in documents
            for r in d.facts.references
            if r.name == name and not (r.target >= 0 and d.facts.symbols[r.target].local)
        ]
        found = catalog.references_named(scope, [name])
        assert [
            (r.document.path, r.reference) for r in found if r.reference.kind is not ReferenceKind.IMPORT
        ] == expected


def test_several_snapshots_answer_apart(catalog: BothSides) -> None:
    with catalog.pin([TOPIC, MAIN]) as both:
        found = catalog.symbols_named(both, ["start", "HTTPConnection"], 10)
        assert [(r.document.snapshot, r.document.path) for r in found] == [
            (0, "a.py"),
            (0, "t.py"),
            (1, "a.py"),
            (1, "pkg.py"),
            (1, "pkg/c.py"),
        ]
        (key,) = {c.content_hash for c in document("a.py").chunks}
        assert [r.document.snapshot for r in catalog.chunks_of(both, [key])] == [0, 1]


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("USERname", ["getUserName"]),
        ("user", ["getUserName", "get_user_name"]),
        ("r", ["start", "Server", "retry_策略", "getUserName", "get_user_name"]),
        ("策略", ["retry_策略"]),
        ("tpC", ["HTTPConnection"]),
        ("absent", []),
        ('"', []),
    ],
)
def test_names_containing_equals_a_scan(catalog: BothSides, part: str, names: list[str]) -> None:
    shortest_first = sorted(names, key=lambda n: (len(n), n))
    assert catalog.names_containing(part, 100) == shortest_first
    assert catalog.names_containing(part, 1) == shortest_first[:1]


def test_names_with_parts(catalog: BothSides) -> None:
    assert catalog.names_with_parts(["user", "name"], 10) == ["getUserName", "get_user_name"]
    assert catalog.names_with_parts(["get", "name"], 10) == []
    assert catalog.names_with_parts(["http"], 10) == ["HTTPConnection"]
    assert catalog.names_with_parts(["策略"], 10) == ["retry_策略"]
    assert catalog.names_with_parts([], 10) == []


def test_names_folded(catalog: BothSides) -> None:
    assert catalog.names_folded("httpCONNECTION", 5) == ["HTTPConnection"]
    assert catalog.names_folded("http", 5) == []


def test_lexical_ranks_by_name_before_body(catalog: BothSides, scope: Scope) -> None:
    found = catalog.lexical(scope, ["http", "connection"], 10)
    assert found[0].document.path == "a.py"
    assert {r.document.path for r in found} == {"a.py", "pkg/b.py", "pkg/c.py"}
    assert [r.score for r in found] == sorted((r.score for r in found), reverse=True)
    assert len(catalog.lexical(scope, ["http", "connection"], 1)) == 1
    assert catalog.lexical(scope, ["absent"], 10) == []
    assert catalog.lexical(scope, [], 10) == []


def test_what_the_scope_does_not_show_changes_no_rank(catalog: BothSides, new_store: NewStore, tmp_path: Path) -> None:
    other = new_store(tmp_path / "alone")
    alone = CatalogRig(other(), tmp_path)
    alone.push(SOURCES)
    with catalog.pin([MAIN]) as ours, alone.pin() as theirs:
        for terms in (["http", "connection"], ["start", "return"], ["策略"]):
            found, expected = catalog.lexical(ours, terms, 10), alone.catalog.lexical(theirs, terms, 10)
            assert [(r.chunk, r.score) for r in found] == [(r.chunk, r.score) for r in expected]
    other.close()


def test_chunk_hashes_are_listed_when_few(catalog: BothSides, scope: Scope) -> None:
    hashes = sorted({c.content_hash for w in indexed().values() for c in w.document.chunks})
    assert catalog.chunk_hashes(scope, len(hashes)) == hashes
    assert catalog.chunk_hashes(scope, len(hashes) - 1) is None


def test_documents_and_texts_come_back_as_they_were(catalog: BothSides, scope: Scope) -> None:
    for path, write in indexed().items():
        (row,) = catalog.document_at(scope, path)
        assert catalog.document(row.document_id) == write.document
        assert catalog.text(row.document_id) == write.text
    assert catalog.document_at(scope, "pkg") == []
    assert catalog.document_at(scope, "data.bin") == []


def test_files_of_a_folder_and_of_everything(catalog: BothSides, scope: Scope) -> None:
    assert [f.path for f in catalog.files(scope)] == sorted(SOURCES)
    assert [f.path for f in catalog.files(scope, "pkg")] == ["pkg/b.py", "pkg/c.py", "pkg/sub/d.py"]
    assert [f.path for f in catalog.files(scope, "pkg.py")] == ["pkg.py"]
    assert catalog.folders_named(scope, "sub", "d.py") == ["pkg/sub"]
    assert catalog.folders_named(scope, "sub", "b.py") == catalog.folders_named(scope, "su", "d.py") == []
    (binary,) = catalog.files(scope, "data.bin")
    assert (binary.status, binary.reason, binary.chunks) == ("skipped", "binary", 0)


def test_a_skipped_file_has_no_text(catalog: BothSides, store: Store, tmp_path: Path) -> None:
    with pytest.raises(TextNotStoredError):
        catalog.text(1 << 40)


TEXTS = [w.text or "" for w in indexed().values()]
literals = st.one_of(
    st.sampled_from(TEXTS).flatmap(
        lambda t: st.tuples(st.integers(0, len(t)), st.integers(0, 12)).map(lambda p: t[p[0] : p[0] + p[1]])
    ),
    st.text(max_size=6),
)


@given(st.lists(literals, max_size=3))
@example(["HTTP", "connection"])
@example(["策略 🚀"])
@example(["STRASSE"])
@example(["STOP K"])
@example(["\0\0\0"])
@example(['""" OR "'])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_grep_candidates_are_a_superset_of_a_scan(catalog: BothSides, wanted: Sequence[str]) -> None:
    with catalog.pin([MAIN]) as scope:
        found = {d.path for d in catalog.documents_containing(scope, wanted)}
    for path, write in indexed().items():
        text = write.text or ""
        if all(literal.casefold() in text.casefold() or literal in text for literal in wanted):
            assert path in found
    assert found <= set(indexed())


def test_grep_candidates_narrow(catalog: BothSides, scope: Scope) -> None:
    assert [d.path for d in catalog.documents_containing(scope, ["getusername(self)"])] == ["a.py", "pkg/b.py"]
    assert [d.path for d in catalog.documents_containing(scope, ["策略 🚀"])] == ["pkg/sub/d.py"]
    assert catalog.documents_containing(scope, ["nowhere to be found"]) == []
    assert len(catalog.documents_containing(scope, ["de"])) == len(indexed())


@given(st.text(min_size=1, max_size=5))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_part_of_a_name_is_found_by_it(catalog: BothSides, part: str) -> None:
    names = {s.name for w in indexed().values() for s in w.document.facts.symbols if not s.local}
    expected = sorted((n for n in names if part.casefold() in n.casefold()), key=lambda n: (len(n), n))
    assert [n for n in catalog.names_containing(part, 100) if n in names] == expected
    run = subtokens(part)
    assert all(set(run) <= set(subtokens(n)) for n in catalog.names_with_parts(run, 100))


def test_many_threads_read_while_one_writes(store: Store, catalog: BothSides, tmp_path: Path) -> None:
    rig = CatalogRig(catalog, tmp_path)
    view = type(MAIN)("demo", "refs/heads/threads")
    contents = [b"def shared(): return %d\n\ndef only_%d(): pass\n" % (n, n) for n in range(12)]
    rig.push({"a.py": contents[0]}, view)
    done = threading.Event()
    wrong: list[object] = []

    def read() -> None:
        while not done.is_set():
            with catalog.pin([view]) as scope:
                (row,) = catalog.symbols_named(scope, ["shared"], 5)
                number = scope[0].generation - 1
                if catalog.text(row.document.document_id).encode() != contents[number]:
                    wrong.append((number, row))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for content in contents[1:]:
        rig.push({"a.py": content}, view)
        catalog.collect(1)
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    catalog.delete_view(view)
    catalog.collect(1)
