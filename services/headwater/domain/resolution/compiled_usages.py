"""Usages where a compiler has spoken: exactly its tokens, in the files that it saw."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from headwater.domain.document import Position, Reference, ReferenceKind
from headwater.domain.resolution.file_view import FileView
from headwater.domain.resolution.source import SymbolId
from headwater.domain.scip.compiled import Compiled, Token
from headwater.domain.scip.index import IMPORT, WRITE

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

Found = tuple[FileView, Position, ReferenceKind, str]


class CompiledUsages:
    """Answers for the symbols that the compiler's index defines."""

    def __init__(self, names: "Names", compiled: Compiled) -> None:
        self._names = names
        self._compiled = compiled

    def symbols_of(self, ids: Iterable[SymbolId]) -> list[str]:
        """The compiler's names of these definitions; empty when it knows none of them."""
        found = []
        for id_ in ids:
            at = self._names.symbol(id_).at
            symbol = self._compiled.symbol_at(self._names.view(id_.document).path, at.line, at.col)
            if symbol is not None:
                found.append(symbol)
        return list(dict.fromkeys(found))

    def definitions(self, view: FileView, at: Position) -> tuple[SymbolId, ...]:
        """Where the symbol of a token is defined; empty when the compiler doesn't say."""
        symbol = self._compiled.symbol_at(view.path, at.line, at.col)
        places = [] if symbol is None else self._compiled.definitions(symbol)
        return tuple(id_ for path, token in places for id_ in self._defined_at(path, token))

    def _defined_at(self, path: str, token: Token) -> Iterator[SymbolId]:
        document = self._names.source.document_at(path)
        if document is None:
            return
        for i, symbol in enumerate(self._names.view(document).facts.symbols):
            if (symbol.at.line, symbol.at.col) == (token.line, token.col):
                yield SymbolId(document, i)

    def covers(self, view: FileView) -> bool:
        return self._compiled.covers(view.path)

    def uses(self, symbols: Iterable[str]) -> Iterator[Found]:
        """Every token, and the names of the members that override."""
        for symbol in symbols:
            for path, token in self._compiled.uses(symbol):
                yield from self._token(path, token, None)
            for implementer in self._compiled.implementers(symbol):
                for path, token in self._compiled.definitions(implementer):
                    yield from self._token(path, token, ReferenceKind.OVERRIDE)

    def _token(self, path: str, token: Token, kind: ReferenceKind | None) -> Iterator[Found]:
        document = self._names.source.document_at(path)
        if document is None:
            return
        view = self._names.view(document)
        for reference in view.on_line(token.line):
            if reference.at.col == token.col:
                yield view, reference.at, kind or _kind(token.roles, reference), reference.name
                return
        for at, name in view.other_tokens(token.line):
            if at.col == token.col:
                yield view, at, kind or ReferenceKind.IMPORT, name
                return


def _kind(roles: int, reference: Reference) -> ReferenceKind:
    if roles & IMPORT:
        return ReferenceKind.IMPORT
    return ReferenceKind.WRITE if roles & WRITE else reference.kind
