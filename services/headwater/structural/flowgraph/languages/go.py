"""Go."""

import tree_sitter as ts
import tree_sitter_go

from headwater.structural.flowgraph import control, declare, values
from headwater.structural.flowgraph.builder import Builder
from headwater.structural.flowgraph.graph import Role
from headwater.structural.flowgraph.shape import Language, Shape, text
from headwater.structural.flowgraph.stackless import Walk
from headwater.structural.query import Construct


def _package(b: Builder, node: ts.Node, shape: Shape) -> int:
    b.scope.package = text(node.named_children[0])
    return -1


def _import(b: Builder, node: ts.Node, shape: Shape) -> int:
    path = text(node.child_by_field_name("path")).strip('"`')
    alias = text(node.child_by_field_name("name"))
    b.scope.bind_import(alias or path.rpartition("/")[2], path)
    return b.leaf(Construct.IMPORT, node, name=path, qualified=path)


def _type(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    kind = node.child_by_field_name("type")
    if kind is None or kind.type not in ("struct_type", "interface_type"):
        return -1
    return (yield from declare.class_declaration(b, node, shape))


def _assignment(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    """Go assigns lists; one to one where both are as long, else all from the one value."""
    sign = text(node.child_by_field_name("operator")) or ":="
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return -1
    if sign not in ("=", ":="):
        return (yield from values.assignment(b, node, shape))
    index = b.open(Construct.ASSIGNMENT, node)
    roots: list[int] = []
    for value in right.named_children:
        roots.append((yield b.visit(value)))
    for position, name in enumerate(left.named_children):
        root = roots[position] if position < len(roots) else roots[0]
        yield from values.bind(b, index, name, root, "")
    return b.close(index)


def _fields(node: ts.Node) -> dict[str, str]:
    body = node.child_by_field_name("type")
    found = {}
    for listed in body.named_children if body is not None else []:
        for member in listed.named_children:
            for name in member.children_by_field_name("name"):
                found[text(name)] = text(member.child_by_field_name("type"))
    return found


def _increment(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    sign = "++" if node.type == "inc_statement" else "--"
    index = b.open(Construct.OPERATOR, node, name=sign)
    b.edge(index, (yield b.visit(node.named_children[0])), Role.ARGUMENT)
    b.define(index, text(node.named_children[0]), -1)
    return b.close(index)


_number = Shape(values.literal, Construct.LITERAL, literal="number", type="int")
_string = Shape(values.literal, Construct.LITERAL, literal="string", type="string")
_boolean = Shape(values.literal, Construct.LITERAL, literal="boolean", type="bool")
_function = Shape(declare.function, Construct.METHOD, type="result")
_variables = Shape(declare.variables, Construct.DECLARATION)
_operator = Shape(values.operator, Construct.OPERATOR)
_cast = Shape(values.cast, Construct.CAST, type="type", value="operand")
_switch = Shape(control.switch, Construct.SWITCH, condition="value")
_case = Shape(control.case, Construct.CASE)

SHAPES = {
    "package_clause": Shape(_package),
    "import_spec": Shape(_import, Construct.IMPORT),
    "type_spec": Shape(_type, Construct.CLASS),
    "function_declaration": _function,
    "method_declaration": _function,
    "method_elem": _function,
    "func_literal": Shape(declare.function, Construct.LAMBDA, type="result"),
    "var_declaration": _variables,
    "const_declaration": _variables,
    "identifier": Shape(values.identifier, Construct.VARIABLE),
    "selector_expression": Shape(values.member, Construct.FIELD),
    "call_expression": Shape(values.call, Construct.CALL, name="function", arguments="arguments"),
    "composite_literal": Shape(values.creation, Construct.NEW, type="type", arguments="arguments"),
    "binary_expression": _operator,
    "unary_expression": _operator,
    "inc_statement": Shape(_increment, Construct.OPERATOR),
    "dec_statement": Shape(_increment, Construct.OPERATOR),
    "assignment_statement": Shape(_assignment, Construct.ASSIGNMENT),
    "short_var_declaration": Shape(_assignment, Construct.ASSIGNMENT),
    "type_conversion_expression": _cast,
    "type_assertion_expression": _cast,
    "index_expression": Shape(values.parts, Construct.ARRAY_ACCESS),
    "interpreted_string_literal": _string,
    "raw_string_literal": _string,
    "rune_literal": Shape(values.literal, Construct.LITERAL, literal="character", type="rune"),
    "int_literal": _number,
    "float_literal": Shape(values.literal, Construct.LITERAL, literal="number", type="float64"),
    "true": _boolean,
    "false": _boolean,
    "nil": Shape(values.literal, Construct.LITERAL, literal="null", type="nil"),
    "if_statement": Shape(
        control.branch,
        Construct.IF,
        setup=("initializer",),
        condition="condition",
        body="consequence",
        alternative="alternative",
    ),
    "for_statement": Shape(control.go_for),
    "expression_switch_statement": _switch,
    "type_switch_statement": _switch,
    "select_statement": _switch,
    "expression_case": _case,
    "default_case": _case,
    "type_case": _case,
    "communication_case": _case,
    "return_statement": Shape(control.jump, Construct.RETURN),
    "break_statement": Shape(control.jump, Construct.BREAK),
    "continue_statement": Shape(control.jump, Construct.CONTINUE),
}

GO = Language(
    name="go",
    grammar=lambda: ts.Language(tree_sitter_go.language()),
    shapes=SHAPES,
    members={"selector_expression": ("operand", "field")},
    wrappers={"parenthesized_expression": "", "expression_list": "", "expression_statement": "", "literal_element": ""},
    skipped=frozenset(
        [
            "type_identifier",
            "qualified_type",
            "pointer_type",
            "slice_type",
            "map_type",
            "array_type",
            "channel_type",
            "function_type",
            "generic_type",
            "comment",
            "package_identifier",
            "field_identifier",
            "label_name",
            "parameter_list",
            "type_arguments",
        ]
    ),
    blocks=frozenset(("statement_list", "source_file")),
    selves=frozenset(),
    patterns=frozenset(("expression_list",)),
    class_fields=_fields,
)
