"""Chunks by reference give the model what chunks in the event give it, and each blob is read once."""

from collections.abc import Collection, Mapping

import pytest

from headwater.domain.doc_ranges import ranges_of
from headwater.domain.tree import TreeUnreadableError, hash_blob
from headwater.embedder.referred import NoBlobs, ReferredTexts
from headwater.events import ChunkChanged

SOURCE = b"# Says hello\n# to all.\ndef hello():\n    return 1\n"


class Blobs:
    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self.contents, self.asked = contents, 0

    def read_blobs(self, repo: str, oids: Collection[str]) -> Mapping[str, bytes]:
        self.asked += len(oids)
        return {oid: self.contents[oid] for oid in oids if oid in self.contents}


def chunk(content: bytes = b"", path: str = "a.py", text: str = "") -> ChunkChanged:
    return ChunkChanged(
        repo="r",
        ref="x",
        generation=1,
        content_hash=f"{hash_blob(content)}{path}",
        path=path,
        text=text,
        doc="d" if text else "",
        blob=hash_blob(content) if content else "",
        span=(23, len(content)),
        doc_at=ranges_of("Says hello to all.", content, 0),
        pushed_at=0,
    )


def test_the_fields_are_cut_from_the_blob() -> None:
    blobs = Blobs({hash_blob(SOURCE): SOURCE})
    texts = ReferredTexts(blobs)
    for _ in range(3):
        (found,) = texts.texts([chunk(SOURCE)])
        assert found is not None
        assert (found.doc, found.text) == ("Says hello to all.", "def hello():\n    return 1\n")
    assert blobs.asked == 1


def test_texts_in_the_event_need_no_repository() -> None:
    (found,) = ReferredTexts(NoBlobs()).texts([chunk(text="t")])
    assert found is not None
    assert (found.doc, found.text) == ("d", "t")
    with pytest.raises(TreeUnreadableError, match="by reference"):
        ReferredTexts(NoBlobs()).texts([chunk(SOURCE)])


def test_a_blob_that_is_gone_gives_nothing_and_the_rest_goes_on() -> None:
    gone, there = ReferredTexts(Blobs({hash_blob(SOURCE): SOURCE})).texts([chunk(b"gone"), chunk(SOURCE)])
    assert gone is None
    assert there is not None


def test_a_small_memory_only_reads_again() -> None:
    blobs = Blobs({hash_blob(SOURCE): SOURCE})
    texts = ReferredTexts(blobs, kept_bytes=1)
    assert texts.texts([chunk(SOURCE)]) == texts.texts([chunk(SOURCE)])
    assert blobs.asked == 2


def test_other_encodings_are_read_as_the_index_reads_them() -> None:
    content = SOURCE.decode().encode("utf-16")
    event = chunk(content)
    (found,) = ReferredTexts(Blobs({hash_blob(content): content})).texts([event])
    assert found is not None
    assert found.text.startswith("def hello")
