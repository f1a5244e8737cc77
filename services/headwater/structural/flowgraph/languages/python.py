"""Python."""

import tree_sitter as ts
import tree_sitter_python

from headwater.structural.flowgraph import control, declare, values
from headwater.structural.flowgraph.builder import Builder
from headwater.structural.flowgraph.shape import Language, Shape, text
from headwater.structural.query import Construct


def _import(b: Builder, node: ts.Node, shape: Shape) -> int:
    module = node.child_by_field_name("module_name")
    index = b.open(Construct.IMPORT, node)
    names = []
    for part in node.children_by_field_name("name"):
        alias, original = part.child_by_field_name("alias"), part.child_by_field_name("name") or part
        qualified = f"{text(module)}.{text(original)}" if module is not None else text(original)
        names.append(qualified)
        if alias is not None or module is not None:
            b.scope.bind_import(text(alias) or text(original), qualified)
        else:
            head = qualified.partition(".")[0]
            b.scope.bind_import(head, head)
    b.set(index, name=names[0] if names else f"{text(module)}.*", qualified=" ".join(names))
    return b.close(index)


_number = Shape(values.literal, Construct.LITERAL, literal="number", type="int")
_boolean = Shape(values.literal, Construct.LITERAL, literal="boolean", type="bool")
_operator = Shape(values.operator, Construct.OPERATOR)
_comprehension = Shape(declare.comprehension)

SHAPES = {
    "import_statement": Shape(_import, Construct.IMPORT),
    "import_from_statement": Shape(_import, Construct.IMPORT),
    "class_definition": Shape(declare.class_declaration, Construct.CLASS),
    "function_definition": Shape(declare.function, Construct.METHOD, type="return_type"),
    "decorated_definition": Shape(declare.decorated),
    "lambda": Shape(declare.function, Construct.LAMBDA),
    "as_pattern": Shape(declare.alias),
    "list_comprehension": _comprehension,
    "set_comprehension": _comprehension,
    "dictionary_comprehension": _comprehension,
    "generator_expression": _comprehension,
    "identifier": Shape(values.identifier, Construct.VARIABLE),
    "attribute": Shape(values.member, Construct.FIELD),
    "call": Shape(values.call, Construct.CALL, name="function", arguments="arguments"),
    "binary_operator": _operator,
    "boolean_operator": _operator,
    "comparison_operator": _operator,
    "unary_operator": _operator,
    "not_operator": _operator,
    "assignment": Shape(values.assignment, Construct.ASSIGNMENT),
    "augmented_assignment": Shape(values.assignment, Construct.ASSIGNMENT),
    "subscript": Shape(values.parts, Construct.ARRAY_ACCESS),
    "conditional_expression": Shape(values.parts, Construct.CONDITIONAL),
    "assert_statement": Shape(values.parts, Construct.ASSERT),
    "string": Shape(values.literal, Construct.LITERAL, literal="string", type="str"),
    "integer": _number,
    "float": Shape(values.literal, Construct.LITERAL, literal="number", type="float"),
    "true": _boolean,
    "false": _boolean,
    "none": Shape(values.literal, Construct.LITERAL, literal="null", type="None"),
    "if_statement": Shape(
        control.branch, Construct.IF, condition="condition", body="consequence", alternative="alternative"
    ),
    "elif_clause": Shape(control.branch, Construct.IF, condition="condition", body="consequence"),
    "for_statement": Shape(control.each, Construct.FOREACH, name="left", value="right", body="body"),
    "while_statement": Shape(control.loop, Construct.WHILE, condition="condition", body="body"),
    "match_statement": Shape(control.switch, Construct.SWITCH, condition="subject", body="body"),
    "case_clause": Shape(control.case, Construct.CASE),
    "try_statement": Shape(control.attempt, Construct.TRY),
    "except_clause": Shape(control.handler, Construct.CATCH),
    "except_group_clause": Shape(control.handler, Construct.CATCH),
    "finally_clause": Shape(control.block_statement, Construct.FINALLY),
    "return_statement": Shape(control.jump, Construct.RETURN),
    "raise_statement": Shape(control.jump, Construct.THROW),
    "break_statement": Shape(control.jump, Construct.BREAK),
    "continue_statement": Shape(control.jump, Construct.CONTINUE),
}

PYTHON = Language(
    name="python",
    grammar=lambda: ts.Language(tree_sitter_python.language()),
    shapes=SHAPES,
    members={"attribute": ("object", "attribute")},
    wrappers={"parenthesized_expression": "", "keyword_argument": "value", "await": "", "expression_statement": ""},
    skipped=frozenset(("type", "comment", "decorator", "type_parameter", "global_statement", "nonlocal_statement")),
    blocks=frozenset(("block", "module")),
    selves=frozenset(("self", "cls")),
    labels=frozenset(("case_pattern", "if_clause")),
    patterns=frozenset(("pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern")),
    capitalised_call_creates=True,
)
