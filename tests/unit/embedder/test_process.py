"""The model is asked for each new hash once."""

from headwater.embedder.process import first_of_each
from headwater.events import ChunkChanged


def chunk(content_hash: str, path: str = "a.py") -> ChunkChanged:
    return ChunkChanged(
        repo="r", ref="x", generation=1, content_hash=content_hash, path=path, text="t", doc="d", pushed_at=0
    )


def test_the_first_of_each_new_hash_in_order() -> None:
    batch = [chunk("b", "1"), chunk("a", "2"), chunk("b", "3"), chunk("c", "4")]
    assert [e.path for e in first_of_each(batch, {"c"})] == ["1", "2"]
    assert first_of_each(batch, {"a", "b", "c"}) == []
