"""The pipeline in one place: topics, their events and keys, and the stages between them, in the order they run."""

import msgspec

from headwater.events import (
    ChunkChanged,
    ChunkEmbedded,
    CommitReceived,
    Event,
    FileChanged,
    Heartbeat,
    IndexApplied,
    Lane,
    SymbolsChanged,
)


class Topic(msgspec.Struct, frozen=True):
    """One kind of fact. `key` names the event fields that give order: equal keys share a partition."""

    name: str
    event: type[Event]
    key: tuple[str, ...]
    bulk: bool = True  # has a `-bulk` twin

    def lane(self, lane: Lane) -> str:
        return f"{self.name}-bulk" if lane is Lane.BULK and self.bulk else self.name

    @property
    def dead_letter(self) -> str:
        return f"{self.name}-dlq"


class StageSpec(msgspec.Struct, frozen=True):
    """One service of the pipeline."""

    name: str  # kebab-case: image, Helm key, consumer group and extra
    consumes: tuple[str, ...]
    produces: tuple[str, ...]


COMMIT_RECEIVED = Topic("commit-received", CommitReceived, ("repo", "ref"))
FILE_CHANGED = Topic("file-changed", FileChanged, ("repo", "path"))
CHUNK_CHANGED = Topic("chunk-changed", ChunkChanged, ("content_hash",))
CHUNK_EMBEDDED = Topic("chunk-embedded", ChunkEmbedded, ("content_hash",))
SYMBOLS_CHANGED = Topic("symbols-changed", SymbolsChanged, ("repo", "document.path"))
INDEX_APPLIED = Topic("index-applied", IndexApplied, ("repo",), bulk=False)
HEARTBEAT = Topic("heartbeat", Heartbeat, ("id",), bulk=False)

TOPICS = {
    t.name: t
    for t in (
        COMMIT_RECEIVED,
        FILE_CHANGED,
        CHUNK_CHANGED,
        CHUNK_EMBEDDED,
        SYMBOLS_CHANGED,
        INDEX_APPLIED,
        HEARTBEAT,
    )
}

STAGES = (
    StageSpec("commit-ingest", (), ("commit-received",)),
    StageSpec("merkle-differ", ("commit-received",), ("commit-received", "file-changed", "index-applied")),
    StageSpec("ast-chunker", ("file-changed",), ("chunk-changed", "symbols-changed")),
    StageSpec("embedder", ("chunk-changed",), ("chunk-embedded",)),
    StageSpec("vector-sink", ("chunk-embedded",), ("index-applied",)),
    StageSpec("defref-sink", ("symbols-changed",), ("index-applied",)),
    StageSpec("reconciler", ("index-applied", "heartbeat"), ("commit-received", "heartbeat")),
)

SERVICES = (*(stage.name for stage in STAGES), "query")  # everything that runs as a process of its own
