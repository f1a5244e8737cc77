"""The port through which questions are asked: whatever answers like the service."""

from collections.abc import Sequence
from typing import Protocol

from headwater.evaluation.golden import Definition, Span, Token


class Asker(Protocol):
    """Answers within one corpus. Raises AskError when the service can't answer."""

    def search(self, corpus: str, query: str, limit: int, whole: bool) -> list[Span]:
        """Results best first; of the whole corpus, or only of its source roots."""
        ...

    def context(self, corpus: str, query: str) -> list[Span]:
        """The pieces of code put together for this question within the default budget, of the source roots."""
        ...

    def usages(self, corpus: str, definitions: Sequence[Definition]) -> list[Token]:
        """Every use of the symbols defined there, `kind` as the service spells it; definitions may be among them."""
        ...


class AskError(Exception):
    """The service didn't answer: the run is void, not the score zero."""
