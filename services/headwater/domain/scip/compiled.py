"""What a compiler says of one commit: every token's symbol, with positions as Headwater counts them."""

from collections import defaultdict
from collections.abc import Callable, Iterable

import msgspec

from headwater.domain.scip.index import DEFINITION, UTF8, UTF16, UTF32, Occurrence, ScipDocument

Lines = Callable[[str], list[str] | None]  # a path's lines, None for a file that isn't in the commit


class Token(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One occurrence: 1-based line and column in code points; local symbols are prefixed with their path."""

    line: int
    col: int
    symbol: str
    roles: int


class CompiledIndex(msgspec.Struct, frozen=True):
    """All tokens of a commit by path, and who implements or overrides whom."""

    files: dict[str, tuple[Token, ...]]
    implements: tuple[tuple[str, str], ...] = ()


class Compiled:
    """Look-ups over a CompiledIndex."""

    def __init__(self, index: CompiledIndex) -> None:
        self._files = index.files
        self._at: dict[str, dict[tuple[int, int], str]] = {}
        self._tokens: dict[str, list[tuple[str, Token]]] = defaultdict(list)
        self._implementers: dict[str, list[str]] = defaultdict(list)
        for path, tokens in index.files.items():
            for token in tokens:
                self._tokens[token.symbol].append((path, token))
        for symbol, other in index.implements:
            self._implementers[other].append(symbol)

    def covers(self, path: str) -> bool:
        """Whether the compiler saw this file."""
        return path in self._files

    def symbol_at(self, path: str, line: int, col: int) -> str | None:
        if path not in self._at:
            tokens = self._files.get(path, ())
            self._at[path] = {(t.line, t.col): t.symbol for t in tokens}
        return self._at[path].get((line, col))

    def uses(self, symbol: str) -> list[tuple[str, Token]]:
        """Every token of the symbol that is no definition."""
        return [(path, t) for path, t in self._tokens.get(symbol, ()) if not t.roles & DEFINITION]

    def definitions(self, symbol: str) -> list[tuple[str, Token]]:
        return [(path, t) for path, t in self._tokens.get(symbol, ()) if t.roles & DEFINITION]

    def implementers(self, symbol: str) -> list[str]:
        return self._implementers.get(symbol, [])


def compile_index(documents: Iterable[ScipDocument], lines: Lines) -> CompiledIndex:
    """The index of the files that `lines` knows, with columns in code points."""
    files: dict[str, tuple[Token, ...]] = {}
    implements: list[tuple[str, str]] = []
    for document in documents:
        text = lines(document.path)
        if text is None:
            continue
        files[document.path] = tuple(_token(document, o, text) for o in document.occurrences if o.line < len(text))
        implements += document.implements
    return CompiledIndex(files, tuple(dict.fromkeys(implements)))


def _token(document: ScipDocument, occurrence: Occurrence, lines: list[str]) -> Token:
    column = code_points(lines[occurrence.line], occurrence.start, document.encoding) + 1
    local = occurrence.symbol.startswith("local ")
    symbol = f"{document.path} {occurrence.symbol}" if local else occurrence.symbol
    return Token(occurrence.line + 1, column, symbol, occurrence.roles)


def code_points(line: str, offset: int, encoding: int) -> int:
    """An offset into a line, given in the index's units, as a number of code points."""
    if line.isascii() or encoding == UTF32:
        return offset
    if encoding not in (UTF8, UTF16):  # older indexers don't say: where a word starts, it is right
        guesses = [code_points(line, offset, e) for e in (UTF16, UTF8, UTF32)]
        return next((g for g in guesses if _starts_word(line, g)), guesses[0])
    codec, width = ("utf-16-le", 2) if encoding == UTF16 else ("utf-8", 1)
    return len(line.encode(codec)[: offset * width].decode(codec, "ignore"))


def _starts_word(line: str, at: int) -> bool:
    return at < len(line) and line[at].isidentifier() and not (at and line[at - 1].isidentifier())
