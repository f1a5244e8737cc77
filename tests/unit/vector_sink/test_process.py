"""Only vectors of the live model become rows; a hash that was embedded before brings none."""

import numpy as np
import pytest

from headwater.events import ChunkEmbedded
from headwater.streaming.errors import InvalidEventError
from headwater.vector_sink.process import rows


def embedded(content_hash: str, vector: bytes, model: str = "m") -> ChunkEmbedded:
    return ChunkEmbedded(
        repo="r", ref="x", generation=1, content_hash=content_hash, model=model, vector=vector, pushed_at=0
    )


def test_rows_hold_each_hash_once_and_skip_those_without_a_vector() -> None:
    hashes, matrix = rows([embedded("a", b"\x01\xff"), embedded("b", b""), embedded("a", b"\x01\xff")], "m", 2)
    assert hashes == ["a"]
    assert matrix.tolist() == [[1, -1]]
    assert matrix.dtype == np.int8


def test_an_empty_batch_gives_an_empty_matrix() -> None:
    assert rows([], "m", 4)[1].shape == (0, 4)


@pytest.mark.parametrize("event", [embedded("a", b"\x01"), embedded("a", b"\x01\x02", "other")])
def test_e9_a_vector_of_another_model_or_dimension_is_refused(event: ChunkEmbedded) -> None:
    with pytest.raises(InvalidEventError, match="not m × 2"):
        rows([event], "m", 2)
