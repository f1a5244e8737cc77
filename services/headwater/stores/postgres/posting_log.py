"""Packed records by key, to which many writers append without meeting: a log, and the blocks that it is merged into."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from headwater.stores.relational import postings
from headwater.stores.relational.database import Session

MERGE_EVERY = 64  # batches: a reader meets at most about as many rows of a key beside its blocks
_PART = 900  # bytes: a block is at most two of them, which stays within a page's rows
_PAGE = 20_000

_MERGE = """
WITH moved AS (DELETE FROM {0}_log RETURNING key, batch, data),
tails AS (
  DELETE FROM {0}_blocks b USING (SELECT DISTINCT key FROM moved) m
  WHERE b.key = m.key AND octet_length(b.data) < {1} RETURNING b.key, b.id, b.data),
parts AS (SELECT key, 0 AS age, id AS at, data FROM tails UNION ALL SELECT key, 1, batch, data FROM moved),
placed AS (
  SELECT key, age, at, data,
    (sum(octet_length(data)) OVER (PARTITION BY key ORDER BY age, at ROWS UNBOUNDED PRECEDING) - 1) / {1} AS place
  FROM parts)
INSERT INTO {0}_blocks(key, data)
SELECT key, string_agg(data, ''::bytea ORDER BY age, at) FROM placed GROUP BY key, place ORDER BY key, place"""


class PostingLog:
    """The tables `<name>_log` and `<name>_blocks` of records with a field `id`."""

    def __init__(self, name: str, record: np.dtype[np.void]) -> None:
        self._name, self._record = name, record
        self.due = False
        self._part = _PART // record.itemsize * record.itemsize

    def add(self, session: Session, records: Mapping[Any, bytes]) -> None:
        """Append records by key. Every so often a merge is `due` afterwards."""
        if not records:
            return
        batch = int(session.rows(f"SELECT nextval('{self._name}_batches')")[0][0])
        session.insert(
            f"{self._name}_log",
            "key, batch, data",
            [
                (key, batch, data[at : at + self._part])
                for key, data in records.items()
                for at in range(0, len(data), self._part)
            ],
        )
        self.due = self.due or batch % MERGE_EVERY == 0

    def merge(self, session: Session) -> None:
        """Move the log into blocks. Two merges at a time would lose nothing, but wait for each other."""
        self.due = False
        session.run(_MERGE.format(self._name, self._part))

    def sweep(self, session: Session, alive: npt.NDArray[np.bool_]) -> None:
        """Drop records whose id is not alive."""
        self.merge(session)
        last = 0
        while rows := session.rows(
            f"SELECT id, data FROM {self._name}_blocks WHERE id > ? ORDER BY id LIMIT ?", last, _PAGE
        ):
            last = rows[-1][0]
            swept = [(i, data, postings.retain(data, alive, self._record)) for i, data in rows]
            session.run(f"DELETE FROM {self._name}_blocks WHERE id IN @ints", [i for i, _, now in swept if not now])
            session.run_many(
                f"UPDATE {self._name}_blocks SET data = ? WHERE id = ?",
                [(now, i) for i, was, now in swept if now and now != was],
            )

    def drop_malformed(self, session: Session) -> None:
        """Rows that hold no whole records."""
        for table in ("log", "blocks"):
            session.run(f"DELETE FROM {self._name}_{table} WHERE octet_length(data) % ? <> 0", self._record.itemsize)
