"""A document's rows: what is found under which name, and that its parts make it whole again."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.domain.document import Document, Position, Reference, ReferenceKind
from headwater.stores.catalog import DocumentWrite
from headwater.stores.relational import codec
from headwater.stores.relational.document_rows import DocumentRows, document_rows, used_names, whole
from support.sample_documents import sample_write

SOURCE = b"""from pkg import alpha as renamed
from pkg import beta

def free():
    return renamed(beta) + _hidden(1)

def _hidden(x):
    return x
"""


def rebuilt(rows: DocumentRows) -> Document:
    blocks = [codec.USAGES.decode(codec.decompress(b)) for b in rows.usage_blocks] if rows.split else None
    symbols, chunks = (
        codec.SYMBOLS.decode(codec.decompress(rows.symbols_body)),
        codec.CHUNKS.decode(codec.decompress(rows.chunks_body)),
    )
    return whole(codec.HEAD.decode(codec.decompress(rows.head)), symbols, chunks, blocks)


def occurrences(rows: DocumentRows, name: str) -> list[tuple[int, ReferenceKind]]:
    (usage,) = [u for u in rows.usages if u.name == name]
    return [(r.at.line, r.kind) for r in codec.USAGES.decode(codec.decompress(rows.usage_blocks[usage.block])).of(name)]


def test_names_used_leave_out_locals_and_take_in_imports() -> None:
    rows = document_rows(sample_write("a.py", SOURCE), store_text=True)
    names = {u.name for u in rows.usages}
    assert names == used_names(rows.document.facts)
    assert {"alpha", "renamed", "beta"} <= names
    assert "_hidden" not in names
    assert {u.name for u in rows.usages if u.imported} == {"alpha", "beta"}
    assert [line for line, _ in occurrences(rows, "beta")] == [2, 5]
    assert [s.name for s in rows.symbols] == ["free"]


def test_no_text_is_kept_when_none_is_wanted() -> None:
    write = sample_write("a.py", SOURCE)
    assert document_rows(write, store_text=False).text is None
    rows = document_rows(DocumentWrite(write.document, None), store_text=True)
    assert rows.text is None
    assert all(not c.terms for c in rows.chunks)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "_hidden", ""]), st.integers(0, 9), st.integers(-1, 1)), max_size=9)
)
@settings(deadline=None)
def test_parts_make_the_document_whole(drawn: list[tuple[str, int, int]]) -> None:
    """Also when references are out of order or share a position."""
    write = sample_write("a.py", SOURCE)
    references = tuple(
        Reference(name, ReferenceKind.READ, Position(at, 1, at + 1, at + 1), -1, target) for name, at, target in drawn
    )
    facts = msgspec.structs.replace(write.document.facts, references=references)
    document = msgspec.structs.replace(write.document, facts=facts)
    assert rebuilt(document_rows(DocumentWrite(document, write.text), store_text=True)) == document


def test_references_in_order_are_stored_once() -> None:
    rows = document_rows(sample_write("a.py", SOURCE), store_text=True)
    assert rows.split
    assert rebuilt(rows) == rows.document
    kept = codec.HEAD.decode(codec.decompress(rows.head)).facts.references
    assert {r.name for r in kept} == {"_hidden"}
