"""The editions of an embedded home, in one file that is replaced whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from headwater.domain.edition import Change, Editions
from headwater.runtime.private_files import replace_file, take_lock
from headwater.stores.catalog import CatalogCorruptError, CatalogUnavailableError


class FileEditions:
    """Implements `EditionRegistry`. A reader sees the file before or after a change, never in between."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: tuple[tuple[int, int], Editions] = ((0, 0), Editions())

    def read(self) -> Editions:
        try:
            found = self._path.stat()
            stamp = (found.st_ino, found.st_mtime_ns)
            if self._kept[0] != stamp:
                self._kept = (stamp, msgspec.json.decode(self._path.read_bytes(), type=Editions))
            return self._kept[1]
        except FileNotFoundError:
            return Editions()
        except OSError as error:
            raise CatalogUnavailableError(f"{self._path} can't be read: {error}") from error
        except msgspec.DecodeError as error:
            raise CatalogCorruptError(
                f"{self._path} is damaged ({error}): restore it, or index in another home"
            ) from error

    def change(self, change: Change) -> Editions:
        with self._alone():
            before = self.read()
            after = change(before)
            if after != before:
                self._replace(after)
            return after

    def close(self) -> None:
        """Nothing is kept open."""

    def _replace(self, editions: Editions) -> None:
        try:
            replace_file(self._path, msgspec.json.format(msgspec.json.encode(editions)))
        except OSError as error:
            raise CatalogUnavailableError(f"{self._path} can't be written: {error}") from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        try:
            held = take_lock(self._path.with_suffix(".lock"))
        except OSError as error:
            raise CatalogUnavailableError(f"{self._path} can't be changed: {error}") from error
        with held:
            yield
