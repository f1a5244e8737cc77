"""JavaScript, TypeScript and TSX, which share their shapes."""

import tree_sitter as ts
import tree_sitter_javascript
import tree_sitter_typescript

from headwater.structural.flowgraph import control, declare, values
from headwater.structural.flowgraph.builder import Builder
from headwater.structural.flowgraph.shape import Language, Shape, text
from headwater.structural.query import Construct


def _import(b: Builder, node: ts.Node, shape: Shape) -> int:
    module = text(node.child_by_field_name("source")).strip("\"'`")
    for clause in (child for child in node.named_children if child.type == "import_clause"):
        for part in clause.named_children:
            _bind(b, part, module)
    return b.leaf(Construct.IMPORT, node, name=module, qualified=module)


def _bind(b: Builder, part: ts.Node, module: str) -> None:
    if part.type == "named_imports":
        for specifier in part.named_children:
            name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
            b.scope.bind_import(text(alias) or text(name), f"{module}.{text(name)}")
    elif part.type == "namespace_import":
        b.scope.bind_import(text(part.named_children[-1]), module)
    else:
        b.scope.bind_import(text(part), f"{module}.default")


def _fields(node: ts.Node) -> dict[str, str]:
    body = node.child_by_field_name("body")
    return {
        text(member.child_by_field_name("name")): text(member.child_by_field_name("type")).lstrip(": ")
        for member in (body.named_children if body is not None else [])
        if member.type == "public_field_definition"
    }


_class = Shape(declare.class_declaration, Construct.CLASS)
_function = Shape(declare.function, Construct.METHOD, type="return_type")
_lambda = Shape(declare.function, Construct.LAMBDA, type="return_type")
_variables = Shape(declare.variables, Construct.DECLARATION)
_field = Shape(declare.property_declaration, Construct.DECLARATION)
_operator = Shape(values.operator, Construct.OPERATOR)
_string = Shape(values.literal, Construct.LITERAL, literal="string", type="string")
_boolean = Shape(values.literal, Construct.LITERAL, literal="boolean", type="boolean")
_cast = Shape(values.cast, Construct.CAST, Construct.CAST)

SHAPES = {
    "import_statement": Shape(_import, Construct.IMPORT),
    "class_declaration": _class,
    "abstract_class_declaration": _class,
    "interface_declaration": _class,
    "enum_declaration": _class,
    "class": _class,
    "method_definition": _function,
    "method_signature": _function,
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_signature": _function,
    "arrow_function": _lambda,
    "function_expression": _lambda,
    "public_field_definition": _field,
    "field_definition": _field,
    "property_signature": _field,
    "lexical_declaration": _variables,
    "variable_declaration": _variables,
    "identifier": Shape(values.identifier, Construct.VARIABLE),
    "shorthand_property_identifier": Shape(values.identifier, Construct.VARIABLE),
    "member_expression": Shape(values.member, Construct.FIELD),
    "call_expression": Shape(values.call, Construct.CALL, name="function", arguments="arguments"),
    "new_expression": Shape(values.creation, Construct.NEW, type="constructor", arguments="arguments"),
    "binary_expression": _operator,
    "unary_expression": _operator,
    "update_expression": _operator,
    "assignment_expression": Shape(values.assignment, Construct.ASSIGNMENT),
    "augmented_assignment_expression": Shape(values.assignment, Construct.ASSIGNMENT),
    "as_expression": _cast,
    "satisfies_expression": _cast,
    "subscript_expression": Shape(values.parts, Construct.ARRAY_ACCESS),
    "ternary_expression": Shape(values.parts, Construct.CONDITIONAL),
    "string": _string,
    "template_string": _string,
    "number": Shape(values.literal, Construct.LITERAL, literal="number", type="number"),
    "regex": Shape(values.literal, Construct.LITERAL, literal="regex", type="RegExp"),
    "true": _boolean,
    "false": _boolean,
    "null": Shape(values.literal, Construct.LITERAL, literal="null", type="null"),
    "undefined": Shape(values.literal, Construct.LITERAL, literal="undefined", type="undefined"),
    "if_statement": Shape(
        control.branch, Construct.IF, condition="condition", body="consequence", alternative="alternative"
    ),
    "for_statement": Shape(
        control.loop, Construct.FOR, setup=("initializer",), condition="condition", body="body", update="increment"
    ),
    "for_in_statement": Shape(control.each, Construct.FOREACH, name="left", value="right", body="body"),
    "while_statement": Shape(control.loop, Construct.WHILE, condition="condition", body="body"),
    "do_statement": Shape(control.loop, Construct.DO, condition="condition", body="body"),
    "switch_statement": Shape(control.switch, Construct.SWITCH, condition="value", body="body"),
    "switch_case": Shape(control.case, Construct.CASE),
    "switch_default": Shape(control.case, Construct.CASE),
    "try_statement": Shape(control.attempt, Construct.TRY),
    "catch_clause": Shape(control.handler, Construct.CATCH),
    "finally_clause": Shape(control.block_statement, Construct.FINALLY),
    "return_statement": Shape(control.jump, Construct.RETURN),
    "throw_statement": Shape(control.jump, Construct.THROW),
    "break_statement": Shape(control.jump, Construct.BREAK),
    "continue_statement": Shape(control.jump, Construct.CONTINUE),
}


def _language(name: str, grammar: ts.Language) -> Language:
    return Language(
        name=name,
        grammar=lambda: grammar,
        shapes=SHAPES,
        members={"member_expression": ("object", "property")},
        wrappers={
            "parenthesized_expression": "",
            "await_expression": "",
            "non_null_expression": "",
            "spread_element": "",
            "expression_statement": "",
        },
        skipped=frozenset(
            [
                "type_annotation",
                "type_arguments",
                "type_parameters",
                "type_alias_declaration",
                "comment",
                "this",
                "super",
                "property_identifier",
                "decorator",
                "private_property_identifier",
                "statement_identifier",
                "predefined_type",
                "type_identifier",
                "generic_type",
                "union_type",
                "array_type",
                "literal_type",
            ]
        ),
        blocks=frozenset(("statement_block", "class_body", "program")),
        selves=frozenset(("this", "super")),
        patterns=frozenset(
            [
                "object_pattern",
                "array_pattern",
                "pair_pattern",
                "rest_pattern",
                "object_assignment_pattern",
                "assignment_pattern",
                "variable_declarator",
                "lexical_declaration",
            ]
        ),
        class_fields=_fields,
    )


JAVASCRIPT = _language("javascript", ts.Language(tree_sitter_javascript.language()))
TYPESCRIPT = _language("typescript", ts.Language(tree_sitter_typescript.language_typescript()))
TSX = _language("tsx", ts.Language(tree_sitter_typescript.language_tsx()))
