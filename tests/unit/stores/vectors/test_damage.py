"""Whatever happens to the files of the embedded vectors: no wrong vector, and everything that is lost is known."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.clients.embedding_model import Int8Matrix
from headwater.domain.version import PipelineVersion
from headwater.stores.mmap_vectors import MmapVectorStore
from headwater.stores.vector_store import Loss
from headwater.stores.vectors.row_log import RECORD

DIMENSIONS, COUNT = 12, 4  # no multiple of eight: the last word is filled up
VERSION = PipelineVersion("test-model", DIMENSIONS)
KEYS = [f"{n:032x}" for n in range(COUNT)]
MATRIX, LOG, CURRENT, SEAL = "rows.1.i8", "hashes.1.log", "current.json", "seal.1.json"


def vectors() -> Int8Matrix:
    return np.random.default_rng(7).integers(-90, 91, (COUNT, DIMENSIONS)).astype(np.int8)


@contextmanager
def opened(folder: Path) -> Iterator[MmapVectorStore]:
    store = MmapVectorStore(folder, VERSION)
    yield store
    store.close()


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store") / "vectors"
    with opened(folder) as store:
        store.accept()
        store.upsert(KEYS, vectors())
    return folder


def check_true_and_repairable(folder: Path) -> None:
    """Every hit is what was written; what isn't found is named; written again, all is there, also after a restart."""
    wanted = vectors()
    with opened(folder) as store:
        scores = [{hit.content_hash: hit.score for hit in store.search(row, COUNT)} for row in wanted]
        lost = store.lost(KEYS)
        for n, key in enumerate(KEYS):
            assert (key in lost) != (key in scores[n])
            assert key in lost or scores[n][key] == pytest.approx(1)
        assert store.present(KEYS) == set(KEYS) - lost.keys()
        again = [n for n, key in enumerate(KEYS) if key in lost]
        store.upsert([KEYS[n] for n in again], wanted[again])
        store.accept()
    with opened(folder) as store:
        assert store.intact()
        assert store.lost(KEYS) == {}
        assert all(store.search(row, 1)[0].content_hash == key for key, row in zip(KEYS, wanted, strict=True))


def change(path: Path, alter: Callable[[bytes], bytes]) -> None:
    path.write_bytes(alter(path.read_bytes()))


@pytest.mark.parametrize("name", [MATRIX, LOG, CURRENT, SEAL])
def test_s11_a_file_cut_at_any_byte_loses_nothing_silently(intact: Path, tmp_path: Path, name: str) -> None:
    size = (intact / name).stat().st_size
    for cut in range(0, size, 1 if name in (MATRIX, LOG) else 11):
        folder = tmp_path / str(cut)
        shutil.copytree(intact, folder)
        change(folder / name, lambda raw, cut=cut: raw[:cut])  # type: ignore[misc]
        check_true_and_repairable(folder)


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from([MATRIX, LOG]), bits=st.lists(st.integers(0, 1 << 20), min_size=1, max_size=9))
def test_s11_flipped_bits_give_no_wrong_vector(intact: Path, name: str, bits: list[int]) -> None:
    def flip(raw: bytes) -> bytes:
        changed = bytearray(raw)
        for bit in bits:
            changed[bit // 8 % len(raw)] ^= 1 << bit % 8
        return bytes(changed)

    with TemporaryDirectory() as outer:
        folder = Path(outer) / "vectors"
        shutil.copytree(intact, folder)
        change(folder / name, flip)
        check_true_and_repairable(folder)


@pytest.mark.parametrize(
    ("name", "alter"),
    [
        (MATRIX, lambda raw: bytes(len(raw))),
        (MATRIX, lambda raw: raw[DIMENSIONS : 2 * DIMENSIONS] + raw[:DIMENSIONS] + raw[2 * DIMENSIONS :]),  # swapped
        (MATRIX, lambda raw: raw[DIMENSIONS:] + bytes(DIMENSIONS)),
        (LOG, lambda raw: bytes(len(raw))),
        (LOG, lambda raw: raw[:RECORD] + b"\xa5" * 100 + raw[RECORD:]),
        (CURRENT, lambda raw: b"{}"),
        (SEAL, lambda raw: b"\0" * len(raw)),
    ],
)
def test_s11_zeros_swapped_rows_and_garbage(
    intact: Path, tmp_path: Path, name: str, alter: Callable[[bytes], bytes]
) -> None:
    folder = tmp_path / "vectors"
    shutil.copytree(intact, folder)
    change(folder / name, alter)
    check_true_and_repairable(folder)


@pytest.mark.parametrize("name", [MATRIX, LOG, CURRENT, SEAL, ""])
def test_s11_a_file_or_the_folder_that_is_gone(intact: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "vectors"
    shutil.copytree(intact, folder)
    (folder / name).unlink() if name else shutil.rmtree(folder)
    check_true_and_repairable(folder)


def test_s11_rows_of_the_format_without_checksums_are_not_trusted(intact: Path, tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    shutil.copytree(intact, folder)
    change(folder / CURRENT, lambda raw: msgspec.json.encode({**msgspec.json.decode(raw), "format": 1}))
    with opened(folder) as store:
        assert store.lost(KEYS) == dict.fromkeys(KEYS, Loss.ABSENT)
        assert not store.is_accepted
    check_true_and_repairable(folder)


def test_s11_damage_under_a_running_process_is_noticed_and_healed_in_it(intact: Path, tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    shutil.copytree(intact, folder)
    with opened(folder) as reader, opened(folder) as writer:
        assert reader.intact()
        change(folder / MATRIX, lambda raw: raw[: 2 * DIMENSIONS])
        assert len(reader.search(vectors()[0], COUNT)) == 2
        assert not reader.intact()
        writer.upsert(KEYS, vectors())
        writer.accept()
        assert reader.intact()
        assert len(reader.search(vectors()[0], COUNT)) == COUNT
        shutil.rmtree(folder)
        assert reader.search(vectors()[0], COUNT) == []
        writer.upsert(KEYS, vectors())
        writer.accept()
        assert len(reader.search(vectors()[0], COUNT)) == COUNT


def test_s11_what_one_process_finds_short_is_known_to_all_until_it_is_accepted(intact: Path, tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    shutil.copytree(intact, folder)
    with opened(folder) as one, opened(folder) as other:
        one.distrust()
        assert not other.intact()
        with opened(folder) as third:
            assert not third.intact()
        other.accept()
        assert one.intact()


def test_s11_a_damaged_graph_is_not_opened(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    rows = np.random.default_rng(3).integers(-90, 91, (200, DIMENSIONS)).astype(np.int8)
    keys = [f"{n:032x}" for n in range(200)]
    store = MmapVectorStore(folder, VERSION, graph_from=50)
    store.upsert(keys, rows)
    store.close()
    raw = (folder / "graph.1.usearch").read_bytes()
    for damaged in (b"", raw[:100], raw[: len(raw) // 2] + bytes(len(raw) - len(raw) // 2), raw[:-1]):
        (folder / "graph.1.usearch").write_bytes(damaged)
        store = MmapVectorStore(folder, VERSION, graph_from=50)
        assert store.search(rows[9], 1)[0].content_hash == keys[9]
        store.close()
