"""Handlers for declarations: classes, functions, parameters, variables, imports."""

import tree_sitter as ts

from headwater.structural.flowgraph.builder import Builder
from headwater.structural.flowgraph.graph import Role
from headwater.structural.flowgraph.shape import Shape, text
from headwater.structural.flowgraph.stackless import Walk
from headwater.structural.flowgraph.values import bind, define
from headwater.structural.query import Construct

_SUPERTYPES = ("superclass", "interfaces", "superclasses", "extends_interfaces", "class_heritage", "super_interfaces")


def class_declaration(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    name = text(node.child_by_field_name("name"))
    supers = ";".join(b.scope.resolve_type(written) for written in _supertypes(node))
    index = b.open(Construct.CLASS, node, name=name, type_name=supers, modifiers=modifiers(node))
    fields = {key: b.scope.resolve_type(value) for key, value in b.language.class_fields(node).items()}
    b.set(index, qualified=b.scope.enter_class(name, fields))
    b.scope.enter_function()
    for child in node.children_by_field_name("parameters"):
        yield b.visit(child)
    for child in node.named_children:
        if child.type.endswith(("body", "block", "struct_type", "interface_type")):
            yield b.visit(child)
    b.scope.leave_function()
    b.scope.leave_class()
    return b.close(index)


def function(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    name = text(node.child_by_field_name("name"))
    owner = b.scope.this_class or b.scope.package
    result = text(node.child_by_field_name(shape.type)).lstrip(": ") if shape.type else ""
    index = b.open(
        shape.construct,
        node,
        name=name,
        qualified=f"{owner}.{name}" if owner and name else name,
        type_name=b.scope.resolve_type(result) if result else "",
        modifiers=modifiers(node),
    )
    b.scope.enter_function()
    _go_receiver(b, node)
    yield from b.closure(_parameters_and_body(b, index, node))
    b.scope.leave_function()
    return b.close(index)


def _parameters_and_body(b: Builder, index: int, node: ts.Node) -> Walk[None]:
    yield from parameters(b, index, node)
    body = node.child_by_field_name("body")
    root = (yield b.visit(body)) if body is not None else -1
    b.edge(index, root, Role.VALUE)


def parameters(b: Builder, owner: int, node: ts.Node) -> Walk[None]:
    listed = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
    children = [] if listed is None else ([listed] if listed.type == "identifier" else listed.named_children)
    position = 0
    for child in children:
        for index in (yield from _parameter(b, child)):
            b.edge(owner, index, Role.ARGUMENT, position)
            position += 1
    b.columns["arity"][owner] = position


def variables(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """A declaration of one or more variables, each an assignment where it has a value."""
    written = node.child_by_field_name("type")
    declared = b.scope.resolve_type(text(written)) if written is not None else ""
    declared = "" if declared in ("var", "let") else declared
    index = b.open(Construct.DECLARATION, node, type_name=declared, modifiers=modifiers(node))
    for child in node.named_children:
        if child.type in ("variable_declarator", "var_spec", "const_spec"):
            field = node.type in ("field_declaration", "public_field_definition")
            name = yield from _declarator(b, child, declared, field=field)
            if not b.columns["name"][index]:
                b.set(index, name=name)
    return b.close(index)


def property_declaration(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """A field of a class in JavaScript or TypeScript."""
    name, value = (
        node.child_by_field_name("name") or node.child_by_field_name("property"),
        node.child_by_field_name("value"),
    )
    declared = b.scope.resolve_type(text(node.child_by_field_name("type")).lstrip(": "))
    index = b.open(Construct.DECLARATION, node, name=text(name), type_name=declared, modifiers=modifiers(node))
    if value is not None:
        inner = b.open(Construct.ASSIGNMENT, node, name=text(name), type_name=declared)
        b.edge(inner, (yield b.visit(value)), Role.VALUE)
        b.close(inner)
    return b.close(index)


def resource(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None:
        inner: int = yield b.visit(node.named_children[0])
        return inner
    index = b.open(Construct.ASSIGNMENT, node)
    root = yield b.visit(value)
    yield from bind(b, index, name, root, b.scope.resolve_type(text(node.child_by_field_name("type"))))
    return b.close(index)


def alias(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """Python's `value as name` in a with statement."""
    root: int = yield b.visit(node.named_children[0])
    target = node.child_by_field_name("alias")
    for child in target.named_children if target is not None else []:
        yield from define(b, child, root)
    return root


def comprehension(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """Python's comprehensions set their variables before the body uses them."""
    clauses = [child for child in node.named_children if child.type == "for_in_clause"]
    for clause in clauses:
        collection, variable = clause.child_by_field_name("right"), clause.child_by_field_name("left")
        root = (yield b.visit(collection)) if collection is not None else -1
        if variable is not None:
            yield from define(b, variable, root)
    for child in node.named_children:
        if child.type != "for_in_clause":
            yield b.visit(child)
    return -1


def decorated(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    definition = node.child_by_field_name("definition")
    value: int = -1 if definition is None else (yield b.visit(definition))
    return value


def modifiers(node: ts.Node) -> str:
    """Modifiers and annotations as written, each between spaces."""
    words: list[str] = []
    for child in node.children:
        if child.type == "modifiers":
            words += [text(part).partition("(")[0] for part in child.children]
        elif child.type in ("async", "static", "accessibility_modifier", "abstract", "readonly", "const", "let", "var"):
            words.append(text(child))
    parent = node.parent
    if parent is not None and parent.type == "decorated_definition":
        words += [text(c).partition("(")[0].strip() for c in parent.named_children if c.type == "decorator"]
    return f" {' '.join(words)} " if words else ""


def _supertypes(node: ts.Node) -> list[str]:
    found: list[str] = []
    for position, child in enumerate(node.children):
        if child.type in _SUPERTYPES or node.field_name_for_child(position) in _SUPERTYPES:
            found += [text(part) for part in _listed(child)]
    return found


def _listed(node: ts.Node) -> list[ts.Node]:
    """The types below a list of supertypes."""
    lists = ("type_list", "extends_clause", "implements_clause", "interface_type_list")
    parts: list[ts.Node] = []
    pending = node.named_children[::-1]
    while pending:
        child = pending.pop()
        if child.type in lists:
            pending += child.named_children[::-1]
        elif child.type != "keyword_argument":
            parts.append(child)
    return parts


def _parameter(b: Builder, node: ts.Node) -> Walk[list[int]]:
    if "parameter" in node.type or node.type in ("receiver_parameter",):
        names = node.children_by_field_name("name") or node.children_by_field_name("pattern") or _inner_names(node)
    else:
        names = [node] if node.type in ("identifier", *b.language.patterns) else []
    written = text(node.child_by_field_name("type")).lstrip(": ") or _spread_type(node)
    declared = b.scope.resolve_type(written) if written else ""
    default = node.child_by_field_name("value")
    indexes = []
    for name in names:
        index = b.open(Construct.PARAMETER, node, name=text(name), type_name=declared)
        if default is not None:
            b.edge(index, (yield b.visit(default)), Role.VALUE)
        b.close(index)
        b.scope.declare(text(name), declared)
        indexes.append(index)
    for index, name in zip(indexes, names, strict=True):
        b.define(index, text(name), -1)
    return indexes


def _inner_names(node: ts.Node) -> list[ts.Node]:
    declarator = next((child for child in node.named_children if child.type == "variable_declarator"), None)
    if declarator is not None:
        return declarator.children_by_field_name("name")
    return [child for child in node.named_children if child.type in ("identifier", "list_splat_pattern")][:1]


def _spread_type(node: ts.Node) -> str:
    return text(node.named_children[0]) + "[]" if node.type == "spread_parameter" else ""


def _declarator(b: Builder, node: ts.Node, declared: str, *, field: bool) -> Walk[str]:
    names, value = node.children_by_field_name("name"), node.child_by_field_name("value")
    own = node.child_by_field_name("type")
    declared = b.scope.resolve_type(text(own).lstrip(": ")) if own is not None else declared
    if value is None:
        for name in [] if field else names:
            b.scope.declare(text(name), declared)
            yield from define(b, name, -1)
        return text(names[0])
    index = b.open(Construct.ASSIGNMENT, node, name=text(names[0]), type_name=declared)
    root = yield b.visit(value)
    if field:
        b.edge(index, root, Role.VALUE)
    else:
        for name in names:
            yield from bind(b, index, name, root, declared)
    b.close(index)
    return text(names[0])


def _go_receiver(b: Builder, node: ts.Node) -> None:
    listed = node.child_by_field_name("receiver")
    for child in listed.named_children if listed is not None else []:
        b.scope.declare(
            text(child.child_by_field_name("name")), b.scope.resolve_type(text(child.child_by_field_name("type")))
        )
