"""Compares what two indexes hold of the same tree: files, documents, and every name that leads to them."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from headwater.domain.document import Document
from headwater.stores.index_reader import FileRow, IndexReader, Scope

NAMES_AT_ONCE = 500


class IndexedTree(msgspec.Struct, frozen=True):
    """One snapshot of one index."""

    reader: IndexReader
    scope: Scope

    def files(self) -> dict[str, FileRow]:
        return {row.path: row for row in self.reader.files(self.scope)}

    def document(self, path: str) -> Document | None:
        rows = self.reader.document_at(self.scope, path)
        return self.reader.document(rows[0].document_id) if rows else None


def differences(ours: IndexedTree, fresh: IndexedTree) -> Iterator[str]:
    """One line for each thing that differs; nothing when both answer alike."""
    yield from _file_differences(ours.files(), fresh.files())
    names: set[str] = set()
    for path in fresh.files():
        one, other = ours.document(path), fresh.document(path)
        if one != other:
            yield f"{path}: documents differ in {', '.join(_fields(one, other))}"
        if other is not None:
            names.update(s.name for s in other.facts.symbols)
            names.update(r.name for r in other.facts.references)
    yield from _name_differences(ours, fresh, sorted(names))


def _file_differences(ours: dict[str, FileRow], fresh: dict[str, FileRow]) -> Iterator[str]:
    for path in sorted(ours.keys() | fresh.keys()):
        one, other = ours.get(path), fresh.get(path)
        if one != other:
            yield f"{path}: {_state(one)} here, {_state(other)} in a fresh index"


def _state(row: FileRow | None) -> str:
    return "absent" if row is None else f"{row.status} {row.reason} {row.blob[:12]}".replace("  ", " ")


def _fields(one: Document | None, other: Document | None) -> Iterable[str]:
    if one is None or other is None:
        return ("presence",)
    return [f for f in Document.__struct_fields__ if getattr(one, f) != getattr(other, f)]


def _name_differences(ours: IndexedTree, fresh: IndexedTree, names: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(names), NAMES_AT_ONCE):
        some = names[start : start + NAMES_AT_ONCE]
        for what, one, other in (
            ("definitions", _definitions(ours, some), _definitions(fresh, some)),
            ("references", _references(ours, some), _references(fresh, some)),
        ):
            for place in sorted(one ^ other):
                yield f"{what}: {place[0]}:{place[1]}:{place[2]} {place[3]} is in one index only"


def _definitions(tree: IndexedTree, names: Sequence[str]) -> set[tuple[str, int, int, str]]:
    rows = tree.reader.symbols_named(tree.scope, names, 1 << 31)
    return {(r.document.path, r.symbol.at.line, r.symbol.at.col, r.symbol.name) for r in rows}


def _references(tree: IndexedTree, names: Sequence[str]) -> set[tuple[str, int, int, str]]:
    rows = tree.reader.references_named(tree.scope, names)
    return {(r.document.path, r.reference.at.line, r.reference.at.col, r.reference.name) for r in rows}
