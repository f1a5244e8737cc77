"""Structural search over an embedded home, made when the first structural question comes."""

import os
from collections.abc import Callable, Iterator
from threading import Lock

from headwater.domain.answer import StructuralReport
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import Selection
from headwater.embedded.home import Home
from headwater.query.structural import StructuralPart


class LazyStructural:
    """Loading grammars and example pairs takes a second that no other question should pay."""

    def __init__(self, home: Home, pointers_only: bool = False) -> None:
        self._home, self._pointers_only, self._lock = home, pointers_only, Lock()
        self._made: StructuralPart | None = None

    def __call__(
        self, question: StructuralQuestion, selection: Selection, remaining: Callable[[], float]
    ) -> Iterator[StructuralReport]:
        """Raises QueryError, SettingsError."""
        return self._part()(question, selection, remaining)

    def prepare(self, selection: Selection) -> None:
        """Raises SettingsError."""
        self._part().prepare(selection)

    def _part(self) -> StructuralPart:
        with self._lock:
            if self._made is None:
                self._made = _answering(self._home, self._pointers_only)
            return self._made


def _answering(home: Home, pointers_only: bool) -> StructuralPart:
    from headwater.structural.compose import structural_answering

    return structural_answering(os.environ, home.graphs, pointers_only)
