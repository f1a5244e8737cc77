"""What branches cost on SQLite and PostgreSQL: bytes of many small ones against the goal, and a large one's seconds."""

import argparse
import os
import random
import re
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pygit2

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from headwater.ast_chunker.parse_pool import ParsePool
from headwater.ast_chunker.stage import AstChunker
from headwater.domain.view import ViewKey
from headwater.runtime.installed import stack_dir
from headwater.stack import COMPONENTS
from headwater.streaming.in_process import InProcessRunner
from support.catalogs import PostgresStore, SqliteStore, Store
from support.rig import MODEL, REPO, Rig, received

MAIN = "refs/heads/main"
AUTHOR = pygit2.Signature("Bench", "bench@example.com", 0, 0)
BATCHES = {"ast-chunker": 64, "embedder": 256, "vector-sink": 1024, "defref-sink": 128, "reconciler": 64}
GOAL_FILES, GOAL_SHARE = 1_000 * 20, 0.1  # 1,000 branches of 20 changed files may add a tenth
MISSION_LINES = 30_000_000
_STATEMENT = re.compile(rb"\s+(return|raise|self\.\w+ =)\b")


class Branches:
    """A bare repository whose branches each change some files of main."""

    def __init__(self, folder: Path, files: Mapping[str, bytes]) -> None:
        self.repository = pygit2.init_repository(str(folder), bare=True, initial_head="main")
        self.files, self.paths = dict(files), sorted(files)
        self.main = self._commit(MAIN, self.files, [])

    def branch(self, number: int, count: int) -> str:
        """A new branch that adds two lines to each of `count` files, other ones each time; its ref."""
        ref, at = f"refs/heads/b{number}", number * count
        chosen = {self.paths[n % len(self.paths)] for n in range(at, at + count)}
        self._commit(ref, {p: edited(c, number) if p in chosen else c for p, c in self.files.items()}, [self.main])
        return ref

    def _commit(self, ref: str, files: Mapping[str, bytes], parents: list[pygit2.Oid]) -> pygit2.Oid:
        index = pygit2.Index()
        for path, content in files.items():
            index.add(pygit2.IndexEntry(path, self.repository.create_blob(content), pygit2.enums.FileMode.BLOB))
        tree = index.write_tree(self.repository)
        return self.repository.create_commit(ref, AUTHOR, AUTHOR, "bench", tree, parents)


def edited(content: bytes, number: int) -> bytes:
    """With two lines before some statement, indented like it."""
    lines = content.split(b"\n")
    places = [n for n, line in enumerate(lines) if _STATEMENT.match(line)] or [0]
    at = random.Random(number * 7919 + len(content)).choice(places)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    return b"\n".join([*lines[:at], indent + b"# branch %d" % number, indent + b"changed_by(%d)" % number, *lines[at:]])


def sources(folder: Path, limit: int, copies: int) -> Iterator[tuple[str, bytes]]:
    files = [p for p in sorted(folder.rglob("*.py")) if p.stat().st_size < 100_000][:limit]
    for copy in range(copies):
        for path in files:
            yield f"copy{copy}/{path.relative_to(folder).as_posix()}", path.read_bytes() + b"# copy %d\n" % copy


class Index:
    """The pipeline in this process, with parse workers, over the catalog of a store."""

    def __init__(self, folder: Path, repository: Path, store: Store, pool: ParsePool) -> None:
        folder.mkdir()
        self.rig, self._store, self._folder, self._pool = Rig(folder, repository, store=store), store, folder, pool

    def follow(self, refs: Sequence[str]) -> tuple[float, float]:
        """Bring the refs' views up to date; seconds, and those of CPU in all processes, workers and server included."""
        started, cpu = time.perf_counter(), cpu_seconds()
        stages = {**self.rig.stages(), "ast-chunker": AstChunker(MODEL.version, self.rig.git, self._pool)}
        runner = InProcessRunner(stages, batches=BATCHES)
        runner.submit("commit-received", [received(ref) for ref in refs])
        runner.drain()
        return time.perf_counter() - started, cpu_seconds() - cpu

    def size(self) -> int:
        """Bytes of catalog and vectors without what nothing shows."""
        self.rig.catalog.collect(1)
        self.rig.catalog._database.compact()
        self.rig.vectors.delete(self.rig.catalog.orphan_hashes(self.rig.vectors.hashes()))
        vectors = sum(p.stat().st_size for p in (self._folder / "vectors").rglob("*") if p.is_file())
        in_folder = isinstance(self._store, SqliteStore)
        return self._store.size() if in_folder else self._store.size() + vectors


def cpu_seconds() -> float:
    """Of this process and all below it that still run."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(folder.name)], ticks[int(folder.name)] = int(fields[1]), int(fields[11]) + int(fields[12])
    own = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in own} - own:
        own |= more
    return sum(ticks.get(pid, 0) for pid in own) / os.sysconf("SC_CLK_TCK")


def measure(title: str, index: Index, git: Branches, arguments: argparse.Namespace) -> None:
    files, lines = len(git.files), sum(c.count(b"\n") for c in git.files.values())
    print(f"{title}: main, {files} files, {lines} lines: {index.follow([MAIN])[0]:.1f} s")
    before = index.size()
    refs = [git.branch(n, arguments.changed) for n in range(arguments.branches)]
    seconds, _ = index.follow(refs)
    grown = index.size() - before
    overlays = [index.rig.catalog.overlay(ViewKey(REPO, ref)) for ref in refs]
    places = sum(o.places for o in overlays if o is not None)
    print(f"  {len(refs)} branches: {seconds / len(refs) * 1000:.0f} ms and {places / len(refs):.0f} places each")
    against_goal(before, grown / (len(refs) * arguments.changed), files, lines)
    large = git.branch(arguments.branches, arguments.large)
    took, cpu = index.follow([large])
    print(f"  a branch of {arguments.large} changed files: searchable in {took:.1f} s, {cpu:.1f} s of CPU (goal 5)")
    for ref in [*refs, large]:
        index.rig.catalog.delete_view(ViewKey(REPO, ref))
    print(f"  all branches deleted: {index.size() / before - 1:+.2%} of what main alone took")


def against_goal(before: int, changed: float, files: int, lines: int) -> None:
    cost = GOAL_FILES * changed
    print(f"  {before / files / 1000:.1f} kB a file of main, {before / lines:.0f} bytes a line", end="; ")
    print(f"{changed / 1000:.2f} kB a changed file")
    print(f"  {GOAL_FILES} changed files: {cost / 1e6:.0f} MB, {GOAL_SHARE:.0%} of an index of", end=" ")
    print(
        f"{cost / GOAL_SHARE / (before / files):,.0f} such files or {cost / GOAL_SHARE / (before / lines):,.0f} lines",
        end="; ",
    )
    print(f"of {MISSION_LINES:,} lines {cost / (MISSION_LINES * before / lines):.1%}")


def main() -> None:
    """Run everything on the Python standard library or another folder of sources."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--sources", type=Path, default=Path(sysconfig.get_paths()["stdlib"]))
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--copies", type=int, default=2)
    parser.add_argument("--branches", type=int, default=30)
    parser.add_argument("--changed", type=int, default=20, help="files of each branch")
    parser.add_argument("--large", type=int, default=500, help="files of the large branch")
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    arguments = parser.parse_args()
    files = dict(sources(arguments.sources, arguments.files, arguments.copies))
    for kind in (arguments.only,) if arguments.only else ("sqlite", "postgres"):
        with tempfile.TemporaryDirectory() as name, ExitStack() as opened:
            folder = Path(name)
            folder.chmod(0o755)  # PostgreSQL runs as a user of its own
            git = Branches(folder / "repository.git", files)
            new = SqliteStore
            if kind == "postgres":
                server = COMPONENTS["postgres"].start(stack_dir(), folder / "postgres")
                opened.callback(server.stop)
                new = partial(PostgresStore, f"postgresql://app@127.0.0.1:{server.ports['sql']}/postgres")
            store = new(folder / "index")
            opened.callback(store.close)
            pool = opened.enter_context(ParsePool(MODEL.version, 2))
            measure(kind, Index(folder / "index", folder / "repository.git", store, pool), git, arguments)


if __name__ == "__main__":
    main()
