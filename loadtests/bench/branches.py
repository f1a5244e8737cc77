"""What branches cost: bytes of many small ones, beside what manifests of their own would take, and one large one."""

import argparse
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pygit2

from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.events import CommitReceived
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.stores.catalog import Repository

REPO = "bench"
MAIN = "refs/heads/main"
AUTHOR = pygit2.Signature("Bench", "bench@example.com", 0, 0)


class Branches:
    """A bare repository whose branches each change some files of main."""

    def __init__(self, folder: Path, files: Mapping[str, bytes]) -> None:
        self.repository = pygit2.init_repository(str(folder), bare=True, initial_head="main")
        self.files, self.paths = dict(files), sorted(files)
        self.main = self._commit(MAIN, self.files, [])

    def branch(self, number: int, count: int) -> str:
        """A new branch that adds a line to `count` files, other ones each time; its ref."""
        ref = f"refs/heads/b{number}"
        at = number * count
        chosen = {self.paths[n % len(self.paths)] for n in range(at, at + count)}
        edited = {p: c + b"# branch %d\n" % number if p in chosen else c for p, c in self.files.items()}
        self._commit(ref, edited, [self.main])
        return ref

    def _commit(self, ref: str, files: Mapping[str, bytes], parents: list[pygit2.Oid]) -> pygit2.Oid:
        index = pygit2.Index()
        for path, content in files.items():
            index.add(pygit2.IndexEntry(path, self.repository.create_blob(content), pygit2.enums.FileMode.BLOB))
        tree = index.write_tree(self.repository)
        return self.repository.create_commit(ref, AUTHOR, AUTHOR, "bench", tree, parents)


def sources(folder: Path, limit: int, copies: int) -> Iterator[tuple[str, bytes]]:
    files = [p for p in sorted(folder.rglob("*.py")) if p.stat().st_size < 100_000][:limit]
    for copy in range(copies):
        for path in files:
            yield f"copy{copy}/{path.relative_to(folder).as_posix()}", path.read_bytes() + b"# copy %d\n" % copy


def follow(product: Product, *refs: str) -> float:
    """Bring the refs' views up to date; seconds."""
    started = time.perf_counter()
    now = time.time()
    product.run([CommitReceived(repo=REPO, ref=ref, after="", pushed_at=now, cause="poll") for ref in refs])
    return time.perf_counter() - started


def differ_alone(product: Product, ref: str) -> float:
    started = time.perf_counter()
    event = CommitReceived(repo=REPO, ref=ref, after="", pushed_at=time.time(), cause="poll")
    assert len(list(MerkleDiffer(product.catalog, product.git, bulk_from=1 << 31).handle([event]))) > 1
    return time.perf_counter() - started


def size_of(product: Product) -> int:
    product.collect(thorough=True)
    return sum(p.stat().st_size for p in product.home.root.rglob("*") if p.is_file())


def main() -> None:
    """Run everything on the Python standard library or another folder of sources."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--sources", type=Path, default=Path(sysconfig.get_paths()["stdlib"]))
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--branches", type=int, default=40)
    parser.add_argument("--changed", type=int, default=20, help="files of each branch")
    parser.add_argument("--large", type=int, default=500, help="files of the large branch")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        files = dict(sources(arguments.sources, arguments.files, arguments.copies))
        git = Branches(Path(name) / "repository.git", files)
        with Product(Home(Path(name) / "home")) as product:
            product.catalog.add_repository(Repository(REPO, str(Path(name) / "repository.git")))
            print(f"main, {len(files)} files: {follow(product, MAIN):.1f} s")
            before = size_of(product)
            refs = [git.branch(n, arguments.changed) for n in range(arguments.branches)]
            seconds = follow(product, *refs)
            report(product, refs, seconds, before, len(files))
            large = git.branch(arguments.branches, arguments.large)
            print(f"a branch of {arguments.large} changed files: searchable in {follow(product, large):.1f} s (goal 5)")
            other = git.branch(arguments.branches + 1, arguments.large)
            print(f"the differ's part of another such branch: {differ_alone(product, other):.2f} s")
            for ref in [*refs, large, other]:
                product.catalog.delete_view(ViewKey(REPO, ref))
            print(f"all branches deleted: {size_of(product) / before - 1:+.1%} of what main alone took")


def report(product: Product, refs: list[str], seconds: float, before: int, files: int) -> None:
    grown = size_of(product) - before
    overlays = [product.catalog.overlay(ViewKey(REPO, ref)) for ref in refs]
    places = [o.places for o in overlays if o is not None]
    each = grown / len(refs)
    print(f"{len(refs)} branches: {seconds / len(refs) * 1000:.0f} ms each; {grown / before:+.1%} bytes", end="; ")
    print(f"{each / 1000:.0f} kB each, {before / files / 1000:.1f} kB a file of main", end="; ")
    print(f"{len(places)} are overlays of {sum(places) / max(1, len(places)):.0f} places; alone: {files} and folders")


if __name__ == "__main__":
    main()
