"""Java."""

import tree_sitter as ts
import tree_sitter_java

from headwater.structural.flowgraph import control, declare, values
from headwater.structural.flowgraph.builder import Builder
from headwater.structural.flowgraph.shape import Language, Shape, text
from headwater.structural.flowgraph.stackless import Walk
from headwater.structural.query import Construct


def _package(b: Builder, node: ts.Node, shape: Shape) -> int:
    b.scope.package = text(node.named_children[-1])
    return -1


def _import(b: Builder, node: ts.Node, shape: Shape) -> int:
    qualified = text(next((c for c in node.named_children if "identifier" in c.type), None))
    wildcard = any(child.type == "asterisk" for child in node.children)
    if not wildcard:
        b.scope.bind_import(qualified.rpartition(".")[2], qualified)
    shown = f"{qualified}.*" if wildcard else qualified
    return b.leaf(Construct.IMPORT, node, name=shown, qualified=shown)


def _constructor_call(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    index = b.open(Construct.CALL, node, name=text(node.child_by_field_name("constructor")))
    yield from values.arguments(b, index, node.child_by_field_name("arguments"))
    return b.close(index)


def _labeled(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    value: int = yield b.visit(node.named_children[-1])
    return value


def _enum_constant(b: Builder, node: ts.Node, shape: Shape) -> Walk[int]:
    for field in ("arguments", "body"):
        inner = node.child_by_field_name(field)
        if inner is not None:
            yield b.visit(inner)
    return -1


def _fields(node: ts.Node) -> dict[str, str]:
    body = node.child_by_field_name("body")
    members = body.named_children if body is not None else []
    members += [inner for m in members if m.type == "enum_body_declarations" for inner in m.named_children]
    found = {}
    for member in members:
        if member.type == "field_declaration":
            for declarator in member.children_by_field_name("declarator"):
                found[text(declarator.child_by_field_name("name"))] = text(member.child_by_field_name("type"))
    return found


_number = Shape(values.literal, Construct.LITERAL, literal="number", type="int")
_decimal = Shape(values.literal, Construct.LITERAL, literal="number", type="double")
_boolean = Shape(values.literal, Construct.LITERAL, literal="boolean", type="boolean")
_class = Shape(declare.class_declaration, Construct.CLASS)
_function = Shape(declare.function, Construct.METHOD, type="type")
_variables = Shape(declare.variables, Construct.DECLARATION)

SHAPES = {
    "package_declaration": Shape(_package),
    "import_declaration": Shape(_import, Construct.IMPORT),
    "class_declaration": _class,
    "interface_declaration": _class,
    "enum_declaration": _class,
    "record_declaration": _class,
    "annotation_type_declaration": _class,
    "method_declaration": _function,
    "constructor_declaration": Shape(declare.function, Construct.METHOD),
    "lambda_expression": Shape(declare.function, Construct.LAMBDA),
    "field_declaration": _variables,
    "constant_declaration": _variables,
    "local_variable_declaration": _variables,
    "labeled_statement": Shape(_labeled),
    "enum_constant": Shape(_enum_constant),
    "resource": Shape(declare.resource),
    "identifier": Shape(values.identifier, Construct.VARIABLE),
    "field_access": Shape(values.member, Construct.FIELD),
    "method_invocation": Shape(values.call, Construct.CALL, name="name", receiver="object", arguments="arguments"),
    "explicit_constructor_invocation": Shape(_constructor_call, Construct.CALL),
    "object_creation_expression": Shape(values.creation, Construct.NEW, type="type", arguments="arguments"),
    "binary_expression": Shape(values.operator, Construct.OPERATOR),
    "unary_expression": Shape(values.operator, Construct.OPERATOR),
    "update_expression": Shape(values.operator, Construct.OPERATOR),
    "assignment_expression": Shape(values.assignment, Construct.ASSIGNMENT),
    "instanceof_expression": Shape(values.instance_test, Construct.INSTANCEOF, type="right", value="left"),
    "cast_expression": Shape(values.cast, Construct.CAST, type="type", value="value"),
    "array_access": Shape(values.parts, Construct.ARRAY_ACCESS),
    "ternary_expression": Shape(values.parts, Construct.CONDITIONAL),
    "assert_statement": Shape(values.parts, Construct.ASSERT),
    "string_literal": Shape(values.literal, Construct.LITERAL, literal="string", type="java.lang.String"),
    "character_literal": Shape(values.literal, Construct.LITERAL, literal="character", type="char"),
    "decimal_integer_literal": _number,
    "hex_integer_literal": _number,
    "octal_integer_literal": _number,
    "binary_integer_literal": _number,
    "decimal_floating_point_literal": _decimal,
    "hex_floating_point_literal": _decimal,
    "true": _boolean,
    "false": _boolean,
    "null_literal": Shape(values.literal, Construct.LITERAL, literal="null", type="null"),
    "if_statement": Shape(
        control.branch, Construct.IF, condition="condition", body="consequence", alternative="alternative"
    ),
    "for_statement": Shape(
        control.loop, Construct.FOR, setup=("init",), condition="condition", body="body", update="update"
    ),
    "enhanced_for_statement": Shape(
        control.each, Construct.FOREACH, name="name", type="type", value="value", body="body"
    ),
    "while_statement": Shape(control.loop, Construct.WHILE, condition="condition", body="body"),
    "do_statement": Shape(control.loop, Construct.DO, condition="condition", body="body"),
    "switch_expression": Shape(control.switch, Construct.SWITCH, condition="condition", body="body"),
    "switch_block_statement_group": Shape(control.case, Construct.CASE),
    "switch_rule": Shape(control.case, Construct.CASE),
    "try_statement": Shape(control.attempt, Construct.TRY),
    "try_with_resources_statement": Shape(control.attempt, Construct.TRY),
    "catch_clause": Shape(control.handler, Construct.CATCH),
    "finally_clause": Shape(control.block_statement, Construct.FINALLY),
    "synchronized_statement": Shape(control.block_statement, Construct.SYNCHRONIZED),
    "return_statement": Shape(control.jump, Construct.RETURN),
    "throw_statement": Shape(control.jump, Construct.THROW),
    "break_statement": Shape(control.jump, Construct.BREAK),
    "continue_statement": Shape(control.jump, Construct.CONTINUE),
}

JAVA = Language(
    name="java",
    grammar=lambda: ts.Language(tree_sitter_java.language()),
    shapes=SHAPES,
    members={"field_access": ("object", "field")},
    wrappers={"parenthesized_expression": ""},
    skipped=frozenset(
        [
            "modifiers",
            "type_identifier",
            "generic_type",
            "array_type",
            "integral_type",
            "floating_point_type",
            "boolean_type",
            "void_type",
            "scoped_type_identifier",
            "type_arguments",
            "type_parameters",
            "line_comment",
            "block_comment",
            "this",
            "super",
            "throws",
            "method_reference",
            "dimensions",
            "annotation",
            "marker_annotation",
            "class_literal",
        ]
    ),
    blocks=frozenset(("block", "constructor_body", "switch_block_statement_group", "class_body", "program")),
    selves=frozenset(("this", "super")),
    labels=frozenset(("switch_label",)),
    class_fields=_fields,
)
