"""Pins that other processes see: a file a process, which counts while its process lives."""

import fcntl
import os
import threading
import time
import zlib
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from uuid import uuid4

import msgspec

from headwater.runtime.private_files import Lock, take_lock
from headwater.stores.catalog import CatalogUnavailableError

Pin = tuple[int, int]

_READ_TRIES = 100
_EMPTY: list[Pin] = []


class PinFiles:
    """`Pins` in a folder beside the catalog.

    A process keeps a lock on its file, which dies with it, and writes its pins in place: a query must not wait for
    a disk. Readers of the file check the sum and read again when they met a write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: Counter[Pin] = Counter()
        self._lock = threading.Lock()
        self._path = folder / f"{os.getpid()}-{uuid4().hex[:8]}.pins"
        self._file: Lock | None = None
        self._closed = False

    def hold(self, pins: Iterable[Pin]) -> None:
        with self._lock:
            before, pins = self._held.copy(), list(pins)
            self._held.update(pins)
            try:
                self._publish(len(before))
            except BaseException:
                self._held = before  # nobody will release what couldn't be held
                raise

    def release(self, pins: Iterable[Pin]) -> None:
        with self._lock:
            before = len(self._held)
            self._held = +(self._held - Counter(pins))
            self._publish(before)

    def held(self) -> Collection[Pin]:
        """Those of every living process. Files of dead ones are removed."""
        found: set[Pin] = set()
        for path in self._folder.glob("*.pins"):
            if path != self._path and _is_abandoned(path):
                path.unlink(missing_ok=True)
            else:
                found.update(_read(path))
        return found

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._file is not None:
                self._path.unlink(missing_ok=True)
                self._file.release()
                self._file = None

    def _publish(self, before: int) -> None:
        if self._closed or len(self._held) == before:
            return
        try:
            if self._file is None:
                self._file = self._make_file()
            os.pwrite(self._file.descriptor, _encode(self._held), 0)
        except OSError as error:
            raise CatalogUnavailableError(f"pins can't be written to {self._folder}: {error}") from error

    def _make_file(self) -> Lock:
        """Locked and readable before it gets its name: without the lock it would look abandoned."""
        draft = self._path.with_suffix(".draft")
        lock = take_lock(draft)
        try:
            os.pwrite(lock.descriptor, _encode(_EMPTY), 0)
            draft.replace(self._path)
        except BaseException:
            lock.release()
            raise
        return lock


def _encode(pins: Iterable[Pin]) -> bytes:
    """Length, sum, JSON; what an earlier, longer list left behind it doesn't count."""
    body = msgspec.json.encode(list(pins))
    return len(body).to_bytes(4, "little") + zlib.crc32(body).to_bytes(4, "little") + body


def _read(path: Path) -> list[Pin]:
    for _ in range(_READ_TRIES):
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return []
        body = raw[8 : 8 + int.from_bytes(raw[:4], "little")]
        if zlib.crc32(body) == int.from_bytes(raw[4:8], "little"):
            return msgspec.json.decode(body, type=list[Pin])
        time.sleep(0.001)
    raise CatalogUnavailableError(f"the pins in {path} are damaged: remove the file once its process has ended")


def _is_abandoned(path: Path) -> bool:
    """Nobody holds the lock: the process has ended."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
