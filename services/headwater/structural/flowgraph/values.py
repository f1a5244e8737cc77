"""Handlers for what computes a value: names, members, literals, calls, operators, assignments."""

import tree_sitter as ts

from headwater.structural.flowgraph.builder import Builder
from headwater.structural.flowgraph.graph import Role
from headwater.structural.flowgraph.shape import Shape, text
from headwater.structural.flowgraph.stackless import Walk
from headwater.structural.query import Construct

_MAX_NAME_BYTES = 1_000  # of the dotted name of a class: a longer receiver is an expression
_OPERATOR_FIELDS = ("operator", "operators")


def identifier(b: Builder, node: ts.Node, shape: Shape) -> int:
    name = text(node)
    if b.scope.names_a_class(name) or name in b.language.selves:
        return -1
    if not b.scope.is_local(name) and b.scope.is_field(name):
        index = b.leaf(Construct.FIELD, node, name=name, type_name=b.scope.type_of(name), qualified=_own(b, name))
        return b.use(index, f"this.{name}")
    return b.use(b.leaf(Construct.VARIABLE, node, name=name, type_name=b.scope.type_of(name)), name)


def member(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    index = yield from _member(b, node)
    path = _self_path(b, node)
    return b.use(index, path) if path else index


def literal(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    written = text(node)
    value = _unquoted(written) if shape.literal == "string" else written
    index = b.open(Construct.LITERAL, node, name=value, type_name=shape.type, modifiers=f" {shape.literal} ")
    for child in node.named_children:
        if "string" not in child.type and child.type != "escape_sequence":
            yield b.visit(child)
    return b.close(index)


def call(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    receiver, name = _callee(b, node, shape)
    index = b.open(Construct.CALL, node, name=name)
    root = (yield b.visit(receiver)) if receiver is not None else -1
    b.edge(index, root, Role.RECEIVER)
    owner = owner_of(b, receiver, root) if receiver is not None else ""
    b.set(index, qualified=f"{owner}.{name}" if owner else _bare_call(b, name, receiver is None))
    if b.language.capitalised_call_creates and name[:1].isupper():
        b.set(index, modifiers=" constructor ", type=b.scope.resolve_type(text(node.child_by_field_name("function"))))
    yield from arguments(b, index, node.child_by_field_name(shape.arguments))
    return b.close(index)


def creation(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    resolved = b.scope.resolve_type(text(node.child_by_field_name(shape.type)))
    name = resolved.rpartition(".")[2]
    index = b.open(Construct.NEW, node, name=name, qualified=resolved, type_name=resolved)
    yield from arguments(b, index, node.child_by_field_name(shape.arguments))
    for child in node.named_children:
        if child.type.endswith("body"):
            yield b.visit(child)
    return b.close(index)


def arguments(b: Builder, owner: int, listed: ts.Node | None) -> Walk[None]:
    """Each takes its position, also what has no value of its own here, as a class literal or a method reference."""
    given = [child for child in listed.named_children if "comment" not in child.type] if listed is not None else []
    for position, child in enumerate(given):
        b.edge(owner, (yield b.visit(child)), Role.ARGUMENT, position)
    b.columns["arity"][owner] = len(given)


def operator(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """A unary, binary or updating operator; its operands are its arguments."""
    name = _operator_name(node)
    construct = Construct.INSTANCEOF if name == "instanceof" else shape.construct
    index = b.open(construct, node, name=name)
    operands = [child for child in node.named_children if child.type not in b.language.skipped]
    operands = [child for child in operands if child.type != name]
    for position, operand in enumerate(operands):
        b.edge(index, (yield b.visit(operand)), Role.ARGUMENT, position)
    if name in ("++", "--") and operands and operands[0].type == "identifier":
        _define_again(b, index, text(operands[0]))
    b.columns["arity"][index] = len(operands)
    return b.close(index)


def instance_test(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    tested = b.scope.resolve_type(text(node.child_by_field_name(shape.type)))
    index = b.open(Construct.INSTANCEOF, node, type_name=tested)
    root = yield b.visit(node.child_by_field_name(shape.value) or node)
    b.edge(index, root, Role.ARGUMENT)
    bound = node.child_by_field_name("name")
    if bound is not None:
        b.scope.declare(text(bound), tested)
        yield from define(b, bound, root)
    return b.close(index)


def cast(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    parts = node.named_children
    target = node.child_by_field_name(shape.type) or parts[-1]
    value = node.child_by_field_name(shape.value) or parts[0]
    index = b.open(Construct.CAST, node, type_name=b.scope.resolve_type(text(target)))
    root = yield b.visit(value)
    b.edge(index, root, Role.VALUE)
    b.edge(index, root, Role.ARGUMENT)
    return b.close(index)


def parts(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """A construct whose named children are its operands: array access, conditional expression, assertion."""
    index = b.open(shape.construct, node)
    for position, child in enumerate(node.named_children):
        b.edge(index, (yield b.visit(child)), Role.ARGUMENT, position)
    b.columns["arity"][index] = node.named_child_count
    return b.close(index)


def assignment(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """`left = right`, or with a compound operator an operator of both that sets the left one."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = text(node.child_by_field_name("operator")) or "="
    if left is None:
        return -1
    if sign not in ("=", ":="):
        return (yield from _compound(b, node, sign, left, right))
    type_node = node.child_by_field_name("type")
    index = b.open(Construct.ASSIGNMENT if right is not None else Construct.DECLARATION, node)
    root = (yield b.visit(right)) if right is not None else -1
    declared = b.scope.resolve_type(text(type_node).lstrip(": ")) if type_node is not None else ""
    yield from bind(b, index, left, root, declared)
    return b.close(index)


def bind(b: Builder, index: int, left: ts.Node, root: int, declared: str) -> Walk[None]:
    """Completes an open assignment: its value, its variable, its name and type."""
    b.edge(index, root, Role.VALUE)
    name = text(left) if left.named_child_count == 0 else text(left.named_children[-1])
    type_name = declared or b.string("type", root)
    if left.type == "identifier" and not b.scope.is_field(name):
        b.scope.declare(name, type_name)
    type_name = type_name or b.scope.type_of(name)
    for defined in (yield from define(b, left, root)):
        b.edge(index, defined, Role.DEFINES)
        type_name = type_name or b.string("type", defined)
    b.set(index, name=name, type=type_name)


def define(b: Builder, left: ts.Node, value: int) -> Walk[list[int]]:
    """Adds what an assignment sets; returns the variables and fields."""
    if left.type not in b.language.patterns:
        return (yield from _define_one(b, left, value))
    defined: list[int] = []
    pending = [left]
    while pending:
        inner = pending.pop()
        if inner.type in b.language.patterns:
            pending += inner.named_children[::-1]
        else:
            defined += yield from _define_one(b, inner, value)
    return defined


def _define_one(b: Builder, left: ts.Node, value: int) -> Walk[list[int]]:
    name = text(left) if left.named_child_count == 0 else ""
    if left.named_child_count == 0 and left.type not in b.language.skipped:
        if not b.scope.is_local(name) and b.scope.is_field(name):
            index = b.leaf(Construct.FIELD, left, name=name, type_name=b.scope.type_of(name), qualified=_own(b, name))
            return [b.define(index, f"this.{name}", value)]
        b.scope.declare(name, "")
        index = b.leaf(Construct.VARIABLE, left, name=name, type_name=b.scope.type_of(name))
        return [b.define(index, name, value)]
    path = _self_path(b, left)
    if path:
        return [b.define((yield from _member(b, left)), path, value)]
    root = yield b.visit(left)
    return [root] if root >= 0 else []


def owner_of(b: Builder, receiver: ts.Node, root: int) -> str:
    """The type or module that a member is looked up in, "" when unknown."""
    if root >= 0 and (known := b.string("type", root)):
        return known
    if receiver.end_byte - receiver.start_byte > _MAX_NAME_BYTES:
        return ""
    written = text(receiver)
    if written in b.language.selves:
        return b.scope.this_class
    head, dot, rest = written.partition(".")
    if written.replace(".", "").replace("_", "").isalnum() and b.scope.names_a_class(head):
        return b.scope.resolve_type(head) + dot + rest
    return ""


def _callee(b: Builder, node: ts.Node, shape: Shape) -> tuple[ts.Node | None, str]:
    if shape.receiver:
        return node.child_by_field_name(shape.receiver), text(node.child_by_field_name(shape.name))
    function = node.child_by_field_name(shape.name)
    if function is None:
        return None, ""
    fields = b.language.members.get(function.type)
    if fields is None:
        return (None, text(function)) if function.named_child_count == 0 else (function, "")
    return function.child_by_field_name(fields[0]), text(function.child_by_field_name(fields[1]))


def _bare_call(b: Builder, name: str, unqualified: bool) -> str:
    if not unqualified:
        return ""
    imported = b.scope.imported(name)
    if imported or b.language.name != "java":
        return imported or name
    return f"{b.scope.this_class}.{name}" if b.scope.this_class else name


def _member(b: Builder, node: ts.Node) -> Walk[int]:
    object_field, name_field = b.language.members[node.type]
    receiver, name = node.child_by_field_name(object_field), text(node.child_by_field_name(name_field))
    index = b.open(Construct.FIELD, node, name=name)
    root = (yield b.visit(receiver)) if receiver is not None else -1
    b.edge(index, root, Role.RECEIVER)
    owner = owner_of(b, receiver, root) if receiver is not None else ""
    b.set(index, qualified=f"{owner}.{name}" if owner else "", type=b.scope.field_type(owner, name))
    return b.close(index)


def _self_path(b: Builder, node: ts.Node) -> str:
    fields = b.language.members.get(node.type)
    if fields is None or text(node.child_by_field_name(fields[0])) not in b.language.selves:
        return ""
    return f"this.{text(node.child_by_field_name(fields[1]))}"


def _own(b: Builder, name: str) -> str:
    return f"{b.scope.this_class}.{name}"


def _compound(b: Builder, node: ts.Node, sign: str, left: ts.Node, right: ts.Node | None) -> Walk[int]:
    index = b.open(Construct.OPERATOR, node, name=sign)
    b.edge(index, (yield b.visit(left)), Role.ARGUMENT, 0)
    if right is not None:
        b.edge(index, (yield b.visit(right)), Role.ARGUMENT, 1)
    if left.type == "identifier":
        _define_again(b, index, text(left))
    b.columns["arity"][index] = 2
    return b.close(index)


def _define_again(b: Builder, operator_index: int, name: str) -> None:
    """`x += 1` sets x to the operator's own value: the operator is its definition."""
    local = b.scope.is_local(name) or not b.scope.is_field(name)
    b.define(operator_index, name if local else f"this.{name}", -1)


def _operator_name(node: ts.Node) -> str:
    for field in _OPERATOR_FIELDS:
        named = node.children_by_field_name(field)
        if named:
            return " ".join(text(part) for part in named[:1])
    return next((child.type for child in node.children if not child.is_named), "")


def _unquoted(written: str) -> str:
    body = written.lstrip("rRbBuUfF") if written[-1:] in "\"'`" else written
    for quote in ('"""', "'''", '"', "'", "`"):
        if body.startswith(quote) and body.endswith(quote) and len(body) >= 2 * len(quote):
            return body[len(quote) : -len(quote)]
    return written
