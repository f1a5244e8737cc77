"""What only the PostgreSQL catalog has: several writers at a time, and a server that stops, fills up or is slow."""

import random
import shutil
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from headwater.domain.merkle import diff_trees
from headwater.domain.tree import EMPTY_TREE
from headwater.domain.view import ViewKey
from headwater.runtime.installed import stack_dir
from headwater.stack import COMPONENTS, Running
from headwater.stores.catalog import CatalogUnavailableError, Missing, StaleGenerationError
from headwater.stores.git_store import GitRepository
from headwater.stores.postgres.database import PostgresSettings
from headwater.stores.postgres.posting_log import MERGE_EVERY
from headwater.stores.postgres_catalog import PostgresCatalog
from headwater.stores.relational.database import Session
from support.catalogs import MAIN, BothSides, CatalogRig, PostgresStore
from support.git_repo import Files, RepoBuilder
from support.sample_documents import VERSION, sample_write

WRITERS = 4
SHARED: Files = {
    f"src/f{n}.py": b"from src import g%d\n\ndef f%d(value):\n    return g%d(value)\n" % (n % 5, n, n % 7)
    for n in range(60)
}
NAMES = [f"f{n}" for n in range(60)] + [f"g{n}" for n in range(7)] + ["value"]


@pytest.fixture
def url(postgres: Running) -> str:
    return f"postgresql://app@127.0.0.1:{postgres.ports['sql']}/postgres"


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[PostgresStore]:
    made = PostgresStore(url, tmp_path)
    yield made
    made.close()


def branch(number: int) -> tuple[ViewKey, Files]:
    """A view that shares most of its files with the others."""
    own: Files = {f"own/{number}.py": b"def own%d(value):\n    return f1(value)\n" % number}
    changed: Files = {"src/f0.py": b"def f0(value):\n    return %d\n" % number}
    return ViewKey("demo", f"refs/heads/b{number}"), {**SHARED, **own, **changed}


def write_all(catalog: BothSides, git: GitRepository, tree: str, number: int, seed: int) -> None:
    """One writer's work in a random order: generation, documents in batches, marks, publication."""
    dice = random.Random(seed)
    view, files = branch(number)
    diff = diff_trees(catalog.tree_reader(view, 0), EMPTY_TREE, git, tree)
    generation = catalog.open_generation(view, 0, "c" * 40, tree, 1.0, diff.changes)
    writes = [sample_write(path, content) for path, content in files.items()]
    dice.shuffle(writes)
    for at in range(0, len(writes), 9):
        batch = writes[at : at + 9]
        catalog.put_documents(batch)
        catalog.mark_embedded([c.content_hash for w in batch for c in w.document.chunks])
    assert catalog.missing(view, generation, 10) == Missing((), ())
    assert catalog.publish(view, generation, True, 2.0)


def answers(catalog: BothSides, view: ViewKey) -> list[object]:
    with catalog.pin([view]) as scope:
        return [
            [(f.path, f.blob, f.status, f.chunks) for f in catalog.files(scope)],
            [(r.document.path, r.symbol) for r in catalog.symbols_named(scope, NAMES, 1000)],
            [(r.document.path, r.reference) for r in catalog.references_named(scope, NAMES)],
            [(r.document.path, r.chunk, r.score) for r in catalog.lexical(scope, ["value", "f1", "own"], 100)],
            catalog.chunk_hashes(scope, 1000),
            [d.path for d in catalog.documents_containing(scope, ["return g3"])],
        ]


@pytest.mark.parametrize("seed", range(3))
def test_several_writers_at_a_time_end_like_one(store: PostgresStore, tmp_path: Path, seed: int) -> None:
    builder = RepoBuilder(tmp_path / "git")
    trees = [str(builder.tree(branch(n)[1])) for n in range(WRITERS)]
    git = GitRepository(tmp_path / "git")
    alone = PostgresStore(store._url, tmp_path)
    serial = alone()
    for number, tree in enumerate(trees):
        write_all(serial, git, tree, number, seed)

    def work(number: int) -> None:
        write_all(store(), GitRepository(tmp_path / "git"), trees[number], number, seed * 100 + number)

    store()
    with ThreadPoolExecutor(WRITERS + 1) as pool:
        running = [pool.submit(work, n) for n in range(WRITERS)]
        collecting = pool.submit(lambda: [store().collect(1) for _ in range(5)])
        for future in running:
            future.result(120)
        collecting.result(120)
    together = store()
    for number in range(WRITERS):
        assert answers(together, branch(number)[0]) == answers(serial, branch(number)[0])
    together.collect(1)
    assert together.unreferenced() == 0
    alone.close()


def test_of_two_that_open_the_same_generation_one_is_told(store: PostgresStore, tmp_path: Path) -> None:
    CatalogRig(store(), tmp_path).push(SHARED)
    catalogs = [store() for _ in range(WRITERS)]
    start = threading.Barrier(WRITERS)

    def work(catalog: BothSides) -> bool:
        start.wait(30)
        try:
            catalog.open_generation(MAIN, 1, "d" * 40, EMPTY_TREE, 1.0, [])
        except StaleGenerationError:
            return False
        return True

    with ThreadPoolExecutor(WRITERS) as pool:
        assert sorted(pool.map(work, catalogs)) == [False] * (WRITERS - 1) + [True]


def test_a_deadlock_is_tried_again(store: PostgresStore) -> None:
    catalog = store()
    assert isinstance(catalog, PostgresCatalog)
    both = threading.Barrier(2)
    counters = ["dead_texts", "dead_contents"]
    tries: list[int] = []

    def work(order: list[str]) -> None:
        def raise_both(session: Session) -> None:
            tries.append(1)
            session.run("UPDATE counters SET value = value + 1 WHERE name = ?", order[0])
            if len(tries) <= 2:
                both.wait(30)
            session.run("UPDATE counters SET value = value + 1 WHERE name = ?", order[1])

        catalog._database.write(raise_both)

    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(work, counters), pool.submit(work, counters[::-1])]:
            future.result(60)
    with catalog._database.read() as session:
        assert session.rows("SELECT value FROM counters WHERE name IN @texts", counters) == [(2,), (2,)]
    assert len(tries) >= 3


def test_logs_are_merged_into_blocks_without_a_collection(store: PostgresStore, tmp_path: Path) -> None:
    rig = CatalogRig(store(), tmp_path)
    files: Files = {f"f{n}.py": b"def f%d(value):\n    return g%d(value)\n" % (n, n) for n in range(MERGE_EVERY + 3)}
    generation = rig.open(files)
    for path, content in files.items():
        rig.put({path: content})
    assert rig.catalog.publish(MAIN, generation, True, 1.0)
    assert isinstance(rig.catalog, PostgresCatalog)
    with rig.catalog._database.read() as session:
        batches = "SELECT (SELECT count(DISTINCT batch) FROM term_log), (SELECT count(DISTINCT batch) FROM gram_log)"
        assert session.rows(batches) == [(3, 3)]
    with rig.pin() as scope:
        assert len(rig.catalog.lexical(scope, ["value"], 1000)) == len(files)
        assert len(rig.catalog.documents_containing(scope, ["(value)"])) == len(files)
        assert [d.path for d in rig.catalog.documents_containing(scope, ["return g7("])] == ["f7.py"]


def test_a_slow_statement_and_a_busy_pool_are_unavailable(url: str, store: PostgresStore) -> None:
    store()
    limits = PostgresSettings(connections=1, wait_s=0.05, read_s=0.1)
    catalog = PostgresCatalog(url, VERSION, name=store.name, settings=limits)
    with catalog._database.read(), pytest.raises(CatalogUnavailableError, match="in use"):
        catalog.views()
    with pytest.raises(CatalogUnavailableError, match="timeout"), catalog._database.read() as session:
        session.rows("SELECT pg_sleep(9)")
    assert catalog.views() == []
    catalog.close()


@pytest.fixture
def own_server(stack_data: Path, postgres: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that a test may stop."""
    running = COMPONENTS["postgres"].start(stack_dir(), stack_data / "own-postgres")
    yield running
    running.stop()


def test_f13_a_server_that_was_stopped_is_used_again(own_server: Running, tmp_path: Path) -> None:
    url = f"postgresql://app@127.0.0.1:{own_server.ports['sql']}/postgres"
    catalog = PostgresCatalog(url, VERSION)
    rig = CatalogRig(catalog, tmp_path)
    rig.push(SHARED)
    with rig.pin() as scope:
        own_server.kill()
        for ask in (catalog.views, lambda: catalog.files(scope), lambda: rig.push({"a.py": b"x = 1\n"})):
            with pytest.raises(CatalogUnavailableError):
                ask()
        own_server.restart()
        assert [f.path for f in catalog.files(scope)] == sorted(SHARED)
        rig.push({"a.py": b"x = 1\n"})
        with rig.pin() as newer:
            catalog.collect(1)
            assert [f.path for f in catalog.files(newer)] == ["a.py"]
            assert [f.path for f in catalog.files(scope)] == sorted(SHARED)
    catalog.collect(1)
    assert catalog.unreferenced() == 0
    catalog.close()


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "none", str(folder)], check=False)
    if mounted.returncode:
        pytest.skip("no right to mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_e5_a_full_disk_is_unavailable_and_loses_nothing(own_server: Running, tmp_path: Path) -> None:
    folder = own_server.command.log.parent / "small"
    folder.mkdir()
    url = f"postgresql://app@127.0.0.1:{own_server.ports['sql']}/postgres"
    with small_disk(folder), psycopg.connect(url, autocommit=True) as admin:
        if own_server.command.user:
            shutil.chown(folder, own_server.command.user)
        admin.execute(f"CREATE TABLESPACE small LOCATION '{folder}'".encode())
        catalog = PostgresCatalog(f"{url}?options=-cdefault_tablespace%3Dsmall", VERSION, name="full")
        rig = CatalogRig(catalog, tmp_path)
        rig.push(SHARED)
        big = [
            sample_write(f"big{n}.py", "".join(random.Random(n).choices("0123456789", k=200_000)).encode())
            for n in range(120)
        ]
        with pytest.raises(CatalogUnavailableError, match="space"):
            catalog.put_documents(big)
        with rig.pin() as scope:
            assert [f.path for f in catalog.files(scope)] == sorted(SHARED)
        catalog.close()
        admin.execute('DROP SCHEMA "full" CASCADE')
        admin.execute("DROP TABLESPACE small")
