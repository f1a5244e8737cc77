"""Where compiler-made indexes of commits are kept, apart from the catalog: they come late, or never."""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Protocol

import msgspec
import zstandard

from headwater.domain.scip.compiled import Compiled, CompiledIndex
from headwater.runtime.private_files import replace_file

COMMITS_KEPT = 32  # of a repository; the import before them is dropped
_OPEN = 4


class CompiledIndexes(Protocol):
    """One index a repository and commit; a later import replaces it. The last COMMITS_KEPT imports are kept."""

    def put(self, repo: str, commit: str, index: CompiledIndex) -> None:
        """Whole or not at all. Raises OSError or CatalogUnavailableError."""
        ...

    def get(self, repo: str, commit: str) -> Compiled | None: ...


def packed(index: CompiledIndex) -> bytes:
    return zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(index))


class OpenIndexes:
    """The last few that were asked for, by repository and commit, each as of one import."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[str, str], tuple[int, Compiled]] = OrderedDict()
        self._lock = Lock()

    def get(self, repo: str, commit: str, imported: int, read: Callable[[], bytes]) -> Compiled:
        """`imported` is different for each import; `read` gives what `packed` made."""
        with self._lock:
            known = self._open.get((repo, commit))
            if known is None or known[0] != imported:
                body = zstandard.ZstdDecompressor().decompress(read())
                known = (imported, Compiled(msgspec.msgpack.decode(body, type=CompiledIndex)))
            self._open[repo, commit] = known
            self._open.move_to_end((repo, commit))
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
        return known[1]


class FolderCompiledIndexes:
    """One compressed file each."""

    def __init__(self, root: Path) -> None:
        self._root, self._open = root, OpenIndexes()

    def put(self, repo: str, commit: str, index: CompiledIndex) -> None:
        """See `CompiledIndexes`."""
        path = self._path(repo, commit)
        replace_file(path, packed(index))
        imports = sorted(path.parent.glob("*.scip.zst"), key=lambda p: p.stat().st_mtime_ns)
        for old in imports[:-COMMITS_KEPT]:
            old.unlink(missing_ok=True)

    def get(self, repo: str, commit: str) -> Compiled | None:
        path = self._path(repo, commit)
        try:
            imported = path.stat().st_mtime_ns
            return self._open.get(repo, commit, imported, path.read_bytes)
        except FileNotFoundError:
            return None

    def _path(self, repo: str, commit: str) -> Path:
        folder = blake2b(repo.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        return self._root / folder / f"{commit}.scip.zst"
