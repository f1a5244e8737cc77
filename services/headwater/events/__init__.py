"""What the stages say to each other: past-tense facts, one module an event, one JSON Schema each in schemas/events."""

from headwater.events.chunk_changed import ChunkChanged
from headwater.events.chunk_embedded import ChunkEmbedded
from headwater.events.commit_received import CommitReceived
from headwater.events.file_changed import FileChanged
from headwater.events.heartbeat import Heartbeat
from headwater.events.index_applied import IndexApplied
from headwater.events.lane import Lane
from headwater.events.symbols_changed import SymbolsChanged

Event = CommitReceived | FileChanged | ChunkChanged | ChunkEmbedded | SymbolsChanged | IndexApplied | Heartbeat

__all__ = [
    "ChunkChanged",
    "ChunkEmbedded",
    "CommitReceived",
    "Event",
    "FileChanged",
    "Heartbeat",
    "IndexApplied",
    "Lane",
    "SymbolsChanged",
]
