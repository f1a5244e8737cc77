"""A file of one JSON object a line: a line is written whole or counts as not written."""

import errno
import os
import threading
from pathlib import Path

import msgspec

from headwater.runtime.private_files import open_private


class LineFile:
    """Safe to use from several threads. Opened for each line, so that it may be rotated at any time; 0600."""

    def __init__(self, path: Path, max_bytes: int | None = None) -> None:
        self._path, self._max_bytes, self._lock = path, max_bytes, threading.Lock()
        self._torn = False  # the last line was cut off: the next one must not go on in it

    def append(self, value: object) -> None:
        """Raises OSError; ENOSPC also once the file has no room for the line within `max_bytes`."""
        line = msgspec.json.encode(value) + b"\n"
        with self._lock:
            descriptor = open_private(self._path, os.O_WRONLY | os.O_APPEND)
            try:
                self._write(descriptor, b"\n" * self._torn + line)
            finally:
                os.close(descriptor)

    def _write(self, descriptor: int, line: bytes) -> None:
        if self._max_bytes is not None and os.fstat(descriptor).st_size + len(line) > self._max_bytes:
            raise OSError(errno.ENOSPC, f"it holds {self._max_bytes} bytes at most")
        written = os.write(descriptor, line)
        self._torn = written < len(line)
        if self._torn:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
