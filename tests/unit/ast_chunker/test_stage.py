"""The stage emits the whole document, and only those chunks that the former content did not have."""

from collections.abc import Collection, Mapping

from headwater.ast_chunker.analyser import InProcessAnalyser
from headwater.ast_chunker.stage import AstChunker
from headwater.domain.document import Status
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion
from headwater.events import ChunkChanged, FileChanged, SymbolsChanged

VERSION = PipelineVersion("test", 8)
BODY = "    return " + " + ".join(f"number_{i}" for i in range(20)) + "\n"
OLD = f"import os\n\n\ndef one():\n{BODY}\n\ndef two():\n{BODY}".encode()
NEW = OLD.replace(b"def two", b"def other") + b"\n\n"


class Blobs:
    def __init__(self, blobs: Mapping[str, bytes]) -> None:
        self._blobs = blobs

    def read_blobs(self, repo: str, oids: Collection[str]) -> Mapping[str, bytes]:
        return {oid: self._blobs[oid] for oid in oids if oid in self._blobs}


def changed(content: bytes | None, blob: str, old: bytes | None = None, mode: int = Mode.FILE) -> FileChanged:
    return FileChanged(
        repo="r",
        ref="refs/heads/main",
        generation=1,
        path="pkg/mod.py",
        mode=mode,
        blob=blob,
        old_blob=hash_blob(old) if old is not None else "",
        content=content,
        old_content=old,
        pushed_at=1.0,
    )


def run(event: FileChanged, blobs: Mapping[str, bytes] | None = None) -> tuple[SymbolsChanged, list[ChunkChanged]]:
    stage = AstChunker(VERSION, Blobs(blobs or {}), InProcessAnalyser(VERSION))
    first, *rest = [message.event for message in stage.handle([event])]
    assert isinstance(first, SymbolsChanged)
    return first, [e for e in rest if isinstance(e, ChunkChanged)]


def test_a_new_file_emits_all_its_chunks() -> None:
    document, chunks = run(changed(NEW, hash_blob(NEW)))
    assert {c.content_hash for c in chunks} == {c.content_hash for c in document.document.chunks}
    assert document.text == NEW.decode()


def test_an_edit_emits_only_the_chunks_that_are_new() -> None:
    document, chunks = run(changed(NEW, hash_blob(NEW), OLD))
    assert len(document.document.chunks) == 3
    assert [c.scopes for c in chunks] == [("other",)]


def test_code_that_only_moves_is_not_embedded_again() -> None:
    moved = b"\n\n\n" + OLD
    assert run(changed(moved, hash_blob(moved), OLD))[1] == []


def test_adding_an_import_touches_only_its_users() -> None:
    more = OLD.replace(b"import os\n", b"import os\nimport sys\n")
    assert [c.scopes for c in run(changed(more, hash_blob(more), OLD))[1]] == [()]


def test_content_by_reference_is_read_and_an_unreadable_blob_is_parked() -> None:
    oid = hash_blob(NEW)
    assert run(changed(None, oid), {oid: NEW})[0].document.status is Status.INDEXED
    document, chunks = run(changed(None, oid))
    assert (document.document.status, chunks) == (Status.PARKED, [])
    assert document.document.reason.startswith("unreadable")


def test_submodules_need_no_blob() -> None:
    assert run(changed(None, "1" * 40, mode=Mode.SUBMODULE))[0].document.reason == "submodule"
