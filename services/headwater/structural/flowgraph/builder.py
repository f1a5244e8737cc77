"""Walks one file's syntax tree and collects its nodes, edges, regions and definition events."""

from collections import defaultdict
from functools import cache
from threading import Lock

import tree_sitter as ts

from headwater.structural.flowgraph.graph import CODES, Graph, Role, single
from headwater.structural.flowgraph.reaching import Closure, Define, Events, Use, reaching_definitions
from headwater.structural.flowgraph.scope import Scope
from headwater.structural.flowgraph.shape import Language
from headwater.structural.flowgraph.stackless import Walk, run
from headwater.structural.query import Construct

DEPTH = 20_000  # where no limit is given


class Builder:
    """Collects one file's graph; handlers call `open`, `edge`, `close` and yield `visit`."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.scope = Scope(language.name)
        self.events: Events = []
        self.columns: dict[str, list[int]] = defaultdict(list)
        self._strings: dict[str, int] = {"": 0}
        self._table: list[str] = [""]
        self._block: list[int] = []

    def open(
        self,
        construct: Construct,
        at: ts.Node,
        *,
        name: str = "",
        qualified: str = "",
        type_name: str = "",
        modifiers: str = "",
    ) -> int:
        """Adds a node whose subtree is all that is added until `close`."""
        index = len(self.columns["kind"])
        row, column = at.start_point
        values = {
            "kind": CODES[construct],
            "name": self.intern(name),
            "qualified": self.intern(qualified),
            "type": self.intern(type_name),
            "modifiers": self.intern(modifiers),
            "line": row + 1,
            "column": column,
            "end_line": at.end_point[0] + 1,
            "last": index + 1,
            "block_end": index + 1,
            "arity": 0,
        }
        for key, value in values.items():
            self.columns[key].append(value)
        self._block.append(index)
        return index

    def close(self, index: int) -> int:
        self.columns["last"][index] = len(self)
        return index

    def leaf(
        self, construct: Construct, at: ts.Node, *, name: str = "", type_name: str = "", qualified: str = ""
    ) -> int:
        return self.open(construct, at, name=name, type_name=type_name, qualified=qualified)

    def set(self, index: int, **strings: str) -> None:
        for column, value in strings.items():
            self.columns[column][index] = self.intern(value)

    def string(self, column: str, index: int) -> str:
        return self._table[self.columns[column][index]] if index >= 0 else ""

    def intern(self, value: str) -> int:
        known = self._strings.get(value)
        if known is None:
            known = self._strings[value] = len(self._strings)
            self._table.append(value)
        return known

    def __len__(self) -> int:
        return len(self.columns["kind"])

    def edge(self, source: int, target: int, role: Role, index: int = 0) -> None:
        if source >= 0 and target >= 0:
            for key, value in (("source", source), ("target", target), ("role", role), ("index", index)):
                self.columns[key].append(value)

    def region(self, owner: int, role: Role, *inside: ts.Node | None) -> Walk[int]:
        """Visits the nodes as a region that the owner decides; returns the last one's value."""
        start, root = len(self), -1
        for node in inside:
            if node is not None:
                root = yield self.visit(node)
        self.close_region(owner, role, start)
        return root

    def close_region(self, owner: int, role: Role, start: int) -> None:
        if len(self) > start:
            for key, value in (("owner", owner), ("region_role", role), ("start", start), ("stop", len(self))):
                self.columns[key].append(value)

    def recorded(self, owner: int, role: Role, *inside: ts.Node | None) -> Walk[Events]:
        """As `region`, but keeps the events apart and returns them."""
        outer, self.events = self.events, []
        yield from self.region(owner, role, *inside)
        inner, self.events = self.events, outer
        return inner

    def closure(self, parts: Walk[None]) -> Walk[None]:
        """Runs what visits a function's parameters and body; its events see but don't change the ones around it."""
        outer, self.events = self.events, []
        yield from parts
        body, self.events = self.events, outer
        self.events.append(Closure(body))

    def use(self, index: int, name: str) -> int:
        self.events.append(Use(index, name))
        return index

    def define(self, index: int, name: str, value: int) -> int:
        self.events.append(Define(index, name))
        self.edge(index, value, Role.BOUND)
        return index

    def visit(self, node: ts.Node) -> Walk[int] | int:
        """Adds the node and what it holds; yielded, it gives the graph node that carries its value, -1 for none."""
        shape = self.language.shapes.get(node.type)
        return self._through(node) if shape is None else shape.handler(self, node, shape)

    def _through(self, node: ts.Node) -> Walk[int]:
        if node.type in self.language.skipped:
            return -1
        if node.type in self.language.wrappers:
            return (yield from self._unwrap(node, self.language.wrappers[node.type]))
        if node.type not in self.language.blocks:
            for child in node.named_children:
                yield self.visit(child)
            return -1
        outer, self._block = self._block, []
        for child in node.named_children:
            yield self.visit(child)
        for index in self._block:
            self.columns["block_end"][index] = len(self)
        self._block = outer
        return -1

    def _unwrap(self, node: ts.Node, field: str) -> Walk[int]:
        inner = node.child_by_field_name(field) if field else None
        if inner is not None:
            value: int = yield self.visit(inner)
            return value
        root = -1
        for child in node.named_children:
            value = yield self.visit(child)
            root = value if root < 0 else root
        return root

    def finish(self, depth: int) -> Graph:
        for index in self._block:
            self.columns["block_end"][index] = len(self)
        for definition, use in reaching_definitions(self.events, depth):
            self.edge(definition, use, Role.REACHES)
        return single(self.columns, self._table)


_parsing = Lock()  # a parser serves one thread at a time


@cache
def _parser(language: Language) -> ts.Parser:
    return ts.Parser(language.grammar())


def build(language: Language, content: bytes, depth: int = DEPTH) -> Graph:
    """The file's graph. Broken code gives the graph of what could be parsed.

    Raises TooDeepError for syntax that nests more than `depth` levels.
    """
    builder = Builder(language)
    with _parsing:
        tree = _parser(language).parse(content)
    run(_visited(builder, tree.root_node), depth)
    return builder.finish(depth)


def _visited(builder: Builder, root: ts.Node) -> Walk[int]:
    value: int = yield builder.visit(root)
    return value
