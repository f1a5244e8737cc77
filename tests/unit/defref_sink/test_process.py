"""Each document is written once a batch, as its last event says."""

from headwater.defref_sink.process import writes
from headwater.domain.document import Document, Status
from headwater.events import SymbolsChanged


def changed(path: str, text: str) -> SymbolsChanged:
    document = Document(path, "b" * 40, "v", 0o100644, Status.INDEXED)
    return SymbolsChanged(repo="r", ref="x", generation=1, document=document, text=text, pushed_at=0)


def test_the_last_event_of_a_document_counts() -> None:
    batch = [changed("a", "1"), changed("b", "2"), changed("a", "3")]
    assert [(w.document.path, w.text) for w in writes(batch)] == [("a", "3"), ("b", "2")]
