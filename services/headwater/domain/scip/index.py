"""A SCIP index as values. Field numbers are those of the public schema, github.com/sourcegraph/scip, scip.proto."""

from collections.abc import Iterator

import msgspec

from headwater.domain.scip.wire import fields, message, packed, text

DEFINITION, IMPORT, WRITE = 1, 2, 4  # bits of symbol_roles
UTF8, UTF16, UTF32 = 1, 2, 3  # position encodings; 0 is unspecified


class Occurrence(msgspec.Struct, frozen=True, gc=False):
    """A token and the symbol it stands for; `line` counts from 0, `start` in the document's encoding."""

    line: int
    start: int
    symbol: str
    roles: int


class ScipDocument(msgspec.Struct, frozen=True):
    """One file of the index. `implements` pairs a symbol with one that it implements or overrides."""

    path: str
    encoding: int
    occurrences: tuple[Occurrence, ...]
    implements: tuple[tuple[str, str], ...] = ()


def read_documents(index: bytes) -> Iterator[ScipDocument]:
    """The documents of an index, one after the other. Raises WireError."""
    for number, value in fields(memoryview(index)):
        if number == 2:
            yield _document(message(value))


def _document(data: memoryview) -> ScipDocument:
    path, encoding = "", 0
    occurrences: list[Occurrence] = []
    implements: list[tuple[str, str]] = []
    for number, value in fields(data):
        if number == 1:
            path = text(value)
        elif number == 2:
            occurrences.append(_occurrence(message(value)))
        elif number == 3:
            implements.extend(_implemented(message(value)))
        elif number == 6 and isinstance(value, int):
            encoding = value
    return ScipDocument(path, encoding, tuple(o for o in occurrences if o.symbol), tuple(implements))


def _occurrence(data: memoryview) -> Occurrence:
    position: list[int] = []
    symbol, roles = "", 0
    for number, value in fields(data):
        if number == 1:
            position += packed(value)
        elif number == 2:
            symbol = text(value)
        elif number == 3 and isinstance(value, int):
            roles = value
    return Occurrence(position[0], position[1], symbol, roles) if len(position) >= 3 else Occurrence(0, 0, "", 0)


def _implemented(data: memoryview) -> Iterator[tuple[str, str]]:
    """Relationships of a symbol that say `is_implementation`."""
    symbol, related = "", []
    for number, value in fields(data):
        if number == 1:
            symbol = text(value)
        elif number == 4:
            relation = dict(fields(message(value)))
            if relation.get(3) and 1 in relation:
                related.append(text(relation[1]))
    return ((symbol, other) for other in related)
