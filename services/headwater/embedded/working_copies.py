"""Working copies as private views: which there are, and bringing each to what is on disk."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import msgspec

from headwater.domain.view import ViewKey, private_ref
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index, location_of, take_in
from headwater.embedded.product import Product, Progress
from headwater.embedded.report import ViewReport
from headwater.embedded.whereabouts import name_of
from headwater.runtime.private_files import replace_file
from headwater.stores.git_store import GitRepository, RepositoryUnreadableError
from headwater.stores.working_copy import WorkingCopy, WorkingCopySource

COLLECT_AFTER = 50  # states taken in


class WorkingCopyView(msgspec.Struct, frozen=True):
    """A worktree's folder as somebody's private view of a repository."""

    repo: str
    path: str  # absolute
    owner: str = ""  # a principal's subject; "": whose home it is

    @property
    def view(self) -> ViewKey:
        folder = re.sub(r"[^\w.-]", "-", Path(self.path).name) or "root"
        label = f"{folder}-{blake2b(self.path.encode('utf-8', 'surrogateescape'), digest_size=3).hexdigest()}"
        return ViewKey(self.repo, private_ref(self.owner, label))


class WorkingCopies:
    """Those of one home, a file each."""

    def __init__(self, home: Home) -> None:
        self._folder = home.worktrees

    def all(self) -> list[WorkingCopyView]:
        files = sorted(self._folder.glob("*.json")) if self._folder.exists() else []
        return [msgspec.json.decode(file.read_bytes(), type=WorkingCopyView) for file in files]

    def at(self, folder: Path, owner: str = "") -> WorkingCopyView | None:
        """The owner's working copy that holds this folder, the innermost of several."""
        place = folder.expanduser().resolve()
        around = [c for c in self.all() if c.owner == owner and place.is_relative_to(c.path)]
        return max(around, key=lambda c: len(c.path), default=None)

    def of(self, view: ViewKey) -> WorkingCopyView | None:
        return next((c for c in self.all() if c.view == view), None)

    def add(self, copy: WorkingCopyView) -> None:
        replace_file(self._file(copy), msgspec.json.encode(copy))  # another process may be reading

    def has(self, copy: WorkingCopyView) -> bool:
        return self._file(copy).exists()

    def remove(self, copy: WorkingCopyView) -> None:
        self._file(copy).unlink(missing_ok=True)

    def remove_of(self, repo: str) -> None:
        """Those of a repository that is gone."""
        for copy in self.all():
            if copy.repo == repo:
                self.remove(copy)

    def _file(self, copy: WorkingCopyView) -> Path:
        key = f"{copy.repo}\0{copy.view.ref}".encode()
        return self._folder / f"{blake2b(key, digest_size=12).hexdigest()}.json"


def registered(product: Product, folder: Path, owner: str, progress: Progress | None = None) -> WorkingCopyView:
    """The working copy around `folder`. A repository that isn't indexed yet is indexed at its HEAD first.

    Raises RepositoryUnreadableError, IndexingError and what `index` raises.
    """
    repository = GitRepository(folder)
    if repository.is_bare:
        raise RepositoryUnreadableError(f"{folder} has no working copy: name a folder with files")
    path, name = location_of(repository), name_of(product.catalog.repositories(), repository)
    if name is None:
        index(product, [Target(repository.path)], progress)
        name = name_of(product.catalog.repositories(), repository)
    copy = WorkingCopyView(name or repository.path.name, path, owner)
    WorkingCopies(product.home).add(copy)
    return copy


class Follower:
    """Brings one working copy's view to what is on disk, look by look."""

    def __init__(self, product: Product, copy: WorkingCopyView, scratch: Path) -> None:
        """Raises RepositoryUnreadableError."""
        self._product, self.copy = product, copy
        self._files = WorkingCopy(Path(copy.path), scratch)
        self._taken_in = 0

    def look(self) -> ViewReport | None:
        """What was taken in; None when the view shows what is on disk or was removed. Raises as `take_in` does."""
        if not self._is_wanted():
            return None
        source = self.now()
        return None if self._shows(source.commit) else self.take_in(source)

    def take_in(self, source: WorkingCopySource, progress: Progress | None = None) -> ViewReport:
        """Raises RepositoryUnreadableError, IndexingError, PipelineStalledError, CatalogUnavailableError."""
        report = take_in(self._product, self.copy.view, source.commit, progress, source)
        self._taken_in += 1
        if self._taken_in % COLLECT_AFTER == 0:
            self._product.collect()
        return report

    def now(self) -> WorkingCopySource:
        """The repository with the view's ref at what is on disk now. Raises RepositoryUnreadableError."""
        return WorkingCopySource(self._files, self.copy.view.ref, self._files.take().commit)

    def _is_wanted(self) -> bool:
        """Another process may have removed the working copy, or its repository."""
        repositories = {repository.name for repository in self._product.catalog.repositories()}
        return self.copy.repo in repositories and WorkingCopies(self._product.home).has(self.copy)

    def _shows(self, commit: str) -> bool:
        """Whether the index shows it, under the settings in force."""
        state = self._product.catalog.view(self.copy.view)
        if state is None or state.opened_rules != self._product.treatment.of(self.copy.repo).rules:
            return False
        return state.opened_commit == state.commit == commit


@contextmanager
def follower(product: Product, copy: WorkingCopyView) -> Iterator[Follower]:
    """With a scratch folder of its own, which goes at the end. Raises RepositoryUnreadableError."""
    with tempfile.TemporaryDirectory(prefix="headwater-worktree-") as scratch:
        yield Follower(product, copy, Path(scratch))


def forget(product: Product, copy: WorkingCopyView) -> None:
    """The view is gone, and with it everything that only it showed."""
    product.catalog.delete_view(copy.view)
    WorkingCopies(product.home).remove(copy)
    product.collect(thorough=True)
