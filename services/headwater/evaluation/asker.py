"""The port through which questions are asked: whatever answers like the service."""

from typing import Protocol

from headwater.evaluation.golden import Definition, Span, Token


class Asker(Protocol):
    """Answers within one corpus. Raises AskError when the service can't answer."""

    def search(self, corpus: str, query: str, limit: int) -> list[Span]:
        """Results best first."""
        ...

    def usages(self, corpus: str, definition: Definition) -> list[Token]:
        """Every use of the symbol defined there, `kind` as the service spells it; the definition may be among them."""
        ...


class AskError(Exception):
    """The service didn't answer: the run is void, not the score zero."""
