"""Postings by term, in blocks that fill up: a term's last block is appended to."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from headwater.stores.relational import postings as blocks
from headwater.stores.relational.database import Session
from headwater.stores.relational.ids import in_batches

_PAGE = 20_000


class SqliteTermIndex:
    """`TermIndex` over the table postings."""

    def add(self, session: Session, postings: Mapping[str, bytes]) -> None:
        tails = _tails(session, sorted(postings))
        rows: list[tuple[str, int, bytes]] = []
        for term in sorted(postings):
            number, block = tails.get(term, (0, b""))
            block += postings[term]
            while block:
                head, block = blocks.split(block, blocks.BLOCK_POSTINGS)
                rows.append((term, number, head))
                number += 1
        session.insert(
            "postings", "term, block, data", rows, "ON CONFLICT(term, block) DO UPDATE SET data = excluded.data"
        )

    def sweep(self, session: Session, alive: npt.NDArray[np.bool_]) -> None:
        at = ("", -1)
        while rows := session.rows(
            "SELECT term, block, data FROM postings WHERE (term, block) > (?, ?) ORDER BY term, block LIMIT ?",
            *at,
            _PAGE,
        ):
            at = rows[-1][:2]
            swept = [(term, block, data, blocks.retain(data, alive)) for term, block, data in rows]
            session.run_many(
                "UPDATE postings SET data = ? WHERE term = ? AND block = ?",
                [(now, term, block) for term, block, was, now in swept if now and now != was],
            )
            session.run_many(
                "DELETE FROM postings WHERE term = ? AND block = ?",
                [(term, block) for term, block, _, now in swept if not now],
            )

    def drop_malformed(self, session: Session) -> None:
        session.run("DELETE FROM postings WHERE length(data) % ? <> 0", blocks.RECORD.itemsize)


def _tails(session: Session, terms: Sequence[str]) -> dict[str, tuple[int, bytes]]:
    """The last block of each term."""
    tails: dict[str, tuple[int, bytes]] = {}
    for batch in in_batches(terms):
        rows = session.rows(
            "SELECT p.term, p.block, p.data FROM postings p WHERE p.term IN @texts"
            " AND p.block = (SELECT max(q.block) FROM postings q WHERE q.term = p.term)",
            batch,
        )
        tails.update((term, (block, data)) for term, block, data in rows)
    return tails
