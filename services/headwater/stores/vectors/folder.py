"""The files of the embedded vector store: which generation is current, appending durably, and the writer's lease."""

import os
from pathlib import Path

import msgspec

from headwater.domain.version import PipelineVersion
from headwater.runtime.private_files import Lock, LockedError, open_private, private_folder, replace_file, take_lock
from headwater.stores.catalog import VersionMismatchError
from headwater.stores.vector_store import VectorsUnavailableError

_FORMAT = 2  # 1 had no checksums: its rows are made again


class Current(msgspec.Struct, frozen=True):
    """What `current.json` holds. A compaction writes a new generation of files, then replaces it."""

    version: str
    dimensions: int
    generation: int = 1
    format: int = _FORMAT


class VectorFolder:
    """One folder, one model. Appends are in the files before they are acknowledged."""

    def __init__(self, path: Path, version: PipelineVersion) -> None:
        """Raises VersionMismatchError, VectorsUnavailableError."""
        self.path = path
        self._version = version
        self._lease: Lock | None = None
        self.current()

    @property
    def _current_path(self) -> Path:
        return self.path / "current.json"

    def matrix_path(self, generation: int) -> Path:
        return self.path / f"rows.{generation}.i8"

    def log_path(self, generation: int) -> Path:
        return self.path / f"hashes.{generation}.log"

    def seal_path(self, generation: int) -> Path:
        return self.path / f"seal.{generation}.json"

    def graph_path(self, generation: int) -> Path:
        return self.path / f"graph.{generation}.usearch"

    def current(self) -> Current:
        """Laid out anew when it is absent, damaged or of an older format: what it held is then made again."""
        try:
            current = self._stored()
            if current is None or current.format < _FORMAT:
                current = self._lay_out(current)
        except OSError as error:
            raise VectorsUnavailableError(f"{self.path} can't be used: {error}") from error
        expected = (str(self._version), self._version.dimensions, _FORMAT)
        if (current.version, current.dimensions, current.format) != expected:
            raise VersionMismatchError(
                f"{self.path} holds vectors of {current.version} (format {current.format}), this start has"
                f" {self._version}: build a shadow index in another folder, or delete this one and index again"
            )
        return current

    def _stored(self) -> Current | None:
        try:
            return msgspec.json.decode(self._current_path.read_bytes(), type=Current)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def _lay_out(self, older: Current | None) -> Current:
        """Files without a (readable) `current.json` are kept: their rows are bound to the model that made them."""
        if older is not None and (older.version, older.dimensions) != (str(self._version), self._version.dimensions):
            return older
        private_folder(self.path)
        newest = max(self._generations().values(), default=1)
        current = Current(str(self._version), self._version.dimensions, newest if older is None else newest + 1)
        self.replace_current(current)
        if older is not None:
            self.remove_other_generations(current.generation)
        return current

    def replace_current(self, current: Current) -> None:
        """Atomic: a reader sees the former or the new generation."""
        replace_file(self._current_path, msgspec.json.encode(current))

    def take_lease(self) -> None:
        """One writer at a time; the lease dies with its process. Raises VectorsUnavailableError."""
        if self._lease is not None and _is_at(self._lease.descriptor, self.path / "lease"):
            return
        self.release_lease()  # of a folder that was removed since
        try:
            self._lease = take_lock(self.path / "lease", wait=False)
        except LockedError as error:
            raise VectorsUnavailableError(f"another process writes to {self.path}: stop it first") from error
        except OSError as error:
            raise VectorsUnavailableError(f"{self.path} can't be written: {error}") from error

    @property
    def holds_lease(self) -> bool:
        return self._lease is not None

    def release_lease(self) -> None:
        if self._lease is not None:
            self._lease.release()
            self._lease = None

    def remove_other_generations(self, keep: int) -> None:
        """Readers that have the old files mapped keep them until they look again."""
        for path, generation in self._generations().items():
            if generation != keep:
                path.unlink(missing_ok=True)

    def _generations(self) -> dict[Path, int]:
        parts = ((path, path.name.split(".")[1]) for path in self.path.glob("*.*.*"))
        return {path: int(part) for path, part in parts if part.isdecimal()}


def append(path: Path, at: int, data: bytes) -> None:
    """Write `data` at byte `at`, dropping whatever a torn write left there, and wait until it is on the disk."""
    descriptor = open_private(path, os.O_RDWR)
    try:
        os.ftruncate(descriptor, at)
        os.lseek(descriptor, at, os.SEEK_SET)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_from(path: Path, at: int) -> bytes:
    """Everything after byte `at`; nothing when the file is absent or shorter."""
    try:
        with path.open("rb") as file:
            file.seek(at)
            return file.read()
    except FileNotFoundError:
        return b""


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
