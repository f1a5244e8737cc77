"""Pins that other processes see: a file a process, which counts while its process lives."""

import fcntl
import os
import threading
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from uuid import uuid4

import msgspec

from headwater.stores.catalog import CatalogUnavailableError

Pin = tuple[int, int]


class PinFiles:
    """`Pins` in a folder beside the catalog. A holder keeps a lock on its `.alive` file, which dies with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: Counter[Pin] = Counter()
        self._lock = threading.Lock()
        self._name = f"{os.getpid()}-{uuid4().hex[:8]}"
        self._alive: int | None = None
        self._closed = False

    def hold(self, pins: Iterable[Pin]) -> None:
        with self._lock:
            before = len(self._held)
            self._held.update(pins)
            self._publish(before)

    def release(self, pins: Iterable[Pin]) -> None:
        with self._lock:
            before = len(self._held)
            self._held = +(self._held - Counter(pins))
            self._publish(before)

    def held(self) -> Collection[Pin]:
        """Those of every living process. Files of dead ones are removed."""
        found: set[Pin] = set()
        for alive in self._folder.glob("*.alive"):
            listing = alive.with_suffix(".json")
            if alive.stem != self._name and _is_abandoned(alive):
                listing.unlink(missing_ok=True)
                alive.unlink(missing_ok=True)
            elif listing.exists():
                found.update(msgspec.json.decode(listing.read_bytes(), type=list[Pin]))
        return found

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._alive is not None:
                self._path(".json").unlink(missing_ok=True)
                self._path(".alive").unlink(missing_ok=True)
                os.close(self._alive)
                self._alive = None

    def _publish(self, before: int) -> None:
        if self._closed or len(self._held) == before:
            return
        try:
            self._write()
        except OSError as error:
            raise CatalogUnavailableError(f"pins can't be written to {self._folder}: {error}") from error

    def _write(self) -> None:
        if self._alive is None:
            self._alive = self._make_alive()
        draft = self._path(".draft")
        draft.write_bytes(msgspec.json.encode(list(self._held)))
        draft.replace(self._path(".json"))

    def _make_alive(self) -> int:
        """Locked before it gets its name: without the lock it would look abandoned."""
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._path(".locked")
        descriptor = os.open(draft, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        draft.replace(self._path(".alive"))
        return descriptor

    def _path(self, suffix: str) -> Path:
        return self._folder / f"{self._name}{suffix}"


def _is_abandoned(alive: Path) -> bool:
    """Nobody holds the lock: the process has ended."""
    try:
        descriptor = os.open(alive, os.O_RDWR)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
