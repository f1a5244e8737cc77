"""What resolution is asked, what it may look up, and what it says."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from headwater.domain.document import FileFacts, Reference, Symbol


class Definition(msgspec.Struct, frozen=True):
    """A symbol and the file it is in."""

    path: str
    facts: FileFacts
    index: int  # into facts.symbols

    @property
    def symbol(self) -> Symbol:
        return self.facts.symbols[self.index]

    @property
    def id(self) -> tuple[str, int]:
        """Identity within one snapshot."""
        return self.path, self.index

    @property
    def container(self) -> Symbol | None:
        """The symbol that encloses it."""
        at = self.symbol.container
        return None if at < 0 else self.facts.symbols[at]


class Use(msgspec.Struct, frozen=True):
    """A reference and the file it is in."""

    path: str
    facts: FileFacts
    reference: Reference


class Verdict(StrEnum):
    """How sure a binding is."""

    RESOLVED = "resolved"  # it means one of `targets` and nothing else
    BY_NAME = "by_name"  # it may mean any of `targets`
    ELSEWHERE = "elsewhere"  # it provably means none of the candidates: a local, a library, another module


class Binding(msgspec.Struct, frozen=True):
    """`targets` are ids of the candidates; empty only for ELSEWHERE."""

    verdict: Verdict
    targets: tuple[tuple[str, int], ...] = ()


class Resolver(Protocol):
    """One strategy; languages may differ."""

    def bind(self, use: Use, candidates: Sequence[Definition]) -> Binding:
        """`candidates` are all definitions that the use's name or import may mean, in one snapshot."""
        ...
