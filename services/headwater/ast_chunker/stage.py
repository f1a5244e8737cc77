"""The ast-chunker stage: changed files in; documents and the chunks that are new out."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from headwater.ast_chunker.analyser import Analyser, FileResult, FileTask
from headwater.ast_chunker.process import DEFAULT_RULES, chunk_events, ignored_document
from headwater.domain import reason
from headwater.domain.document import Document, Status
from headwater.domain.treatment import IGNORED_VARIANT, ContentRules
from headwater.domain.tree import Mode, TreeUnreadableError
from headwater.domain.version import PipelineVersion
from headwater.events import ChunkChanged, FileChanged
from headwater.streaming.errors import RetryableError
from headwater.streaming.stage import Outgoing
from headwater.topology import CHUNK_CHANGED, SYMBOLS_CHANGED


class BlobReader(Protocol):
    """Reads content that was too large to travel in the event."""

    def read_blob(self, repo: str, oid: str) -> bytes:
        """Raises TreeUnreadableError when the blob can't be read now."""
        ...


class AstChunker:
    """Implements `Stage`. Stateless: the same event gives the same messages."""

    name = "ast-chunker"

    def __init__(
        self,
        version: PipelineVersion,
        blobs: BlobReader,
        analyser: Analyser,
        rules: ContentRules = DEFAULT_RULES,
    ) -> None:
        """`rules` are the analyser's own: events that ask for others wait until both are configured alike."""
        self._version, self._blobs, self._analyser = version, blobs, analyser
        self._variants = frozenset({rules.variant, IGNORED_VARIANT})

    def handle(self, batch: Sequence[FileChanged]) -> Iterator[Outgoing]:
        """For each file its document, and those of its chunks that the former content did not have."""
        tasks: list[FileTask] = []
        done: dict[int, FileResult] = {}
        olds: dict[int, int] = {}
        news: dict[int, int] = {}
        for number, changed in enumerate(batch):
            self._check(changed)
            if changed.variant == IGNORED_VARIANT:
                done[number] = self._ignored(changed)
                continue
            try:
                content = self._content(changed)
            except TreeUnreadableError as error:
                done[number] = self._parked(changed, str(error))
                continue
            news[number] = len(tasks)
            tasks.append(FileTask(changed.path, changed.mode, changed.blob, content))
            if (old := self._old_content(changed)) is not None:
                olds[number] = len(tasks)
                tasks.append(FileTask(changed.path, changed.mode, changed.old_blob, old))
        results = self._analyser.analyse(tasks)
        for number, changed in enumerate(batch):
            result = done[number] if number in done else results[news[number]]
            old_document = results[olds[number]].document if number in olds else None
            yield from self._messages(changed, result, old_document)

    def _messages(self, changed: FileChanged, result: FileResult, old: Document | None) -> Iterator[Outgoing]:
        for event in chunk_events(changed, result.document, result.text, old):
            if isinstance(event, ChunkChanged):
                yield Outgoing(CHUNK_CHANGED.name, event.content_hash, event)
            else:
                yield Outgoing(SYMBOLS_CHANGED.name, f"{changed.repo}\0{changed.path}", event)

    def _content(self, changed: FileChanged) -> bytes:
        if changed.content is not None:
            return changed.content
        if changed.mode == Mode.SUBMODULE:
            return b""
        return self._blobs.read_blob(changed.repo, changed.blob)

    def _old_content(self, changed: FileChanged) -> bytes | None:
        """None when there is none to be had: then every chunk counts as new, which costs work but loses nothing."""
        if changed.old_content is not None or not changed.old_blob:
            return changed.old_content
        try:
            return self._blobs.read_blob(changed.repo, changed.old_blob)
        except TreeUnreadableError:
            return None

    def _parked(self, changed: FileChanged, detail: str) -> FileResult:
        why = f"{reason.UNREADABLE}: {detail}"
        version, variant = str(self._version), changed.variant
        document = Document(changed.path, changed.blob, version, changed.mode, Status.PARKED, why, variant=variant)
        return FileResult(document, None)

    def _ignored(self, changed: FileChanged) -> FileResult:
        return FileResult(ignored_document(changed.path, changed.mode, changed.blob, self._version), None)

    def _check(self, changed: FileChanged) -> None:
        """Raises RetryableError."""
        if changed.variant not in self._variants:
            raise RetryableError(
                "HEADWATER_INDEXING_… differs between merkle-differ and ast-chunker: give both the same settings"
            )
