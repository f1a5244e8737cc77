"""Structural search over an embedded home, made when the first structural question comes."""

from collections.abc import Callable
from threading import Lock

from headwater.domain.answer import StructuralReport
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import Selection
from headwater.embedded.home import Home

Answering = Callable[[StructuralQuestion, Selection], StructuralReport]


class LazyStructural:
    """Loading grammars and example pairs takes a second that no other question should pay."""

    def __init__(self, home: Home) -> None:
        self._home, self._lock = home, Lock()
        self._made: Answering | None = None

    def __call__(self, question: StructuralQuestion, selection: Selection) -> StructuralReport:
        """Raises InvalidQuestionError, UnavailableError."""
        with self._lock:
            if self._made is None:
                self._made = _answering(self._home)
        return self._made(question, selection)


def _answering(home: Home) -> Answering:
    from headwater.structural.answering import StructuralAnswering
    from headwater.structural.flowgraph.cache import FolderGraphCache
    from headwater.structural.semgrep.program import SemgrepProgram, find_program
    from headwater.structural.translate.retrieve import shipped_pairs

    program = find_program(home.semgrep)
    return StructuralAnswering(
        FolderGraphCache(home.graphs),
        tuple(shipped_pairs()),
        semgrep=SemgrepProgram(program) if program is not None else None,
    )
