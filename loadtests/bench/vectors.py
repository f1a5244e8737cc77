"""Measures the embedded vector store: appending, exact search, search within a few, reopening, compaction."""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from headwater.clients.embedding_model import Int8Matrix
from headwater.domain.version import PipelineVersion
from headwater.stores.mmap_vectors import MmapVectorStore

BATCH = 1024


def unit_vectors(count: int, dimensions: int) -> Int8Matrix:
    raw = np.random.default_rng(0).normal(size=(count, dimensions)).astype(np.float32)
    return np.round(127 * raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.int8)


def timed(label: str, action: Callable[[], object], repeat: int = 1) -> None:
    """Print the median of CPU and wall milliseconds."""
    cpu, wall = [], []
    for _ in range(repeat):
        started, at = time.process_time(), time.perf_counter()
        action()
        cpu.append((time.process_time() - started) * 1000)
        wall.append((time.perf_counter() - at) * 1000)
    print(f"{label:32} {sorted(cpu)[repeat // 2]:9.2f} ms CPU, {sorted(wall)[repeat // 2]:9.2f} ms")


def main() -> None:
    """Exact mode by default; `--graph-from` smaller than `--rows` measures the graph."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--graph-from", type=int, default=1 << 40)
    arguments = parser.parse_args()
    version = PipelineVersion("bench", arguments.dimensions)
    vectors = unit_vectors(arguments.rows, arguments.dimensions)
    hashes = [f"{i:032x}" for i in range(arguments.rows)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors"
        store = MmapVectorStore(path, version, arguments.graph_from)

        def load() -> None:
            for start in range(0, arguments.rows, BATCH):
                store.upsert(hashes[start : start + BATCH], vectors[start : start + BATCH])

        timed(f"append {arguments.rows} rows", load)
        timed("append one row", lambda: store.upsert(["f" * 32], vectors[:1]))
        timed("search, 100 nearest", lambda: store.search(vectors[3], 100), 15)
        timed("search within 1,000", lambda: store.search_within(vectors[3], hashes[::100][:1000], 100), 15)
        timed("open", lambda: MmapVectorStore(path, version).count())
        timed("delete all but 1,000", lambda: store.delete(hashes[1000:]))
        store.close()


if __name__ == "__main__":
    main()
