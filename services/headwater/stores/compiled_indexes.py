"""Where compiler-made indexes of commits are kept, apart from the catalog: they come late, or never."""

from collections import OrderedDict
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Protocol

import msgspec
import zstandard

from headwater.domain.scip.compiled import Compiled, CompiledIndex

_KEPT = 4


class CompiledIndexes(Protocol):
    """One index a repository and commit; a later import replaces it."""

    def put(self, repo: str, commit: str, index: CompiledIndex) -> None: ...

    def get(self, repo: str, commit: str) -> Compiled | None: ...


class FolderCompiledIndexes:
    """One compressed file each; the last few are kept open."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: OrderedDict[Path, tuple[int, Compiled]] = OrderedDict()
        self._lock = Lock()

    def put(self, repo: str, commit: str, index: CompiledIndex) -> None:
        """Written whole or not at all. Raises OSError."""
        path = self._path(repo, commit)
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(".half")
        half.write_bytes(zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(index)))
        half.replace(path)

    def get(self, repo: str, commit: str) -> Compiled | None:
        path = self._path(repo, commit)
        try:
            changed = path.stat().st_mtime_ns
        except FileNotFoundError:
            return None
        with self._lock:
            known = self._open.get(path)
            if known is None or known[0] != changed:
                packed = zstandard.ZstdDecompressor().decompress(path.read_bytes())
                known = (changed, Compiled(msgspec.msgpack.decode(packed, type=CompiledIndex)))
            self._open[path] = known
            self._open.move_to_end(path)
            while len(self._open) > _KEPT:
                self._open.popitem(last=False)
        return known[1]

    def _path(self, repo: str, commit: str) -> Path:
        folder = blake2b(repo.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        return self._root / folder / f"{commit}.scip.zst"
