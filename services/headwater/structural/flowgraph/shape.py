"""How a grammar's node types become graph nodes: one table per language of shapes, each with its handler."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import tree_sitter as ts

from headwater.structural.flowgraph.stackless import Walk
from headwater.structural.query import Construct

if TYPE_CHECKING:
    from headwater.structural.flowgraph.builder import Builder


@dataclass(frozen=True, slots=True)
class Shape:
    """One node type's meaning. The strings are the grammar's field names, "" where the grammar has none."""

    handler: "Callable[[Builder, ts.Node, Shape], Walk[int] | int]"
    construct: Construct = Construct.ANY
    name: str = ""
    type: str = ""
    receiver: str = ""
    arguments: str = ""
    operands: tuple[str, ...] = ()
    value: str = ""
    condition: str = ""
    setup: tuple[str, ...] = ()
    update: str = ""
    body: str = ""
    alternative: str = ""
    literal: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language's grammar and shapes. Node types without a shape are walked through."""

    name: str
    grammar: Callable[[], ts.Language]
    shapes: Mapping[str, Shape]
    members: Mapping[str, tuple[str, str]]  # member access: node type → fields (object, name)
    wrappers: Mapping[str, str]  # node types that stand for one child: its field, "" for the only named one
    skipped: frozenset[str]  # types, labels, comments: no values in them
    blocks: frozenset[str]  # statement lists
    selves: frozenset[str] = frozenset(("this",))
    labels: frozenset[str] = frozenset()  # what a switch case compares with
    patterns: frozenset[str] = frozenset()  # destructuring: defines each of its children
    class_fields: Callable[[ts.Node], dict[str, str]] = field(default=lambda node: {})
    capitalised_call_creates: bool = False


def text(node: ts.Node | None) -> str:
    """The node's source text, "" for none."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")
