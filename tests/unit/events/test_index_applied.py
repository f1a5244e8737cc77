"""An applied batch is acknowledged once for each view generation, with the oldest push."""

from headwater.events import ChunkEmbedded, Lane
from headwater.events.index_applied import Index, acknowledge


def embedded(ref: str, generation: int, content_hash: str, pushed_at: float) -> ChunkEmbedded:
    return ChunkEmbedded(
        repo="r",
        ref=ref,
        generation=generation,
        content_hash=content_hash,
        model="m",
        vector=b"",
        pushed_at=pushed_at,
        lane=Lane.BULK,
    )


def test_one_acknowledgement_a_generation() -> None:
    batch = [embedded("x", 1, "a", 5), embedded("y", 1, "b", 4), embedded("x", 1, "c", 3), embedded("x", 2, "d", 2)]
    said = list(acknowledge(batch, Index.VECTOR, lambda e: e.content_hash))
    assert [(e.ref, e.generation, e.items, e.pushed_at) for e in said] == [
        ("x", 1, ("a", "c"), 3),
        ("y", 1, ("b",), 4),
        ("x", 2, ("d",), 2),
    ]
    assert {(e.index, e.lane) for e in said} == {(Index.VECTOR, Lane.BULK)}
