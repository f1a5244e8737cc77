"""The BM25 postings by term, in a log and blocks."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from headwater.stores.postgres.posting_log import PostingLog
from headwater.stores.relational.database import Session
from headwater.stores.relational.postings import RECORD


class PostgresTermIndex:
    """`TermIndex`; table `postings` is a view of both."""

    def __init__(self) -> None:
        self.log = PostingLog("term", RECORD)

    def add(self, session: Session, postings: Mapping[str, bytes]) -> None:
        self.log.add(session, postings)

    def sweep(self, session: Session, alive: npt.NDArray[np.bool_]) -> None:
        self.log.sweep(session, alive)

    def drop_malformed(self, session: Session) -> None:
        self.log.drop_malformed(session)
