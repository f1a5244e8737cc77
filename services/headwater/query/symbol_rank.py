"""In which order definitions answer a name: a total order, the same on every run."""

from collections.abc import Iterable

from headwater.domain.document import SymbolKind
from headwater.query.path_class import is_test_path, is_vendored_path
from headwater.stores.index_reader import SymbolRow

_FIRST = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.RECORD,
        SymbolKind.ANNOTATION,
        SymbolKind.TYPE,
        SymbolKind.FUNCTION,
        SymbolKind.MACRO,
    }
)
_GROUPS = {
    SymbolKind.METHOD: 1,
    SymbolKind.ACCESSOR: 1,
    SymbolKind.CONSTANT: 2,
    SymbolKind.ENUM_MEMBER: 2,
    SymbolKind.VARIABLE: 2,
    SymbolKind.FIELD: 3,
    SymbolKind.PROPERTY: 4,
    SymbolKind.CONSTRUCTOR: 5,
    SymbolKind.NAMESPACE: 6,
    SymbolKind.MODULE: 6,
}

Order = tuple[int, int, bool, int, int, int, str, bool, int, int]


def kind_group(kind: SymbolKind) -> int:
    """Types and functions, then methods, constants, fields, properties, constructors, modules, and the rest."""
    return 0 if kind in _FIRST else _GROUPS.get(kind, 7)


_OVERLOADS_APART = frozenset({"typescript", "tsx"})  # where bodiless signatures stand beside the implementation


def bodiless(rows: Iterable[SymbolRow]) -> set[tuple[int, int, int]]:
    """Identities of overload signatures: shorter ones of the same name in the same file and container."""
    longest: dict[tuple[int, int, str], int] = {}
    overloads = [r for r in rows if r.document.language in _OVERLOADS_APART]
    for row in overloads:
        key = (row.document.snapshot, row.document.document_id, row.symbol.qualified)
        longest[key] = max(longest.get(key, 0), _size(row))
    return {
        identity(r)
        for r in overloads
        if _size(r) < longest[r.document.snapshot, r.document.document_id, r.symbol.qualified]
    }


def identity(row: SymbolRow) -> tuple[int, int, int]:
    return row.document.snapshot, row.document.document_id, row.index


def _size(row: SymbolRow) -> int:
    return row.symbol.span.end_byte - row.symbol.span.start_byte


def symbol_order(row: SymbolRow, tier: int, cost: int, is_signature: bool = False) -> Order:
    """Sort key: how the name matches, how well its containers do, production before tests, kind, short names first."""
    path, symbol = row.document.path, row.symbol
    secondary = row.document.generated or is_test_path(path) or is_vendored_path(path)
    return (
        tier,
        cost,
        secondary,
        kind_group(symbol.kind),
        len(symbol.name),
        row.document.snapshot,
        path,
        is_signature,
        symbol.at.line,
        symbol.at.byte_col,
    )
