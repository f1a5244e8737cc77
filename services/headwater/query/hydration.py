"""Text from the git host under the caller's own credential: in batches, within a time, remembered for that caller."""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from threading import Lock
from typing import Protocol

import msgspec

from headwater.domain.credential import Credential
from headwater.domain.source_text import source_text
from headwater.domain.tree import hash_blob
from headwater.metrics import METRICS
from headwater.query.workers import waiting_elsewhere

Blob = tuple[str, str]  # repository, id


class BlobHost(Protocol):
    """Where blobs are read for a caller."""

    def blobs(
        self, credential: Credential | None, wanted: Collection[Blob], seconds: float
    ) -> Iterator[tuple[Blob, bytes]]:
        """Each blob that the caller may read, as it comes within `seconds`; what fails is left out. Never raises."""
        ...


class Wanted(msgspec.Struct, frozen=True):
    """A file whose text is asked for: what a blob reads as may depend on its path."""

    repo: str
    path: str
    blob: str


class Caller(msgspec.Struct, frozen=True):
    """Whose texts are remembered together."""

    principal: str
    credential: Credential | None


_Key = tuple[Caller, Wanted]


class Hydration:
    """One for an engine. Texts are in memory only, at most `kept_bytes` for at most `ttl_s` after they were asked for.

    A text is believed only if its blob's id is the hash of what came.
    """

    def __init__(
        self,
        host: BlobHost,
        wait_s: float = 2.0,
        ttl_s: float = 45.0,
        kept_bytes: int = 64 << 20,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wait_s, self.ttl_s = wait_s, ttl_s
        self._host, self._kept_bytes, self._clock = host, kept_bytes, clock
        self._kept: OrderedDict[_Key, tuple[float, bytes]] = OrderedDict()
        self._bytes, self._lock = 0, Lock()

    def texts(self, caller: Caller, wanted: Collection[Wanted], seconds: float) -> dict[Wanted, bytes]:
        """UTF-8, of those that can be had by this caller in this time."""
        remembered = Caller(caller.principal, caller.credential.remembered if caller.credential else None)
        found = {file: text for file in wanted if (text := self._recall((remembered, file))) is not None}
        absent: dict[Blob, list[Wanted]] = {}
        for file in wanted:
            if file not in found:
                absent.setdefault((file.repo, file.blob), []).append(file)
        _count("cached", len(found))
        if not absent:
            return found
        asked_at = self._clock()
        with METRICS.timed("headwater_query_part_seconds", part="hydration"), waiting_elsewhere():
            for blob, content in self._host.blobs(caller.credential, absent.keys(), min(seconds, self.wait_s)):
                if hash_blob(content) != blob[1]:
                    _count("forged", 1)
                    continue
                for file in absent.pop(blob, ()):
                    found[file] = source_text(file.path, content)
                    self._keep((remembered, file), found[file], asked_at)
                    _count("read", 1)
        _count("failed", sum(map(len, absent.values())))
        return found

    def _recall(self, key: _Key) -> bytes | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                return None
            if self._clock() - kept[0] >= self.ttl_s:
                self._bytes -= len(self._kept.pop(key)[1])
                return None
            self._kept.move_to_end(key)
            return kept[1]

    def _keep(self, key: _Key, text: bytes, asked_at: float) -> None:
        with self._lock:
            self._bytes += len(text) - len(self._kept.pop(key, (0.0, b""))[1])
            self._kept[key] = (asked_at, text)
            while self._bytes > self._kept_bytes:
                self._bytes -= len(self._kept.popitem(last=False)[1][1])


def _count(outcome: str, texts: int) -> None:
    if texts:
        METRICS.count("headwater_query_hydration_total", texts, outcome=outcome)
