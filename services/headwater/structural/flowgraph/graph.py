"""The dependence graph as flat arrays: nodes in evaluation order, edges, and the regions that control nodes decide."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
import zstandard

from headwater.structural.flowgraph.regex import compiled
from headwater.structural.query import Construct

CODES = {construct: code for code, construct in enumerate(Construct)}
CONSTRUCTS = tuple(Construct)
FORMAT = 1
_AT_ONCE = 4096
NAMED = frozenset(
    (
        *(Construct.CALL, Construct.NEW, Construct.VARIABLE, Construct.PARAMETER, Construct.FIELD, Construct.METHOD),
        *(Construct.CLASS, Construct.ASSIGNMENT),
    )
)

Ints: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Mask: TypeAlias = npt.NDArray[np.bool_]


class Role(IntEnum):
    """What the target of an edge, or a region, is to its owner."""

    ARGUMENT = 0
    RECEIVER = 1
    VALUE = 2
    DEFINES = 3  # an assignment to the variable it sets
    BOUND = 4  # a defined variable to the expression whose value it takes
    REACHES = 5  # a definition to a use that may see it
    CONDITION = 6
    BODY = 7
    ELSE = 8
    SETUP = 9


NODE_COLUMNS = (
    "kind",
    "name",
    "qualified",
    "type",
    "modifiers",
    "line",
    "column",
    "end_line",
    "last",
    "block_end",
    "arity",
)
EDGE_COLUMNS = ("source", "target", "role", "index")
REGION_COLUMNS = ("owner", "region_role", "start", "stop")
_COLUMNS = (*NODE_COLUMNS, *EDGE_COLUMNS, *REGION_COLUMNS)
_NODE_INDEXES = {"last", "block_end", "source", "target", "owner", "start", "stop"}
_STRING_INDEXES = {"name", "qualified", "type", "modifiers"}


class Graph:
    """One or many files' nodes; `last[i]` is one past the node's subtree, `block_end[i]` one past its block.

    Strings are ids into `strings`; lines are 1-based, columns 0-based bytes; `file[i]` indexes `paths`.
    """

    kind: Ints
    name: Ints
    qualified: Ints
    type: Ints
    modifiers: Ints
    line: Ints
    column: Ints
    end_line: Ints
    last: Ints
    block_end: Ints
    arity: Ints
    source: Ints
    target: Ints
    role: Ints
    index: Ints
    owner: Ints
    region_role: Ints
    start: Ints
    stop: Ints

    def __init__(self, columns: dict[str, Ints], strings: Sequence[str], paths: Sequence[str], file: Ints) -> None:
        self.__dict__.update(columns)
        self.strings = tuple(strings)
        self.paths = tuple(paths)
        self.file = file

    def __len__(self) -> int:
        return len(self.kind)

    def ready(self) -> None:
        """Computes what the first query and the first translation would."""
        _ = self.names, self.type_names, self._starts, self._lines, self.definitions

    def strings_matching(self, pattern: str, spend: Callable[[int], None] = lambda matches: None) -> Mask:
        """Which of `strings` the regular expression matches as a whole; a line end in one reads as NUL.

        Calls `spend` with the number of every few thousand matches as they are found, which may raise to end it.
        """
        found = np.zeros(len(self.strings), dtype=bool)
        matches = (match.start() for match in compiled(pattern).finditer(self._lines))
        while starts := list(islice(matches, _AT_ONCE)):
            spend(len(starts))
            found[np.searchsorted(self._starts, starts)] = True
        return found

    def edges(self, role: Role) -> tuple[Ints, Ints, Ints]:
        """Source, target and index of every edge of the role."""
        if role not in self._by_role:
            kept = np.flatnonzero(self.role == role)
            self._by_role[role] = (self.source[kept], self.target[kept], self.index[kept])
        return self._by_role[role]

    def regions(self, role: Role) -> tuple[Ints, Ints, Ints]:
        """Owner, start and stop of every region of the role."""
        if role not in self._region_by_role:
            kept = np.flatnonzero(self.region_role == role)
            self._region_by_role[role] = (self.owner[kept], self.start[kept], self.stop[kept])
        return self._region_by_role[role]

    @cached_property
    def definitions(self) -> Mask:
        """Variables that are set rather than read."""
        found = np.zeros(len(self), dtype=bool)
        for role in (Role.REACHES, Role.BOUND):
            found[self.edges(role)[0]] = True
        return found

    @cached_property
    def names(self) -> dict[str, Counter[Construct]]:
        """How often each construct bears each name."""
        found: dict[str, Counter[Construct]] = {}
        pairs, counts = np.unique(self.kind.astype(np.int64) << 32 | self.name, return_counts=True)
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
            construct, text = CONSTRUCTS[pair >> 32], self.strings[pair & 0xFFFFFFFF]
            if text and construct in NAMED:
                found.setdefault(text, Counter())[construct] += count
        return found

    @cached_property
    def type_names(self) -> frozenset[str]:
        """The simple names of all types that are spoken of."""
        types = (self.strings[number] for number in np.unique(self.type).tolist())
        return frozenset(part.rpartition(".")[2] for text in types for part in text.split(";"))

    @cached_property
    def _by_role(self) -> dict[Role, tuple[Ints, Ints, Ints]]:
        return {}

    @cached_property
    def _region_by_role(self) -> dict[Role, tuple[Ints, Ints, Ints]]:
        return {}

    @cached_property
    def _lines(self) -> bytes:
        return "\n".join(text.replace("\n", "\0") for text in self.strings).encode("utf-8", "replace")

    @cached_property
    def _starts(self) -> Ints:
        """Where each string's line starts in `_lines`."""
        ends = np.flatnonzero(np.frombuffer(self._lines, dtype=np.uint8) == ord("\n"))
        return np.concatenate(([0], ends + 1))

    def columns(self) -> dict[str, Ints]:
        return {column: self.__dict__[column] for column in _COLUMNS}


def single(columns: Mapping[str, Sequence[int]], strings: Sequence[str]) -> Graph:
    """A graph of one file, without its path."""
    arrays = {column: np.asarray(columns[column], dtype=np.int32) for column in _COLUMNS}
    return Graph(arrays, strings, ("",), np.zeros(len(arrays["kind"]), dtype=np.int32))


def pack(graph: Graph) -> bytes:
    """Compressed bytes of a single file's graph; `unpack` is the inverse."""
    body: dict[str, Any] = {column: array.astype("<i4").tobytes() for column, array in graph.columns().items()}
    body["strings"] = graph.strings
    return zstandard.compress(msgspec.msgpack.encode([FORMAT, body]), 3)


def unpack(raw: bytes) -> Graph:
    """Reads what `pack` wrote; raises ValueError for another format."""
    version, body = msgspec.msgpack.decode(zstandard.decompress(raw))
    if version != FORMAT:
        raise ValueError(f"flow graph of format {version}, expected {FORMAT}: build it anew")
    arrays = {column: np.frombuffer(body[column], dtype="<i4").astype(np.int32) for column in _COLUMNS}
    return Graph(arrays, body["strings"], ("",), np.zeros(len(arrays["kind"]), dtype=np.int32))


def merge(graphs: Sequence[tuple[str, Graph]]) -> Graph:
    """One graph of all the files, in the order given."""
    table: dict[str, int] = {"": 0}
    parts: dict[str, list[Ints]] = {column: [] for column in _COLUMNS}
    files: list[Ints] = []
    offset = 0
    for number, (_, graph) in enumerate(graphs):
        ids = np.fromiter((table.setdefault(text, len(table)) for text in graph.strings), np.int32, len(graph.strings))
        for column, array in graph.columns().items():
            parts[column].append(_moved(column, array, offset, ids))
        files.append(np.full(len(graph), number, dtype=np.int32))
        offset += len(graph)
    empty = np.zeros(0, dtype=np.int32)
    columns = {column: np.concatenate(arrays) if arrays else empty for column, arrays in parts.items()}
    return Graph(columns, tuple(table), [path for path, _ in graphs], np.concatenate(files) if files else empty)


def _moved(column: str, array: Ints, offset: int, ids: Ints) -> Ints:
    if column in _STRING_INDEXES:
        return ids[array]
    return array + np.int32(offset) if column in _NODE_INDEXES else array
