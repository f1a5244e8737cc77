"""Folders and files for their owner alone, whatever the umask; files replaced whole; locks between processes."""

import errno
import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Self
from uuid import uuid4

FOLDER, FILE = 0o700, 0o600
_OTHERS = 0o077


class LockedError(Exception):
    """Another process, or another part of this one, holds the lock."""


def private_folder(path: Path) -> Path:
    """The folder, made with those above it that are missing, all of them 0700. One that is there keeps its mode.

    Raises OSError, also for one that belongs to another user than root or this one: what it holds isn't ours.
    """
    for folder in (*reversed(path.parents), path):
        if not folder.is_dir():
            with suppress(FileExistsError):  # another process was quicker
                folder.mkdir(FOLDER)
                folder.chmod(FOLDER)
    if path.stat().st_uid not in (0, os.geteuid()):
        raise PermissionError(errno.EPERM, "the folder belongs to another user: name one of your own", str(path))
    return path


def open_private(path: Path, flags: int) -> int:
    """A descriptor of the file, made 0600 where it is missing. Raises OSError, also where `path` is a symbolic link."""
    flags |= os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, FILE)
    except FileExistsError:
        if flags & os.O_EXCL:
            raise
        if path.is_symlink():
            raise OSError(errno.ELOOP, "is a symbolic link: name the place that it leads to", str(path)) from None
        return os.open(path, flags | os.O_CREAT, FILE)
    os.fchmod(descriptor, FILE)
    return descriptor


def make_private(path: Path) -> None:
    """An empty file for a library that opens by name and would make it by the umask; one that is there stays."""
    private_folder(path.parent)
    os.close(open_private(path, os.O_WRONLY))


def replace_file(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Put a whole file in its place: a reader sees what was there before or all of `content`. Raises OSError.

    `durable` waits until it outlives a loss of power.
    """
    private_folder(path.parent)
    draft = path.with_name(f".{path.name}.{uuid4().hex[:8]}.draft")
    descriptor = open_private(draft, os.O_WRONLY | os.O_EXCL)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(descriptor)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    if durable:
        sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Lock:
    """A lock between processes and between parts of one: held until it is released or the process ends."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def release(self) -> None:
        os.close(self.descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()


def take_lock(path: Path, *, wait: bool = True) -> Lock:
    """Locks the file, which is made where it is missing. Raises LockedError unless `wait`, OSError."""
    private_folder(path.parent)
    descriptor = open_private(path, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError as error:
        os.close(descriptor)
        raise LockedError(f"another process holds {path}") from error
    except BaseException:
        os.close(descriptor)
        raise
    return Lock(descriptor)


def open_to_others(path: Path) -> bool:
    """Whether the folder or file is there and lets anybody else in."""
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & _OTHERS)
    except OSError:
        return False
