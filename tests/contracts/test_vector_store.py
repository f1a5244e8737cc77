"""One suite for every vector store: idempotent upserts, exact filters, tombstones, refusal of another model."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from headwater.clients.embedding_model import Int8Matrix
from headwater.domain.version import PipelineVersion
from headwater.stores.catalog import VersionMismatchError
from headwater.stores.mmap_vectors import MmapVectorStore
from headwater.stores.vector_store import VectorStore, VectorsUnavailableError

DIMENSIONS = 16
VERSION = PipelineVersion(model="test-model", dimensions=DIMENSIONS)


class Opener(Protocol):
    """Opens the test's store; `large` asks for the search that a large store needs, where there is a choice."""

    def __call__(self, large: bool = True) -> VectorStore: ...


@pytest.fixture(params=["mmap", "mmap-graph"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    opened: list[MmapVectorStore] = []

    def open_store(large: bool = True) -> VectorStore:
        graph_from = 64 if large and request.param == "mmap-graph" else 1 << 40  # rows
        opened.append(MmapVectorStore(tmp_path / "vectors", VERSION, graph_from))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


@pytest.fixture
def store(opener: Opener) -> VectorStore:
    return opener()


def key(number: int) -> str:
    return f"{number:032x}"


def unit_vectors(count: int, seed: int = 0) -> Int8Matrix:
    raw = np.random.default_rng(seed).normal(size=(count, DIMENSIONS))
    return np.round(127 * raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.int8)


def test_nearest_come_first_with_their_cosine(store: VectorStore) -> None:
    vectors = unit_vectors(500)
    store.upsert([key(i) for i in range(500)], vectors)
    hits = store.search(vectors[7], 10)
    exact = vectors.astype(float) @ vectors[7] / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(vectors[7]))
    assert hits[0].content_hash == key(7)
    assert hits[0].score == pytest.approx(1.0, abs=1e-3)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert [h.score for h in hits] == pytest.approx([exact[int(h.content_hash, 16)] for h in hits], abs=1e-3)


def test_e2_the_same_upsert_twice_gives_one_hit(store: VectorStore) -> None:
    vectors = unit_vectors(3)
    hashes = [key(i) for i in range(3)]
    store.upsert(hashes, vectors)
    store.upsert(hashes, vectors)
    store.upsert([hashes[0], hashes[0]], vectors[[0, 0]])
    assert store.count() == 3
    assert [h.content_hash for h in store.search(vectors[0], 10)].count(hashes[0]) == 1


def test_d10_delete_hits_exactly_its_hashes(store: VectorStore) -> None:
    vectors = unit_vectors(200)
    store.upsert([key(i) for i in range(200)], vectors)
    store.delete([key(5), key(6), key(10_000)])
    assert store.count() == 198
    assert store.present([key(4), key(5), key(6)]) == {key(4)}
    assert key(5) not in {h.content_hash for h in store.search(vectors[5], 198)}
    assert store.search_within(vectors[5], [key(5)], 5) == []


def test_a_deleted_hash_can_come_back(store: VectorStore) -> None:
    vectors = unit_vectors(2)
    store.upsert([key(1)], vectors[:1])
    store.delete([key(1)])
    store.upsert([key(1)], vectors[1:])
    assert store.search(vectors[1], 1)[0].score == pytest.approx(1.0, abs=1e-3)


def test_equal_scores_come_in_the_order_of_hashes(store: VectorStore) -> None:
    vector = unit_vectors(1)
    hashes = [key(i) for i in (9, 3, 7, 1)]
    store.upsert(hashes, np.repeat(vector, 4, axis=0))
    assert [h.content_hash for h in store.search(vector[0], 3)] == [key(1), key(3), key(7)]


def test_f11_a_filter_that_admits_ten_returns_all_ten(opener: Opener) -> None:
    store = opener(large=False)
    vectors = unit_vectors(100_000)
    store.upsert([key(i) for i in range(100_000)], vectors)
    allowed = [key(i * 9_973) for i in range(10)]
    hits = store.search_within(vectors[1], allowed, 10)
    assert {h.content_hash for h in hits} == set(allowed)


def test_f9_reconciling_20_000_rows_sees_every_hash_once(store: VectorStore) -> None:
    hashes = [key(i) for i in range(20_000)]
    store.upsert(hashes, unit_vectors(20_000))
    assert sorted(store.hashes()) == hashes


def test_sizes_return_to_baseline_after_deletes(opener: Opener, tmp_path: Path) -> None:
    store = opener()
    store.upsert([key(i) for i in range(10)], unit_vectors(10))
    before = _bytes(tmp_path)
    store.upsert([key(i) for i in range(10, 5_000)], unit_vectors(4_990, seed=1))
    store.delete([key(i) for i in range(10, 5_000)])
    assert _bytes(tmp_path) <= 2 * before
    assert sorted(store.hashes()) == [key(i) for i in range(10)]


def test_what_is_written_is_there_after_reopening(opener: Opener) -> None:
    vectors = unit_vectors(100)
    first = opener()
    first.upsert([key(i) for i in range(100)], vectors)
    first.delete([key(3)])
    first.close()  # type: ignore[attr-defined]
    again = opener()
    assert again.count() == 99
    again.upsert([key(3)], vectors[3:4])
    assert again.search(vectors[3], 1)[0].content_hash == key(3)


def test_a_reader_sees_what_another_writes(opener: Opener) -> None:
    reader, writer = opener(), opener()
    vectors = unit_vectors(300)
    assert reader.count() == 0
    for start in range(0, 300, 100):
        writer.upsert([key(i) for i in range(start, start + 100)], vectors[start : start + 100])
        assert reader.search(vectors[start], 1)[0].content_hash == key(start)
    writer.delete([key(i) for i in range(299)])
    assert [h.content_hash for h in reader.search(vectors[0], 5)] == [key(299)]


def test_e5_a_second_writer_is_told_to_wait(opener: Opener) -> None:
    writer, second = opener(), opener()
    writer.upsert([key(1)], unit_vectors(1))
    with pytest.raises(VectorsUnavailableError, match="another process writes"):
        second.upsert([key(2)], unit_vectors(1))
    assert second.count() == 1


@pytest.mark.parametrize("other", [PipelineVersion("other", DIMENSIONS), PipelineVersion("test-model", 1024)])
def test_e9_another_model_or_dimension_is_refused(opener: Opener, tmp_path: Path, other: PipelineVersion) -> None:
    opener().upsert([key(1)], unit_vectors(1))
    with pytest.raises(VersionMismatchError, match="shadow index"):
        MmapVectorStore(tmp_path / "vectors", other)


def test_a_torn_tail_is_ignored_and_written_over(opener: Opener, tmp_path: Path) -> None:
    vectors = unit_vectors(20)
    store = opener()
    store.upsert([key(i) for i in range(10)], vectors[:10])
    store.close()  # type: ignore[attr-defined]
    for name, tail in (("rows.1.i8", b"\x01" * 21), ("hashes.1.log", b"A\0\0\0torn")):
        with (tmp_path / "vectors" / name).open("ab") as file:
            file.write(tail)
    again = opener()
    assert again.count() == 10
    again.upsert([key(i) for i in range(10, 20)], vectors[10:])
    assert [again.search(v, 1)[0].content_hash for v in vectors] == [key(i) for i in range(20)]


_WRITER = """
import sys
sys.path[:0] = sys.argv[2:]
from test_vector_store import VERSION, key, unit_vectors
from headwater.stores.mmap_vectors import MmapVectorStore
store = MmapVectorStore(sys.argv[1], VERSION)
for start in range(0, 1 << 20, 50):
    store.upsert([key(i) for i in range(start, start + 50)], unit_vectors(50, seed=start))
    print(start + 50, flush=True)
"""


def test_kill_9_in_an_append_loses_nothing_acknowledged(tmp_path: Path) -> None:
    acknowledged = 0
    for lines in (3, 11):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path / "vectors"), str(Path(__file__).parent)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        for _ in range(lines):
            acknowledged = max(acknowledged, int(writer.stdout.readline()))
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        store = MmapVectorStore(tmp_path / "vectors", VERSION)
        assert store.present([key(i) for i in range(acknowledged)]) == {key(i) for i in range(acknowledged)}
        last = unit_vectors(50, seed=acknowledged - 50)
        assert store.search(last[49], 1)[0].content_hash == key(acknowledged - 1)
        store.close()


def test_a_closed_store_says_so(store: VectorStore) -> None:
    store.close()  # type: ignore[attr-defined]
    with pytest.raises(VectorsUnavailableError, match="closed"):
        store.count()


def test_readers_follow_a_compaction(opener: Opener) -> None:
    reader, writer = opener(), opener()
    vectors = unit_vectors(400)
    writer.upsert([key(i) for i in range(400)], vectors)
    assert reader.count() == 400
    writer.delete([key(i) for i in range(300)])
    assert reader.count() == 100
    assert [h.content_hash for h in reader.search(vectors[350], 1)] == [key(350)]
    writer.upsert([key(0)], vectors[:1])
    assert [h.content_hash for h in reader.search(vectors[0], 1)] == [key(0)]
    assert opener().count() == 101


def _bytes(folder: Path) -> int:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
