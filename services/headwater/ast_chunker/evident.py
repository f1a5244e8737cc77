"""What a definition without declared type is evidently made of: iterations, tuple items, lambda parameters, catches.

The texts are for `domain.resolution`: `=EXPR`, or a marker and an expression. Markers nest: `=each EXPR`, `=key EXPR`,
`=with EXPR`, `=item I EXPR`, `=get NAME EXPR`, `=argument K.I CALLEE`, `=parameter I TYPE`, `=accepts I EXPR`.
"""

from collections.abc import Callable

from tree_sitter import Node

Fold = Callable[[Node], str]  # a node's text, white space folded, limited

_PATTERNS = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "expression_list", "array_pattern", "object_pattern"}
)
_LISTS = frozenset({"expression_list", "tuple", "list", "array"})
_LAMBDAS = frozenset({"lambda_expression", "arrow_function", "function_expression", "lambda", "func_literal"})
_WRAPPERS = frozenset(
    {"inferred_parameters", "formal_parameters", "formal_parameter", "required_parameter", "optional_parameter",
     "lambda_parameters", "parameters", "list_splat_pattern", "as_pattern_target", "pair_pattern", "assignment_pattern"}
)  # fmt: skip
_FUNCTIONS = frozenset(
    {"function_declaration", "method_definition", "function_expression", "arrow_function", "method_declaration"}
)
_AROUND = frozenset(
    {"parenthesized_expression", "as_expression", "cast_expression", "satisfies_expression", "ternary_expression"}
)
_MAX_STEPS = 8


def evident_type(name: Node, fold: Fold) -> str | None:
    """The text for the definition of this name token; None where its own pattern knows best."""
    marks: list[str] = []
    child, node = name, name.parent
    for _ in range(_MAX_STEPS):
        if node is None:
            return None
        if node.type in _PATTERNS:
            marks.append(_mark(child, node, fold))
        elif node.type in _LAMBDAS:
            return _of_lambda(name, child, node, marks, fold)
        elif node.type not in _WRAPPERS:
            found = _from_statement(child, node, marks, fold)
            return found if not found or found.startswith("=") or not marks else None
        elif node.type in ("required_parameter", "optional_parameter") and marks:
            declared = node.child_by_field_name("type")
            if declared is not None:
                return _marked(marks, f"(undefined as {fold(declared).lstrip(': ')})")
        child, node = node, node.parent
    return None


def _mark(child: Node, pattern: Node, fold: Fold) -> str:
    if pattern.type == "object_pattern":
        key = child.child_by_field_name("key") if child.type == "pair_pattern" else child
        return f"get {fold(key or child)}"
    return f"item {_index(child, pattern)}"


def _index(child: Node, parent: Node) -> int:
    """Which of its parent's named children a node is."""
    return next((i for i, c in enumerate(parent.named_children) if c == child), 0)


def _marked(marks: list[str], rest: str) -> str:
    return "=" + " ".join((*marks, rest))


def _from_statement(child: Node, node: Node, marks: list[str], fold: Fold) -> str | None:
    """By the statement that the name's pattern stands in."""
    match node.type:
        case "for_statement" | "for_in_clause" | "for_in_statement" | "enhanced_for_statement":
            return _of_loop(child, node, marks, fold)
        case "range_clause":
            right = node.child_by_field_name("right")
            mark = "each" if marks and marks[-1] == "item 1" else "key"
            return None if right is None else f"={mark} {fold(right)}"
        case "with_item":
            return None
        case "as_pattern":
            return _of_as(node, marks, fold)
        case "type_switch_statement":
            return ""  # another type in every clause
        case "assignment" | "short_var_declaration" | "variable_declarator" | "var_spec" | "receive_statement":
            return _of_assignment(child, node, marks, fold)
        case _:
            return None


def _of_loop(child: Node, node: Node, marks: list[str], fold: Fold) -> str | None:
    right = node.child_by_field_name("right") or node.child_by_field_name("value")
    left = node.child_by_field_name("left") or node.child_by_field_name("name")
    if right is None or left is None or child != left:
        return None
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type == "in":
        return _marked(marks, f"key {fold(right)}")
    return _marked([*marks, "each"], fold(right))


def _of_as(node: Node, marks: list[str], fold: Fold) -> str | None:
    """`with EXPR as x` and `except TYPE as e`."""
    value = node.named_children[0] if node.named_children else None
    outer = node.parent
    if value is None or outer is None:
        return None
    if outer.type == "with_item":
        return _marked([*marks, "with"], fold(value))
    if outer.type in ("except_clause", "except_group_clause") and not marks:
        types = value.named_children if value.type == "tuple" else [value]
        return " | ".join(fold(t) for t in types)
    return None


def _of_assignment(child: Node, node: Node, marks: list[str], fold: Fold) -> str | None:
    right = node.child_by_field_name("right") or node.child_by_field_name("value")
    if right is None:
        return None
    if node.type == "var_spec" and not marks:  # its names stand side by side, without a list around them
        names = list(node.children_by_field_name("name"))
        marks = [f"item {next((i for i, c in enumerate(names) if c == child), 0)}"] if len(names) > 1 else []
    if not marks:
        single = right.named_children if right.type == "expression_list" else []
        return _marked([], fold(single[0])) if len(single) == 1 else None
    outermost = marks[-1]
    if outermost.startswith("item ") and right.type in _LISTS:
        elements = [c for c in right.named_children if c.type != "comment"]
        at = int(outermost[5:])
        if len(elements) == 1:
            lone = outermost == "item 0" and _is_single(node)
            return _marked(marks[:-1] if lone else marks, fold(elements[0]))
        if at < len(elements):
            return _marked(marks[:-1], fold(elements[at]))
    return _marked(marks, fold(right))


def _is_single(node: Node) -> bool:
    """Whether the left side is one name only."""
    left = node.child_by_field_name("left")
    return left is not None and left.type == "expression_list" and len(left.named_children) == 1


def _of_lambda(name: Node, child: Node, node: Node, marks: list[str], fold: Fold) -> str | None:
    """A parameter of an anonymous function: by the call it is an argument of, or the type it is assigned to."""
    parameters = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
    if parameters is None or not (parameters.start_byte <= name.start_byte < parameters.end_byte):
        return None
    position = _parameter_index(name, parameters)
    outer = node.parent
    while outer is not None and outer.type in _AROUND:
        node, outer = outer, outer.parent
    if outer is None:
        return None
    if outer.type in ("arguments", "argument_list") and outer.parent is not None:
        callee = _callee(outer.parent, fold)
        return _marked([*marks, f"argument {_index(node, outer)}.{position}"], callee) if callee else None
    if outer.type == "assignment_expression" and (left := outer.child_by_field_name("left")) is not None:
        return _marked([*marks, f"accepts {position}"], fold(left))
    declared = _expected(node, outer, fold)
    return _marked([*marks, f"parameter {position}"], declared) if declared else None


def _parameter_index(name: Node, parameters: Node) -> int:
    if not parameters.named_children or parameters.type in ("identifier",):
        return 0
    names = [c for c in parameters.named_children if c.type != "comment"]
    pattern = names[0].child_by_field_name("pattern") if names else None
    has_this = pattern is not None and pattern.type == "this"
    at = next((i for i, c in enumerate(names) if c.start_byte <= name.start_byte < c.end_byte), 0)
    return at - has_this


def _callee(call: Node, fold: Fold) -> str:
    match call.type:
        case "call_expression" | "call":
            function = call.child_by_field_name("function")
            return fold(function) if function is not None else ""
        case "method_invocation":
            receiver, name = call.child_by_field_name("object"), call.child_by_field_name("name")
            prefix = f"{fold(receiver)}." if receiver is not None else ""
            return prefix + fold(name) if name is not None else ""
        case "new_expression":
            constructor, arguments = call.child_by_field_name("constructor"), call.child_by_field_name("type_arguments")
            suffix = fold(arguments) if arguments is not None else ""
            return f"new {fold(constructor)}{suffix}" if constructor is not None else ""
        case "object_creation_expression":
            created = call.child_by_field_name("type")
            return f"new {fold(created)}" if created is not None else ""
        case _:
            return ""


def _expected(node: Node, outer: Node, fold: Fold) -> str:
    """The declared type where a lambda stands: of the variable it initialises or the function that returns it."""
    if outer.type == "variable_declarator" and outer.parent is not None:
        declared = outer.child_by_field_name("type") or outer.parent.child_by_field_name("type")
    elif outer.type in ("public_field_definition", "field_declaration"):
        declared = outer.child_by_field_name("type")
    elif outer.type == "return_statement" or outer.type in _FUNCTIONS:
        function: Node | None = outer
        while function is not None and function.type not in _FUNCTIONS:
            function = function.parent
        declared = None
        if function is not None:
            declared = function.child_by_field_name("return_type") or (
                function.child_by_field_name("type") if function.type == "method_declaration" else None
            )
    else:
        declared = None
    return fold(declared).lstrip(": ") if declared is not None else ""
