"""In which order definitions answer a name: a total order, the same on every run."""

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
    SymbolKind.PROPERTY: 3,
    SymbolKind.CONSTRUCTOR: 4,
    SymbolKind.NAMESPACE: 5,
    SymbolKind.MODULE: 5,
}

Order = tuple[int, int, bool, int, int, int, str, int, int]


def kind_group(kind: SymbolKind) -> int:
    """Types and functions, then methods, constants, fields, constructors, modules, and the rest."""
    return 0 if kind in _FIRST else _GROUPS.get(kind, 6)


def symbol_order(row: SymbolRow, tier: int, cost: int) -> Order:
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
        symbol.at.line,
        symbol.at.byte_col,
    )
