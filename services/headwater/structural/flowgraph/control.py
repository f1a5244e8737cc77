"""Handlers for what decides which code runs: branches, loops, switches, exceptions, jumps."""

import tree_sitter as ts

from headwater.structural.flowgraph.builder import Builder
from headwater.structural.flowgraph.graph import Role
from headwater.structural.flowgraph.reaching import Attempt, Branch, Events, Loop, Stop
from headwater.structural.flowgraph.shape import Shape, text
from headwater.structural.flowgraph.stackless import Walk
from headwater.structural.flowgraph.values import define
from headwater.structural.query import Construct

_HANDLERS = ("catch_clause", "except_clause", "except_group_clause")


def branch(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    index = b.open(shape.construct, node)
    for field in shape.setup:
        yield from b.region(index, Role.SETUP, node.child_by_field_name(field))
    b.edge(
        index, (yield from b.region(index, Role.CONDITION, node.child_by_field_name(shape.condition))), Role.CONDITION
    )
    alternatives = [(yield from b.recorded(index, Role.BODY, node.child_by_field_name(shape.body)))]
    others = node.children_by_field_name(shape.alternative)
    for other in others:
        alternatives.append((yield from b.recorded(index, Role.ELSE, other)))
    has_else = bool(others) and others[-1].type != "elif_clause"
    b.events.append(Branch(alternatives, skippable=not has_else))
    return b.close(index)


def loop(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    index = b.open(shape.construct, node)
    for field in shape.setup:
        yield from b.region(index, Role.SETUP, *node.children_by_field_name(field))
    events: Events = []
    outer, b.events = b.events, events
    conditions = [part for part in node.children_by_field_name(shape.condition) if part.is_named]
    if conditions:
        b.edge(index, (yield from b.region(index, Role.CONDITION, *conditions)), Role.CONDITION)
    yield from b.region(index, Role.BODY, node.child_by_field_name(shape.body))
    if shape.update:
        yield from b.region(index, Role.SETUP, *node.children_by_field_name(shape.update))
    b.events = outer
    b.events.append(Loop(events))
    yield from _otherwise(b, index, node)
    return b.close(index)


def each(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """A loop over a collection: the collection is its condition and argument, the variable is set at each turn."""
    index = b.open(shape.construct, node)
    collection, variable = node.child_by_field_name(shape.value), node.child_by_field_name(shape.name)
    root = yield from b.region(index, Role.CONDITION, collection)
    b.edge(index, root, Role.ARGUMENT)
    b.edge(index, root, Role.CONDITION)
    events: Events = []
    outer, b.events = b.events, events
    start = len(b)
    if variable is not None:
        declared = node.child_by_field_name(shape.type) if shape.type else None
        if variable.named_child_count == 0:
            b.scope.declare(text(variable), b.scope.resolve_type(text(declared)))
        for defined in (yield from define(b, variable, root)):
            b.edge(index, defined, Role.DEFINES)
    b.close_region(index, Role.SETUP, start)
    yield from b.region(index, Role.BODY, node.child_by_field_name(shape.body))
    b.events = outer
    b.events.append(Loop(events))
    yield from _otherwise(b, index, node)
    return b.close(index)


def switch(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    index = b.open(Construct.SWITCH, node)
    yield from b.region(index, Role.SETUP, node.child_by_field_name("initializer"))
    b.edge(
        index, (yield from b.region(index, Role.CONDITION, node.child_by_field_name(shape.condition))), Role.CONDITION
    )
    start, default, alternatives = len(b), False, []
    for case in _cases(b, node, shape):
        outer, b.events = b.events, []
        yield b.visit(case)
        alternatives.append(b.events)
        b.events = outer
        default = default or "default" in text(case)[:40]
    b.close_region(index, Role.BODY, start)
    b.events.append(Branch(alternatives, skippable=not default, falls_through=True))
    return b.close(index)


def case(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    labels = [c for i, c in enumerate(node.children) if _is_label(b, node, i, c)]
    written = text(labels[0]).removeprefix("case ").strip() if labels else "default"
    index = b.open(Construct.CASE, node, name=written)
    b.edge(index, (yield from b.region(index, Role.CONDITION, *labels)), Role.CONDITION)
    held = {label.id for label in labels}
    yield from b.region(index, Role.BODY, *(child for child in node.named_children if child.id not in held))
    return b.close(index)


def attempt(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    index = b.open(Construct.TRY, node)
    yield from b.region(index, Role.SETUP, node.child_by_field_name("resources"))
    body = yield from b.recorded(index, Role.BODY, node.child_by_field_name("body"))
    handlers: list[Events] = []
    final: Events = []
    for child in node.named_children:
        if child.type in _HANDLERS:
            handlers.append((yield from _apart(b, child)))
        elif child.type == "finally_clause":
            final = yield from _apart(b, child)
        elif child.type == "else_clause":
            body += yield from _apart(b, child)
    b.events.append(Attempt(body, handlers, final))
    return b.close(index)


def handler(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """A catch clause; its type is what it catches, several joined by `;`."""
    index = b.open(Construct.CATCH, node)
    caught, variable = _caught(node)
    types = ";".join(b.scope.resolve_type(text(part)) for part in caught)
    b.set(index, type=types)
    if variable is not None:
        parameter = b.open(Construct.PARAMETER, variable, name=text(variable), type_name=types)
        b.scope.declare(text(variable), types)
        b.define(parameter, text(variable), -1)
        b.set(index, name=text(variable))
    yield from b.region(index, Role.BODY, *(c for c in node.named_children if c.type in b.language.blocks))
    return b.close(index)


def block_statement(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """Finally, synchronized: a body, perhaps after an expression."""
    index = b.open(shape.construct, node)
    for child in node.named_children:
        role = Role.BODY if child.type in b.language.blocks else Role.CONDITION
        root = yield from b.region(index, role, child)
        if role is Role.CONDITION:
            b.edge(index, root, Role.CONDITION)
    return b.close(index)


def jump(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    index = b.open(shape.construct, node)
    leaves_loop = shape.construct in (Construct.BREAK, Construct.CONTINUE)
    for position, child in enumerate([] if leaves_loop else node.named_children):
        b.edge(index, (yield b.visit(child)), Role.VALUE, position)
    b.events.append(Stop(leaves_loop))
    return b.close(index)


def go_for(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """Go has one keyword for all loops: the clause tells which one it is."""
    head = next((child for child in node.named_children if child.type != "block"), None)
    body = node.child_by_field_name("body")
    if head is not None and head.type == "range_clause":
        return (yield from _go_range(b, node, head, body))
    index = b.open(Construct.FOR if head is not None and head.type == "for_clause" else Construct.WHILE, node)
    clause = head if head is not None and head.type == "for_clause" else None
    condition = clause.child_by_field_name("condition") if clause else head
    yield from b.region(index, Role.SETUP, clause.child_by_field_name("initializer") if clause else None)
    events: Events = []
    outer, b.events = b.events, events
    b.edge(index, (yield from b.region(index, Role.CONDITION, condition)), Role.CONDITION)
    yield from b.region(index, Role.BODY, body)
    yield from b.region(index, Role.SETUP, clause.child_by_field_name("update") if clause else None)
    b.events = outer
    b.events.append(Loop(events))
    return b.close(index)


def _go_range(b: Builder, node: ts.Node, head: ts.Node, body: ts.Node | None) -> Walk[int]:
    index = b.open(Construct.FOREACH, node)
    root = yield from b.region(index, Role.CONDITION, head.child_by_field_name("right"))
    b.edge(index, root, Role.ARGUMENT)
    b.edge(index, root, Role.CONDITION)
    events: Events = []
    outer, b.events = b.events, events
    left = head.child_by_field_name("left")
    for defined in (yield from define(b, left, root)) if left is not None else []:
        b.edge(index, defined, Role.DEFINES)
    yield from b.region(index, Role.BODY, body)
    b.events = outer
    b.events.append(Loop(events))
    return b.close(index)


def _otherwise(b: Builder, index: int, node: ts.Node) -> Walk[None]:
    alternative = node.child_by_field_name("alternative")
    if alternative is not None:
        yield from b.region(index, Role.ELSE, alternative)


def _apart(b: Builder, node: ts.Node) -> Walk[Events]:
    outer, b.events = b.events, []
    yield b.visit(node)
    inner, b.events = b.events, outer
    return inner


def _cases(b: Builder, node: ts.Node, shape: Shape) -> list[ts.Node]:
    body = node.child_by_field_name(shape.body) if shape.body else None
    holder = body if body is not None else node
    return [c for c in holder.named_children if "case" in c.type or "switch" in c.type]


def _is_label(b: Builder, node: ts.Node, position: int, child: ts.Node) -> bool:
    field = node.field_name_for_child(position)
    return child.type in b.language.labels or field in ("value", "type", "communication", "guard")


def _caught(node: ts.Node) -> tuple[list[ts.Node], ts.Node | None]:
    """The types a handler catches, and its variable."""
    parameter = next((c for c in node.named_children if c.type == "catch_formal_parameter"), None)
    if parameter is not None:
        types = next((c for c in parameter.named_children if c.type == "catch_type"), None)
        return (types.named_children if types is not None else []), parameter.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if value is None:
        return [], node.child_by_field_name("parameter")
    variable = None
    if value.type == "as_pattern":
        alias = value.child_by_field_name("alias")
        variable = alias.named_children[0] if alias is not None and alias.named_children else alias
        value = value.named_children[0]
    return (value.named_children if value.type == "tuple" else [value]), variable
