"""Golden questions: the JSON lines form of the open set, read into values."""

from collections.abc import Iterable
from pathlib import Path

import msgspec


class Span(msgspec.Struct, frozen=True):
    """Lines of a file, 1-based and inclusive."""

    path: str
    start_line: int
    end_line: int


class Token(msgspec.Struct, frozen=True):
    """An identifier token: 1-based line and column, columns in code points."""

    path: str
    line: int
    col: int
    kind: str = ""


class Definition(msgspec.Struct, frozen=True):
    """The defining identifier of a usages question."""

    path: str
    start_line: int
    start_col: int


class Retrieval(msgspec.Struct, frozen=True):
    """A question of slice `nl` or `identifier`: any expected span (nl) or all of them (identifier) are wanted."""

    id: str
    slice: str
    corpus: str
    lang: str
    query: str
    expected: tuple[Span, ...]
    gap: str = ""  # nl: none, some, full
    form: str = ""  # identifier: exact, plural, substring, part, qualified, case, path


class Usages(msgspec.Struct, frozen=True):
    """A question of slice `usages`: every use of one definition."""

    id: str
    corpus: str
    lang: str
    symbol: str
    definition: Definition
    expected: tuple[Token, ...]
    optional: tuple[Token, ...] = ()
    other_definitions: tuple[Token, ...] = ()
    category: str = ""
    tags: tuple[str, ...] = ()

    def meant(self) -> tuple[Definition, ...]:
        """The definitions whose uses are asked for: all overloads where the question means all."""
        if "overloads" not in self.tags:
            return (self.definition,)
        return (self.definition, *(Definition(o.path, o.line, o.col) for o in self.other_definitions))


class GoldenSet(msgspec.Struct, frozen=True):
    """The questions of one or more golden files."""

    retrieval: tuple[Retrieval, ...]
    usages: tuple[Usages, ...]

    def corpora(self) -> tuple[str, ...]:
        return tuple(sorted({q.corpus for q in self.retrieval} | {q.corpus for q in self.usages}))


class _Head(msgspec.Struct):
    slice: str


def read_golden(files: Iterable[Path]) -> GoldenSet:
    """Every question of these files. A slice of unknown name is an error, so that nothing goes unmeasured."""
    retrieval: list[Retrieval] = []
    usages: list[Usages] = []
    for file in files:
        for line in filter(None, file.read_bytes().splitlines()):
            kind = msgspec.json.decode(line, type=_Head).slice
            if kind == "usages":
                usages.append(msgspec.convert(_flat_positions(msgspec.json.decode(line)), Usages))
            elif kind in ("nl", "identifier"):
                retrieval.append(msgspec.json.decode(line, type=Retrieval))
            else:
                raise ValueError(f"{file.name}: unknown slice {kind!r}")
    return GoldenSet(tuple(retrieval), tuple(usages))


def _flat_positions(raw: dict[str, object]) -> dict[str, object]:
    """Definitions are written with start_line/start_col, uses with line/col; tokens have one spelling here."""
    others = raw.get("other_definitions", ())
    if isinstance(others, list):
        raw["other_definitions"] = [
            {"path": o["path"], "line": o.get("line", o.get("start_line")), "col": o.get("col", o.get("start_col"))}
            for o in others
        ]
    return raw
