"""Definitions and usages by name: complete, from the def/ref tables alone."""

from collections import defaultdict
from collections.abc import Sequence

from headwater.stores.index_reader import DocumentRow, ReferenceRow, Scope, SymbolRow
from headwater.stores.relational.database import Session
from headwater.stores.relational.ids import in_batches
from headwater.stores.relational.layers import scope_param
from headwater.stores.relational.rows import DECODED, DOCUMENT, DOCUMENT_WIDTH, SHOWN, Bodies, document_row

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
    rows = session.rows(_SYMBOLS, scope_param(scope), list(names), limit)
    places = [(document_row(row), int(row[DOCUMENT_WIDTH])) for row in rows]
    found: list[SymbolRow] = []
    for some in in_batches(places, DECODED):
        symbols = bodies.symbols(session, {document.document_id for document, _ in some})
        found += [SymbolRow(d, ordinal, symbols[d.document_id][ordinal]) for d, ordinal in some]
    return found


def references_named(session: Session, bodies: Bodies, scope: Scope, names: Sequence[str]) -> list[ReferenceRow]:
    rows = session.rows(_USAGES, scope_param(scope), list(dict.fromkeys(names)))
    uses: defaultdict[tuple[int, int], list[tuple[DocumentRow, str]]] = defaultdict(list)
    for row in rows:
        document = document_row(row)
        name, block = row[DOCUMENT_WIDTH:]
        uses[document.document_id, block].append((document, name))
    found: list[ReferenceRow] = []
    for place, usages in bodies.usages(session, uses.keys()):
        for document, name in uses[place]:
            found += [ReferenceRow(document, r) for r in usages.of(name)]
    found.sort(key=lambda r: (r.document.snapshot, r.document.path, r.reference.at.line, r.reference.at.byte))
    return found


def documents_importing(session: Session, scope: Scope, name: str) -> list[DocumentRow]:
    return [document_row(row) for row in session.rows(_IMPORTING, scope_param(scope), name)]
