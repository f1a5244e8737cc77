"""The port through which resolution sees a corpus: names to documents, paths to documents, documents to facts."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from headwater.domain.document import FileFacts, Symbol
from headwater.domain.scip.compiled import Compiled


class SymbolId(NamedTuple):
    """One definition: a document's handle and its number in FileFacts.symbols."""

    document: int
    number: int


class Declared(NamedTuple):
    """A definition and what there is to see of it without its document's facts."""

    id: SymbolId
    symbol: Symbol
    path: str


class FactsSource(Protocol):
    """One view of one repository at one generation. Handles are the caller's own numbers; answers must be complete."""

    def path(self, document: int) -> str: ...

    def facts(self, document: int) -> FileFacts: ...

    def document_at(self, path: str) -> int | None: ...

    def has_folder(self, path: str) -> bool:
        """Whether some document lies below this folder."""
        ...

    def top_packages(self, name: str) -> Sequence[str]:
        """Folders of this name that are Python packages and lie in none, in order."""
        ...

    def go_module(self, path: str) -> tuple[str, str] | None:
        """Folder and module path of the nearest go.mod at or above this file; None without one in the corpus."""
        ...

    def compiled(self) -> Compiled | None:
        """What a compiler said of this very commit, where its index was imported."""
        ...

    def defining(self, name: str) -> Sequence[Declared]:
        """Non-local definitions with exactly this name, in (path, line) order."""
        ...

    def declaring_locally(self, name: str, beside: str) -> Sequence[int]:
        """Documents that declare a local symbol of this name (a member of a local class) and contain `beside`."""
        ...

    def mentioning(self, name: str) -> Sequence[int]:
        """Documents with a non-local reference or an import of this name."""
        ...

    def importing(self, name: str) -> Sequence[int]:
        """Documents in which an import binds the member `name`, whatever its alias."""
        ...


def is_top_package(source: FactsSource, folder: str) -> bool:
    """Whether a folder is a Python package that lies in none, by what may be read."""
    parent = folder.rpartition("/")[0]
    inner, outer = (f"{at}/__init__.py".lstrip("/") for at in (folder, parent))
    return source.document_at(inner) is not None and source.document_at(outer) is None
