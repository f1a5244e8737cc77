"""Says an intermediate query in plain words."""

from headwater.structural.query import (
    AllOf,
    AnyOf,
    Condition,
    Construct,
    Count,
    Modifier,
    Name,
    Node,
    Not,
    Query,
    Related,
    Relation,
    Type,
    Value,
)

NOUNS = {
    Construct.CALL: "call",
    Construct.NEW: "object creation",
    Construct.OPERATOR: "operator",
    Construct.ASSIGNMENT: "assignment",
    Construct.CAST: "cast",
    Construct.INSTANCEOF: "instanceof check",
    Construct.ARRAY_ACCESS: "array access",
    Construct.CONDITIONAL: "conditional expression",
    Construct.LAMBDA: "lambda",
    Construct.IF: "if statement",
    Construct.FOR: "for loop",
    Construct.FOREACH: "for-each loop",
    Construct.WHILE: "while loop",
    Construct.DO: "do-while loop",
    Construct.SWITCH: "switch statement",
    Construct.CASE: "switch case",
    Construct.TRY: "try statement",
    Construct.CATCH: "catch clause",
    Construct.FINALLY: "finally block",
    Construct.SYNCHRONIZED: "synchronized block",
    Construct.RETURN: "return statement",
    Construct.THROW: "throw statement",
    Construct.BREAK: "break statement",
    Construct.CONTINUE: "continue statement",
    Construct.ASSERT: "assert statement",
    Construct.VARIABLE: "variable",
    Construct.PARAMETER: "parameter",
    Construct.FIELD: "field access",
    Construct.LITERAL: "literal",
    Construct.DECLARATION: "variable declaration",
    Construct.METHOD: "method declaration",
    Construct.CLASS: "class declaration",
    Construct.IMPORT: "import",
    Construct.LOOP: "loop",
    Construct.ANY: "construct",
}
_PHRASES = {
    Relation.INSIDE: "inside {}",
    Relation.CONTAINS: "containing {}",
    Relation.CONTROLLED_BY: "controlled by {}",
    Relation.CONTROLS: "controlling {}",
    Relation.FOLLOWS: "following {}",
    Relation.PRECEDES: "preceding {}",
    Relation.USES: "using the value of {}",
    Relation.USED_BY: "whose value is used by {}",
    Relation.RECEIVER: "called on {}",
    Relation.RECEIVER_OF: "that is the receiver of {}",
    Relation.ARGUMENT: "with {} as {}",
    Relation.ARGUMENT_OF: "that is {} of {}",
    Relation.CONDITION: "with {} in its condition",
    Relation.CONDITION_OF: "in the condition of {}",
    Relation.VALUE: "of {}",
    Relation.VALUE_OF: "that is the value of {}",
}
_COUNTS = {"=": "exactly", ">=": "at least", "<=": "at most"}


def render(query: Query) -> str:
    """One line of English that says all that the query says."""
    language = f" in {query.language}" if query.language else ""
    return f"Find every {_noun_phrase(query.target)}{language}."


def _noun_phrase(node: Node) -> str:
    adjectives = [c.name for c in node.where if isinstance(c, Modifier)]
    names = [_named(c.pattern, node.construct) for c in node.where if isinstance(c, Name)]
    others = [_clause(c, node.construct) for c in node.where if not isinstance(c, Name | Modifier)]
    return " ".join([*adjectives, NOUNS[node.construct], *names, " and ".join(others)]).strip()


def _clause(condition: Condition, owner: Construct) -> str:
    match condition:
        case Name(pattern=pattern):
            return _named(pattern, owner)
        case Type(pattern=pattern):
            return _typed(pattern, owner)
        case Value(text=text):
            return f"with the value `{text}`"
        case Count(n=n, op=op):
            return f"with {_COUNTS[op]} {n} {_argument_noun(owner)}{'' if n == 1 else 's'}"
        case Modifier(name=name):
            return f"marked {name}"
        case Not(condition=inner):
            return f"not ({_clause(inner, owner)})"
        case AllOf(conditions=inner_all):
            return "(" + " and ".join(_clause(part, owner) for part in inner_all) + ")"
        case AnyOf(conditions=inner_any):
            return "(" + " or ".join(_clause(part, owner) for part in inner_any) + ")"
        case Related():
            return _related(condition, owner)


def _related(condition: Related, owner: Construct) -> str:
    other = _article(_noun_phrase(condition.node))
    phrase = _PHRASES[condition.relation]
    if condition.relation is Relation.ARGUMENT:
        return phrase.format(other, _position(condition.index, owner))
    if condition.relation is Relation.ARGUMENT_OF:
        return phrase.format(_position(condition.index, condition.node.construct), other)
    return phrase.format(other)


def _named(pattern: str, owner: Construct) -> str:
    return f"to `{pattern}`" if owner is Construct.CALL else f"`{pattern}`"


def _typed(pattern: str, owner: Construct) -> str:
    if owner is Construct.CLASS:
        return f"extending or implementing `{pattern}`"
    return f"returning `{pattern}`" if owner is Construct.METHOD else f"of type `{pattern}`"


def _argument_noun(owner: Construct) -> str:
    if owner is Construct.OPERATOR:
        return "operand"
    return "parameter" if owner in (Construct.METHOD, Construct.LAMBDA) else "argument"


def _position(index: int | None, owner: Construct) -> str:
    noun = _argument_noun(owner)
    return _article(noun) if index is None else f"{noun} {index + 1}"


def _article(phrase: str) -> str:
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"
