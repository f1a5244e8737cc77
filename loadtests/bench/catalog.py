"""Measures a catalog, embedded or in PostgreSQL: bulk load, bytes, one-file generations by view size, each query."""

import argparse
import hashlib
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from headwater.ast_chunker.process import analyse_file
from headwater.domain.document import Chunk, Status
from headwater.domain.merkle import EntryChange
from headwater.domain.tree import Mode, TreeEntry, hash_blob
from headwater.domain.version import PipelineVersion
from headwater.domain.view import ViewKey
from headwater.stores.catalog import DocumentWrite
from headwater.stores.index_reader import Scope
from headwater.stores.postgres_catalog import PostgresCatalog
from headwater.stores.relational.manifest_plan import plan_generation
from headwater.stores.sqlite_catalog import SqliteCatalog

VERSION = PipelineVersion("bench-model", 256)
VIEW = ViewKey("bench", "refs/heads/main")
BATCH = 128  # documents, as the defref-sink hands them over
MARKS = 1024  # hashes, as the vector-sink marks them

Catalogs = SqliteCatalog | PostgresCatalog


class Clock:
    """Seconds of this process, or of the wall where a server does a part of the work."""

    by_wall = False

    def __call__(self) -> float:
        return time.perf_counter() if self.by_wall else time.process_time()


clock = Clock()


class Bench:
    """One catalog that grows by copies of the same sources under other paths."""

    def __init__(self, catalog: Catalogs, size: Callable[[], int], sources: Sequence[DocumentWrite]) -> None:
        self.catalog, self.size = catalog, size
        self.sources = sources
        self.generation = 0
        self.documents: dict[str, DocumentWrite] = {}

    def grow(self, copies: range) -> None:
        """Load copies in bulk and print the rate."""
        writes = [copied(write, n) for n in copies for write in self.sources]
        lines = sum(w.document.lines for w in writes)
        self.open(writes)
        started = clock()
        for start in range(0, len(writes), BATCH):
            self.catalog.put_documents(writes[start : start + BATCH])
            self.catalog.missing(VIEW, self.generation, 1)
        seconds = clock() - started
        started = clock()
        hashes = [c.content_hash for w in writes for c in w.document.chunks]
        for at in range(0, len(hashes), MARKS):
            self.catalog.mark_embedded(hashes[at : at + MARKS])
            self.catalog.missing(VIEW, self.generation, 1)
        marking = clock() - started
        self.publish()
        self.catalog.collect(1)
        size = sum(w.document.size for w in self.documents.values())
        print(f"loaded {lines} lines: {lines / seconds:,.0f} lines/s; marks {marking:.2f} s", end="; ")
        print(f"{self.size() / size:.2f} x source ({size / 1e6:.1f} MB)")

    def open(self, writes: Sequence[DocumentWrite]) -> None:
        changes = [EntryChange(w.document.path, None, TreeEntry(w.document.mode, "", w.document.blob)) for w in writes]
        self.documents.update((w.document.path, w) for w in writes)
        tree = self._root()
        commit = f"{self.generation + 1:040x}"
        self.generation = self.catalog.open_generation(VIEW, self.generation, commit, tree, time.time(), changes)

    def publish(self) -> None:
        self.catalog.publish(VIEW, self.generation, True, time.time())

    def one_file(self) -> float:
        """Milliseconds of a generation that changes one file."""
        former = self.documents[sorted(self.documents)[len(self.documents) // 2]]
        edited = copied(former, self.generation + 1000, former.document.path)
        self.documents[edited.document.path] = edited
        tree = self._root()
        change = EntryChange(edited.document.path, None, TreeEntry(Mode.FILE, "", edited.document.blob))
        started = clock()
        commit = f"{self.generation + 1:040x}"
        self.generation = self.catalog.open_generation(VIEW, self.generation, commit, tree, time.time(), [change])
        self.catalog.put_documents([edited])
        self.catalog.mark_embedded([c.content_hash for c in edited.document.chunks])
        assert self.catalog.missing(VIEW, self.generation, 1).paths == ()
        self.publish()
        return (clock() - started) * 1000

    def _root(self) -> str:
        entries = [EntryChange(p, None, TreeEntry(Mode.FILE, "", w.document.blob)) for p, w in self.documents.items()]
        return plan_generation(lambda _path: {}, entries).root


def copied(write: DocumentWrite, copy: int, path: str = "") -> DocumentWrite:
    """The same source with another last line and, without `path`, below another folder."""
    text = f"{write.text}# {copy}\n"
    document = write.document
    chunks = tuple(_renamed(chunk, copy) for chunk in document.chunks)
    path = path or f"copy{copy}/{document.path}"
    blob = hash_blob(text.encode())
    return DocumentWrite(msgspec.structs.replace(document, path=path, blob=blob, chunks=chunks), text)


def _renamed(chunk: Chunk, copy: int) -> Chunk:
    key = hashlib.blake2b(f"{copy}{chunk.content_hash}".encode(), digest_size=16).hexdigest()
    return msgspec.structs.replace(chunk, content_hash=key)


def analysed(folder: Path, limit: int) -> Iterator[DocumentWrite]:
    """Documents of the folder's Python and Java files, as the chunker makes them."""
    files = [p for p in sorted(folder.rglob("*")) if p.suffix in (".py", ".java")][:limit]
    for path in files:
        content = path.read_bytes()
        name = path.relative_to(folder).as_posix()
        document, text = analyse_file(name, Mode.FILE, hash_blob(content), content, VERSION)
        if document.status is Status.INDEXED:
            yield DocumentWrite(document, text)


def queries(catalog: Catalogs, scope: Scope) -> None:
    """Milliseconds of each kind of question, the median of repeated runs."""
    common = ["self", "return", "name", "if", "value"]
    asked: dict[str, Callable[[], Sequence[object]]] = {
        "symbols_named (rare)": lambda: catalog.symbols_named(scope, ["HTTPConnection"], 20),
        "symbols_named (common)": lambda: catalog.symbols_named(scope, ["__init__"], 20),
        "references_named (rare)": lambda: catalog.references_named(scope, ["HTTPConnection"]),
        "references_named (common)": lambda: catalog.references_named(scope, ["isinstance"]),
        "names_containing 'ection'": lambda: catalog.names_containing("ection", 20),
        "names_containing 'get'": lambda: catalog.names_containing("get", 20),
        "names_containing absent": lambda: catalog.names_containing("qzjx", 20),
        "names_containing 'zq'": lambda: catalog.names_containing("zq", 20),
        "names_with_parts": lambda: catalog.names_with_parts(["get", "name"], 20),
        "lexical (5 rare terms)": lambda: catalog.lexical(
            scope, ["http", "connection", "timeout", "proxy", "tunnel"], 50
        ),
        "lexical (5 common terms)": lambda: catalog.lexical(scope, common, 50),
        "documents_containing": lambda: catalog.documents_containing(scope, ["HTTPConnection("]),
        "documents_containing common": lambda: catalog.documents_containing(scope, ["import "]),
        "documents_importing": lambda: catalog.documents_importing(scope, "namedtuple"),
        "chunk_hashes": lambda: catalog.chunk_hashes(scope, 1000) or (),
        "files below a folder": lambda: catalog.files(scope, "copy0/email"),
    }
    for label, ask in asked.items():
        times = []
        for _ in range(7):
            started = clock()
            found = len(ask())
            times.append((clock() - started) * 1000)
        print(f"  {label:30} {sorted(times)[3]:8.2f} ms (first {times[0]:.2f}), {found} found")


@contextmanager
def opened(url: str | None, folder: Path) -> Iterator[tuple[Catalogs, Callable[[], int]]]:
    """An empty catalog and what tells its bytes."""
    if not url:
        embedded = SqliteCatalog(folder / "catalog.db", VERSION)
        yield embedded, lambda: (folder / "catalog.db").stat().st_size
        embedded.close()
        return
    with psycopg.connect(url, autocommit=True) as connection:
        catalog = PostgresCatalog(url, VERSION, name="bench")
        yield catalog, lambda: _bytes(connection)
        catalog.close()
        connection.execute("DROP SCHEMA bench CASCADE")


def _bytes(connection: psycopg.Connection[tuple[Any, ...]]) -> int:
    connection.execute("VACUUM ANALYZE")  # as the server does on its own within a minute
    rows = connection.execute(
        "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables WHERE schemaname = 'bench' ORDER BY 2"
    ).fetchall()
    print("; ".join(f"{name} {size / 1e6:.1f}" for name, size in rows[-9:]), "MB")
    return sum(size for _, size in rows)


def main() -> None:
    """Run everything on the Python standard library or another folder of sources."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--sources", type=Path, default=Path(sysconfig.get_paths()["stdlib"]))
    parser.add_argument("--files", type=int, default=250)
    parser.add_argument("--copies", type=int, nargs="*", default=[1, 4, 16])
    parser.add_argument("--postgres", metavar="URL", help="a PostgreSQL server instead of SQLite, by the wall clock")
    arguments = parser.parse_args()
    if arguments.postgres:
        clock.by_wall = True
    sources = list(analysed(arguments.sources, arguments.files))
    with tempfile.TemporaryDirectory() as folder, opened(arguments.postgres, Path(folder)) as (catalog, size):
        bench = Bench(catalog, size, sources)
        held = 0
        for copies in arguments.copies:
            bench.grow(range(held, copies))
            held = copies
            chunks = sum(len(w.document.chunks) for w in bench.documents.values())
            times = sorted(bench.one_file() for _ in range(9))
            print(f"{copies}x, {len(bench.documents)} files, {chunks} chunks", end=": ")
            print(f"one file {times[4]:.1f} ms (max {times[-1]:.1f})")
            with bench.catalog.pin([VIEW]) as scope:
                queries(bench.catalog, scope)


if __name__ == "__main__":
    main()
