"""The flow graphs of sets of files, merged and held for many queries."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from zlib import crc32

from headwater.structural.flowgraph.cache import GraphCache, LeftOutError, graph_of
from headwater.structural.flowgraph.graph import Graph, merge
from headwater.structural.source import Source

_CUT_EVERY = 512  # files a merged graph on average: large enough for array speed, small enough to stream
_CHECK_EVERY_S = 0.05
_MOST_NODES = 16_000_000  # held merged; some 150 bytes each


@dataclass(frozen=True, slots=True)
class Shard:
    """Some files of one language, merged."""

    language: str
    graph: Graph
    left_out: tuple[tuple[str, str], ...] = ()  # files without a graph, and why


class Shards:
    """Merged graphs of recently searched files, safe to use from several threads.

    A shard is held by what it consists of: what a set of files shares with a former one is not merged again, so a
    commit costs the few shards that it touches.
    """

    def __init__(self, cache: GraphCache | None = None, most_nodes: int = _MOST_NODES) -> None:
        self.cache, self._most = cache, most_nodes
        self._held: OrderedDict[tuple[object, ...], Shard] = OrderedDict()
        self._nodes, self._lock, self._merging = 0, Lock(), Lock()

    def of(self, files: Iterable[Source], check: Callable[[], None] = lambda: None) -> Iterator[Shard]:
        """The files' graphs by language and, within one, in the order given. `check` is called before each file and
        while another question merges, and may raise to end it."""
        by_language: dict[str, list[Source]] = defaultdict(list)
        for file in files:
            by_language[file.language].append(file)
        for language, listed in sorted(by_language.items()):
            for part in _cut(listed):
                shard = self._shard(language, part, check)
                if len(shard.graph) or shard.left_out:
                    yield shard

    def _shard(self, language: str, files: Sequence[Source], check: Callable[[], None]) -> Shard:
        key = tuple((file.path, file.blob) for file in files)
        held = self._recall(key)
        if held is not None:
            return held
        while not self._merging.acquire(timeout=_CHECK_EVERY_S):
            check()
        try:  # two questions at the same time don't build the same twice
            held = self._recall(key)
            if held is None:
                held = self._merged(language, files, check)
                self._keep(key, held)
        finally:
            self._merging.release()
        return held

    def _merged(self, language: str, files: Sequence[Source], check: Callable[[], None]) -> Shard:
        graphs, left_out = [], []
        for file in files:
            check()
            try:
                graph = graph_of(file, self.cache)
            except LeftOutError as error:
                left_out.append((file.path, str(error)))
                continue
            if graph is not None:
                graphs.append((file.path, graph))
        return Shard(language, merge(graphs), tuple(left_out))

    def _recall(self, key: tuple[object, ...]) -> Shard | None:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def _keep(self, key: tuple[object, ...], shard: Shard) -> None:
        with self._lock:
            self._held[key] = shard
            self._nodes += len(shard.graph)
            while self._nodes > self._most and len(self._held) > 1:
                self._nodes -= len(self._held.popitem(last=False)[1].graph)


def _cut(files: Sequence[Source]) -> Iterator[Sequence[Source]]:
    """Cuts where a path's own hash says so: a file that comes or goes moves no other file to another shard."""
    start = 0
    for end, file in enumerate(files, 1):
        if crc32(file.path.encode("utf-8", "surrogateescape")) % _CUT_EVERY == 0 or end == len(files):
            yield files[start:end]
            start = end
