"""Proves the indexes by word, trigram and name against the documents: a sum over the entries of each id must agree."""

import zlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from headwater.stores.relational import postings
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.deltas import decompressed, new_lines
from headwater.stores.relational.examination import Examined
from headwater.stores.relational.ids import in_batches

Sums = dict[int, int]
_MASK = (1 << 64) - 1
_TEXTS = "SELECT id, body, base FROM texts WHERE id IN @ints"
_RAW = "SELECT id, body FROM texts WHERE id IN @ints"


class TermSums:
    """By content id: what the index of words should sum up to."""

    def __init__(self) -> None:
        self._wanted: Sums = {}

    def add(self, examined: Examined) -> None:
        for content, entry in zip(examined.contents, examined.rows.chunks, strict=True):
            if content not in self._wanted:
                pairs = ((_word(term), min(count, postings.MAX_FREQUENCY)) for term, count in entry.terms.items())
                self._wanted[content] = sum(_mixed(word, count) for word, count in pairs) & _MASK

    def wrong(self, session: Session) -> set[int]:
        """Content ids whose postings are not those of their text."""
        if not self._wanted:
            return set()
        held = np.zeros(max(self._wanted) + 1, dtype=np.uint64)
        for term, data in session.rows("SELECT term, data FROM postings"):
            if len(data) % postings.RECORD.itemsize:
                continue
            ids, counts = postings.unpack([data])
            inside = ids < len(held)
            np.add.at(held, ids[inside], _mixed_all(_word(term), counts[inside]))
        return {content for content, wanted in self._wanted.items() if int(held[content]) != wanted}


def wrong_texts(database: Database, session: Session, texts: Iterable[int]) -> set[int]:
    """Those of these texts that would not be found by their trigrams."""
    return database.texts.wrong(session, list(_found_by(session, sorted(texts))))


def wrong_names(database: Database, session: Session) -> dict[int, str]:
    """Names that something defines and that would not be found by their parts."""
    names = session.rows("SELECT id, name FROM names WHERE id IN (SELECT name FROM symbols) ORDER BY id")
    wrong = database.names.wrong(session, [(i, name) for i, name in names])
    return {i: name for i, name in names if i in wrong}


def _found_by(session: Session, texts: Sequence[int]) -> Iterator[tuple[int, str]]:
    for batch in in_batches(texts, 256):
        rows = session.rows(_TEXTS, list(batch))
        raws = decompressed(session, _RAW, [(i, body) for i, body, _ in rows])
        bases = decompressed(session, _RAW, session.rows(_RAW, [base for *_, base in rows if base is not None]))
        for i, _, base in rows:
            yield i, raws[i].decode("utf-8") if base is None else new_lines(raws[i], bases[base])


def _word(term: str) -> int:
    raw = term.encode("utf-8", "surrogatepass")
    return (zlib.crc32(raw) << 32) | zlib.adler32(raw)


def _mixed(word: int, count: int) -> int:
    mixed = ((word + count * 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9) & _MASK
    return ((mixed ^ (mixed >> 29)) * 0x94D049BB133111EB) & _MASK


def _mixed_all(word: int, counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    spread = counts.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(word)
    spread *= np.uint64(0xBF58476D1CE4E5B9)
    return (spread ^ (spread >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
