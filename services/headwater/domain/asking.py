"""The port through which the fronts (MCP, web page) ask: an engine in this process, or a query service elsewhere."""

from typing import Protocol

from headwater.domain.answer import Answer, ContextAnswer, FreshnessAnswer, StructuralReport
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FreshnessQuestion,
    GrepQuestion,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)


class Asker(Protocol):
    """Answers from any thread. Raises QueryError; a remote service judges by the connection's own credentials."""

    def search(self, question: SearchQuestion, grants: Grants = ALLOW_ALL) -> Answer:
        """Ranked results of any query."""
        ...

    def definitions(self, question: DefinitionsQuestion, grants: Grants = ALLOW_ALL) -> Answer:
        """All definitions of a symbol, or what a place means."""
        ...

    def usages(self, question: UsagesQuestion, grants: Grants = ALLOW_ALL) -> Answer:
        """Every use of a symbol."""
        ...

    def grep(self, question: GrepQuestion, grants: Grants = ALLOW_ALL) -> Answer:
        """Matches of a text or regular expression."""
        ...

    def context(self, question: ContextQuestion, grants: Grants = ALLOW_ALL) -> ContextAnswer:
        """Code that answers a query and what it calls, within a token budget."""
        ...

    def structural(self, question: StructuralQuestion, grants: Grants = ALLOW_ALL) -> StructuralReport:
        """Which code has a shape."""
        ...

    def freshness(self, question: FreshnessQuestion, grants: Grants = ALLOW_ALL) -> FreshnessAnswer:
        """How far the selected views are; waits for `min_commit`."""
        ...

    def views(self, question: FreshnessQuestion, grants: Grants = ALLOW_ALL) -> FreshnessAnswer:
        """Every view that the caller may read."""
        ...
