"""What the writer last left in the files: whoever finds them so needs not look through them."""

import time
from pathlib import Path

import msgspec

from headwater.runtime.private_files import replace_file

_RACY_NS = 50_000_000  # a file system's clock is coarse: what changed just before the seal could change unseen after it


class Stamp(msgspec.Struct, frozen=True):
    """A file's identity and last change, as the file system tells."""

    inode: int = 0
    size: int = 0
    modified_ns: int = 0
    changed_ns: int = 0

    def is_grown_from(self, earlier: "Stamp") -> bool:
        """Nothing but appending was done, as far as can be told."""
        return self == earlier or (self.size > earlier.size and self.inode == earlier.inode) or not earlier.inode


class Seal(msgspec.Struct, frozen=True):
    """`records` of the log were sound, and all that was acknowledged was among them."""

    generation: int
    records: int
    log: Stamp
    matrix: Stamp
    at_ns: int

    def covers(self, log: Stamp, matrix: Stamp) -> bool:
        """The files are as they were left."""
        latest = max(log.modified_ns, log.changed_ns, matrix.modified_ns, matrix.changed_ns)
        return (self.log, self.matrix) == (log, matrix) and self.at_ns - latest >= _RACY_NS


def stamp(path: Path) -> Stamp:
    """All zeros for a file that isn't there."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return Stamp()
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def read_seal(path: Path) -> Seal | None:
    """None when there is none to be trusted."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Seal)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def write_seal(path: Path, generation: int, records: int, log: Path, matrix: Path) -> None:
    """Atomic. Not synced: a seal that is lost costs a look through the files."""
    seal = Seal(generation, records, stamp(log), stamp(matrix), time.time_ns())
    replace_file(path, msgspec.json.encode(seal), durable=False)
