"""What single stages count, so that their panels aren't empty."""

from pathlib import Path

from headwater.metrics import METRICS
from support.git_repo import RepoBuilder
from support.rig import Rig, received

COUNTED = (
    "headwater_vector_sink_rows_total",
    "headwater_defref_sink_documents_total",
    'headwater_embedder_chunks_total{outcome="embedded"}',
    "headwater_merkle_differ_trees_read_total",
)


def _values() -> list[float]:
    values = []
    for sample in COUNTED:
        name, _, rest = sample.partition("{")
        labels = {"outcome": "embedded"} if rest else {}
        values.append(METRICS.registry.get_sample_value(name, labels) or 0.0)
    return values


def test_a_commit_is_counted_by_the_stages_that_write_it(tmp_path: Path) -> None:
    builder = RepoBuilder(tmp_path / "repository")
    builder.commit({"a.py": b"def alpha(x):\n    return x\n", "b.py": b"def beta(x):\n    return x + 1\n"})
    rig, before = Rig(tmp_path, builder.path), _values()
    rig.run([received("refs/heads/main")])
    assert [after - b for after, b in zip(_values(), before, strict=True)] == [2, 2, 2, 1]
    rig.close()
