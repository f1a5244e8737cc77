"""Crashes at durable writes: each write of an embedded home passes here, before and after it takes effect."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from headwater.embedded import home_editions
from headwater.stores import mmap_vectors
from headwater.stores.edition_file import FileEditions
from headwater.stores.sqlite.database import SqliteDatabase
from headwater.stores.vectors.folder import VectorFolder


class PowerCut(BaseException):
    """Nothing after this point was carried out."""


class Fuse:
    """Blows at the n-th moment that is counted (there are two for each durable write); 0: never."""

    def __init__(self) -> None:
        self.left = 0
        self.moments = 0

    def moment(self) -> None:
        self.moments += 1
        if self.left:
            self.left -= 1
            if not self.left:
                raise PowerCut

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*given: Any, **named: Any) -> Any:
            self.moment()
            done = work(*given, **named)
            self.moment()
            return done

        return guarded


@contextmanager
def fused() -> Iterator[Fuse]:
    """Every catalog transaction, vector file, registry file, copy and removal of this process."""
    fuse = Fuse()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteDatabase, "write", fuse.around(SqliteDatabase.write))
        patch.setattr(mmap_vectors, "append", fuse.around(mmap_vectors.append))
        patch.setattr(VectorFolder, "replace_current", fuse.around(VectorFolder.replace_current))
        patch.setattr(FileEditions, "_replace", fuse.around(FileEditions._replace))
        patch.setattr(home_editions, "_remove", fuse.around(home_editions._remove))
        patch.setattr(shutil, "copytree", fuse.around(_half_copied(fuse)))
        yield fuse


def _half_copied(fuse: Fuse) -> Callable[[Path, Path], object]:
    """File by file, so that a crash leaves a part."""
    whole = shutil.copy

    def copy(given: Path, kept: Path) -> object:
        kept.mkdir()
        for file in sorted(given.iterdir()):
            whole(file, kept / file.name)
            fuse.moment()
        return kept

    return copy
