"""The files that lie beside golden questions."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

Read = TypeVar("Read")


def read_beside(folders: Iterable[Path], name: str, read: Callable[[Path], dict[str, Read]]) -> dict[str, Read]:
    """The companion file in the first of these folders that has one; nothing without."""
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    return {} if found is None else read(found)
