"""The ast-chunker stage: changed files in; documents and the chunks that are new out."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from headwater.ast_chunker.analyser import Analyser, FileResult, FileTask
from headwater.ast_chunker.fallback import fallback_of
from headwater.ast_chunker.process import chunk_events, left_out_document
from headwater.domain import reason
from headwater.domain.document import Document, Status
from headwater.domain.treatment import ContentRules, Treatment, reason_without_content
from headwater.domain.tree import Mode, TreeUnreadableError
from headwater.domain.version import PipelineVersion
from headwater.events import ChunkChanged, FileChanged
from headwater.metrics import METRICS
from headwater.streaming.errors import RetryableError
from headwater.streaming.stage import Outgoing
from headwater.topology import CHUNK_CHANGED, SYMBOLS_CHANGED

DEFAULT_TREATMENT = Treatment()

log = logging.getLogger("headwater")


class BlobReader(Protocol):
    """Reads content that does not travel in the event: it is too large, or in pointers-only mode."""

    def read_blobs(self, repo: str, oids: Collection[str]) -> Mapping[str, bytes]:
        """Those that the repository has. Raises TreeUnreadableError when none can be read now."""
        ...


class AstChunker:
    """Implements `Stage`. Stateless: the same event gives the same messages."""

    name = "ast-chunker"

    def __init__(
        self,
        version: PipelineVersion,
        blobs: BlobReader,
        analyser: Analyser,
        treatment: Treatment = DEFAULT_TREATMENT,
    ) -> None:
        """Events that ask for another treatment wait until the differ's and this one are configured alike."""
        self._version, self._blobs, self._analyser, self._treatment = version, blobs, analyser, treatment

    def handle(self, batch: Sequence[FileChanged]) -> Iterator[Outgoing]:
        """For each file its document, and those of its chunks that the former content did not have."""
        blobs = BatchBlobs(self._blobs, batch)
        tasks: list[FileTask] = []
        done: dict[int, FileResult] = {}
        olds: dict[int, int] = {}
        news: dict[int, int] = {}
        for number, changed in enumerate(batch):
            if reason_without_content(changed.variant):
                done[number] = self._left_out(changed)
                continue
            own = self._treatment.of(changed.repo).content
            rules = self._asked_for(changed, own)
            try:
                content = blobs.content(changed)
            except TreeUnreadableError as error:
                done[number] = self._parked(changed, str(error))
                continue
            news[number] = len(tasks)
            tasks.append(FileTask(changed.path, changed.mode, changed.blob, content, rules))
            if (old := blobs.old_content(changed)) is not None:
                olds[number] = len(tasks)
                tasks.append(FileTask(changed.path, changed.mode, changed.old_blob, old, own))
        results = self._analyser.analyse(tasks)
        for number, changed in enumerate(batch):
            result = done[number] if number in done else results[news[number]]
            old_document = results[olds[number]].document if number in olds else None
            yield from self._messages(changed, result, old_document)

    def _messages(self, changed: FileChanged, result: FileResult, old: Document | None) -> Iterator[Outgoing]:
        if why := fallback_of(result.document):
            METRICS.count("headwater_ast_chunker_fallbacks_total", reason=why)
        for event in chunk_events(changed, result.document, result.text, old, result.terms):
            if isinstance(event, ChunkChanged):
                yield Outgoing(CHUNK_CHANGED.name, event.content_hash, event)
            else:
                yield Outgoing(SYMBOLS_CHANGED.name, f"{changed.repo}\0{changed.path}", event)

    def _parked(self, changed: FileChanged, detail: str) -> FileResult:
        why = f"{reason.UNREADABLE}: {detail}"
        log.warning("%s of %s is parked, %s", changed.path, changed.repo, why)
        METRICS.count("headwater_ast_chunker_parked_total")
        version, variant = str(self._version), changed.variant
        document = Document(changed.path, changed.blob, version, changed.mode, Status.PARKED, why, variant=variant)
        return FileResult(document, None)

    def _left_out(self, changed: FileChanged) -> FileResult:
        path, mode, blob = changed.path, changed.mode, changed.blob
        return FileResult(left_out_document(path, mode, blob, self._version, changed.variant), None)

    def _asked_for(self, changed: FileChanged, own: ContentRules) -> ContentRules:
        """Raises RetryableError."""
        if changed.variant == own.variant:
            return own
        rules = own.by_variant().get(changed.variant)
        if rules is None:
            raise RetryableError(
                "HEADWATER_INDEXING_… differs between merkle-differ and ast-chunker: give both the same settings"
            )
        return rules


class BatchBlobs:
    """What the events of a batch refer to, read at once for each repository."""

    def __init__(self, blobs: BlobReader, batch: Sequence[FileChanged]) -> None:
        wanted: dict[str, set[str]] = {}
        for changed in batch:
            wanted.setdefault(changed.repo, set()).update(_referred(changed))
        self._read: dict[str, Mapping[str, bytes]] = {}
        self._unreadable: dict[str, str] = {}
        for repo, oids in wanted.items():
            try:
                self._read[repo] = blobs.read_blobs(repo, oids) if oids else {}
            except TreeUnreadableError as error:
                self._unreadable[repo] = str(error)

    def content(self, changed: FileChanged) -> bytes:
        """Raises TreeUnreadableError."""
        if changed.content is not None:
            return changed.content
        if changed.mode == Mode.SUBMODULE:
            return b""
        found = self._of(changed.repo, changed.blob)
        if found is None:
            why = self._unreadable.get(changed.repo, "the repository doesn't have it (any more)")
            raise TreeUnreadableError(f"blob {changed.blob} can't be read: {why}")
        return found

    def old_content(self, changed: FileChanged) -> bytes | None:
        """None when there is none to be had: then every chunk counts as new, which costs work but loses nothing."""
        if changed.old_content is not None or not changed.old_blob:
            return changed.old_content
        return self._of(changed.repo, changed.old_blob)

    def _of(self, repo: str, oid: str) -> bytes | None:
        return self._read.get(repo, {}).get(oid)


def _referred(changed: FileChanged) -> Iterator[str]:
    """The blobs that an event needs and doesn't hold."""
    if reason_without_content(changed.variant) or changed.mode == Mode.SUBMODULE:
        return
    if changed.content is None:
        yield changed.blob
    if changed.old_content is None and changed.old_blob:
        yield changed.old_blob
