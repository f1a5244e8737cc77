"""Which texts may contain a literal: the ids of the texts that hold a trigram, by trigram of the case-folded text."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from headwater.stores.postgres.posting_log import PostingLog
from headwater.stores.relational.collection import alive_ids
from headwater.stores.relational.database import Session
from headwater.stores.relational.folding import fold
from headwater.stores.relational.ids import counter

_RECORD = np.dtype([("id", "<u4")])
_NARROWING = 8  # trigrams asked for, the rarest
_SWEEP_SHARE = 0.1

Grams = npt.NDArray[np.int64]


def grams_of(text: str) -> Grams:
    """The distinct trigrams of a folded text, ascending, each as three code points of 21 bits."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
    return np.unique((points[:-2] << 42) | (points[1:-1] << 21) | points[2:])


class PostgresTextIndex:
    """`TextIndex` over trigrams alone: no text is stored in it."""

    def __init__(self) -> None:
        self.log = PostingLog("gram", _RECORD)

    def add(self, session: Session, texts: Sequence[tuple[int, str]]) -> None:
        found = [grams_of(fold(text)) for _, text in texts]
        grams = np.concatenate([np.empty(0, dtype=np.int64), *found])
        if not len(grams):
            return
        ids = np.repeat(np.array([i for i, _ in texts], dtype="<u4"), [len(g) for g in found])
        order = np.argsort(grams, kind="stable")
        keys, starts = np.unique(grams[order], return_index=True)
        ends, records = [*starts[1:], len(order)], ids[order]
        self.log.add(
            session,
            {int(k): records[a:b].tobytes() for k, a, b in zip(keys, starts, ends, strict=True)},
        )

    def remove(self, session: Session, ids: Sequence[int]) -> None:
        """The trigrams of a text that is gone find nothing: they are swept when they are a good part of all."""
        if not ids:
            return
        session.run("UPDATE counters SET value = value + ? WHERE name = 'dead_texts'", len(ids))
        if counter(session, "dead_texts") < _SWEEP_SHARE * int(session.rows("SELECT count(*) FROM texts")[0][0]):
            return
        self.log.sweep(session, alive_ids(session, "SELECT id FROM texts"))
        session.run("UPDATE counters SET value = 0 WHERE name = 'dead_texts'")

    def wrong(self, session: Session, texts: Sequence[tuple[int, str]]) -> set[int]:
        if not texts:
            return set()
        held = np.zeros(max(i for i, _ in texts) + 1, dtype=np.uint64)
        for gram, data in session.rows("SELECT gram, data FROM text_grams"):
            ids = np.frombuffer(data, dtype="<u4", count=len(data) // _RECORD.itemsize)
            np.add.at(held, ids[ids < len(held)], _spread(np.array([gram]))[0])
        return {i for i, text in texts if held[i] != _spread(grams_of(fold(text))).sum(dtype=np.uint64)}

    def candidates(self, session: Session, literals: Sequence[str]) -> list[int] | None:
        grams = sorted({int(gram) for literal in literals for gram in grams_of(fold(literal))})
        if not grams:
            return None
        sizes = session.rows(
            "SELECT gram, sum(octet_length(data)) AS held FROM text_grams WHERE gram IN @ints"
            " GROUP BY gram ORDER BY held LIMIT ?",
            grams,
            len(grams),
        )
        if len(sizes) < len(grams):
            return []
        rarest = [gram for gram, _ in sizes[:_NARROWING]]
        found: dict[int, list[bytes]] = {}
        for gram, data in session.rows("SELECT gram, data FROM text_grams WHERE gram IN @ints", rarest):
            found.setdefault(gram, []).append(data)
        texts = [np.unique(np.frombuffer(b"".join(found[gram]), dtype="<u4")) for gram in rarest]
        held = texts[0]
        for more in texts[1:]:
            held = np.intersect1d(held, more, assume_unique=True)
        return [int(i) for i in held]


def _spread(grams: Grams) -> npt.NDArray[np.uint64]:
    """Numbers whose sum tells sets of trigrams apart."""
    spread = grams.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (spread ^ (spread >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
