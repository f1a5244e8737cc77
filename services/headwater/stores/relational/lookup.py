"""Definitions and usages by name: complete, from the def/ref tables alone."""

from collections.abc import Sequence

from headwater.stores.index_reader import DocumentRow, ReferenceRow, Scope, SymbolRow
from headwater.stores.relational.database import Session
from headwater.stores.relational.layers import scope_param
from headwater.stores.relational.rows import DOCUMENT, DOCUMENT_WIDTH, SHOWN, Bodies, document_row

_SYMBOLS = f"""
SELECT {DOCUMENT}, y.ordinal, y.line FROM names n CROSS JOIN symbols y {SHOWN.format("y.document")}
  AND y.name = n.id AND n.name IN @texts
ORDER BY s.i, d.path, y.line, y.ordinal LIMIT ?"""
_USAGES = f"""
SELECT {DOCUMENT}, n.name, u.block FROM names n CROSS JOIN usages u {SHOWN.format("u.document")}
  AND u.name = n.id AND n.name IN @texts"""
_IMPORTING = f"""
SELECT {DOCUMENT} FROM names n CROSS JOIN usages u {SHOWN.format("u.document")}
  AND u.name = n.id AND n.name = ? AND u.imported = 1
ORDER BY s.i, d.path"""


def symbols_named(session: Session, bodies: Bodies, scope: Scope, names: Sequence[str], limit: int) -> list[SymbolRow]:
    found = []
    for row in session.rows(_SYMBOLS, scope_param(scope), list(names), limit):
        document, ordinal = document_row(row), row[DOCUMENT_WIDTH]
        symbol = bodies.symbols(session, document.document_id)[ordinal]
        found.append(SymbolRow(document, ordinal, symbol))
    return found


def references_named(session: Session, bodies: Bodies, scope: Scope, names: Sequence[str]) -> list[ReferenceRow]:
    found = []
    for row in session.rows(_USAGES, scope_param(scope), list(dict.fromkeys(names))):
        document = document_row(row)
        name, block = row[DOCUMENT_WIDTH:]
        for reference in bodies.usages(session, document.document_id, block, name):
            found.append(ReferenceRow(document, reference))
    found.sort(key=lambda r: (r.document.snapshot, r.document.path, r.reference.at.line, r.reference.at.byte))
    return found


def documents_importing(session: Session, scope: Scope, name: str) -> list[DocumentRow]:
    return [document_row(row) for row in session.rows(_IMPORTING, scope_param(scope), name)]
