"""The intermediate query: one typed, versioned form that every translator writes and every engine compiles."""

from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

VERSION: Literal[1] = 1


class Construct(StrEnum):
    """What a query can ask for. `LOOP` and `ANY` are groups, see `members`."""

    CALL = "call"
    NEW = "new"
    OPERATOR = "operator"
    ASSIGNMENT = "assignment"
    CAST = "cast"
    INSTANCEOF = "instanceof"
    ARRAY_ACCESS = "array_access"
    CONDITIONAL = "conditional"
    LAMBDA = "lambda"
    IF = "if"
    FOR = "for"
    FOREACH = "foreach"
    WHILE = "while"
    DO = "do"
    SWITCH = "switch"
    CASE = "case"
    TRY = "try"
    CATCH = "catch"
    FINALLY = "finally"
    SYNCHRONIZED = "synchronized"
    RETURN = "return"
    THROW = "throw"
    BREAK = "break"
    CONTINUE = "continue"
    ASSERT = "assert"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    FIELD = "field"
    LITERAL = "literal"
    DECLARATION = "declaration"
    METHOD = "method"
    CLASS = "class"
    IMPORT = "import"
    LOOP = "loop"
    ANY = "any"


LOOPS = (Construct.FOR, Construct.FOREACH, Construct.WHILE, Construct.DO)
CONTROLS = (
    *LOOPS,
    *(Construct.IF, Construct.SWITCH, Construct.CASE, Construct.TRY, Construct.CATCH, Construct.FINALLY),
    *(Construct.SYNCHRONIZED, Construct.CONDITIONAL),
)
GROUPS = (Construct.LOOP, Construct.ANY)


def members(construct: Construct) -> tuple[Construct, ...]:
    """The plain constructs that a construct stands for."""
    if construct is Construct.LOOP:
        return LOOPS
    if construct is Construct.ANY:
        return tuple(kind for kind in Construct if kind not in GROUPS)
    return (construct,)


class Relation(StrEnum):
    """How a construct relates to another one. Each has an opposite, see `OPPOSITE`."""

    INSIDE = "inside"  # lies in the other's text, at any depth
    CONTAINS = "contains"
    CONTROLLED_BY = "controlled_by"  # lies in a region whose execution the other decides
    CONTROLS = "controls"
    FOLLOWS = "follows"  # comes later in the same block
    PRECEDES = "precedes"
    USES = "uses"  # takes the other's value, directly or by way of a variable
    USED_BY = "used_by"
    RECEIVER = "receiver"  # is called on the other
    RECEIVER_OF = "receiver_of"
    ARGUMENT = "argument"  # has the other as argument, operand or (of a method) parameter
    ARGUMENT_OF = "argument_of"
    CONDITION = "condition"  # has the other in its condition
    CONDITION_OF = "condition_of"
    VALUE = "value"  # assigns, returns, throws or casts the other
    VALUE_OF = "value_of"


_PAIRS = [
    (Relation.INSIDE, Relation.CONTAINS),
    (Relation.CONTROLLED_BY, Relation.CONTROLS),
    (Relation.FOLLOWS, Relation.PRECEDES),
    (Relation.USES, Relation.USED_BY),
    (Relation.RECEIVER, Relation.RECEIVER_OF),
    (Relation.ARGUMENT, Relation.ARGUMENT_OF),
    (Relation.CONDITION, Relation.CONDITION_OF),
    (Relation.VALUE, Relation.VALUE_OF),
]
OPPOSITE = dict(_PAIRS) | {b: a for a, b in _PAIRS}
COMPARISONS = ("=", ">=", "<=")
MOST_ARGUMENTS = 255  # no more can be asked for; no language of these has a call of so many
Small: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_ARGUMENTS)]


class Name(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="name", tag_field="is"):
    """The construct's name; `*` is a wildcard. A dotted pattern matches the end of the qualified name."""

    pattern: str


class Type(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="type", tag_field="is"):
    """Declared or evident type of a value; of a class, any supertype; of a method, its result."""

    pattern: str


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="literal", tag_field="is"):
    """A literal's value: a string without its quotes, anything else as written."""

    text: str


class Count(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="count", tag_field="is"):
    """How many arguments (of a method: parameters) there are."""

    n: Small
    op: Literal["=", "<=", ">="] = "="


class Modifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="modifier", tag_field="is"):
    """A modifier or annotation of a declaration: static, async, @Override."""

    name: str


class Related(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="related", tag_field="is", omit_defaults=True
):
    """Some other construct stands in the relation; `index` counts arguments from 0."""

    relation: Relation
    node: "Node"
    index: Small | None = None


class AllOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="all", tag_field="is"):
    conditions: "Conditions"


class AnyOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="any", tag_field="is"):
    conditions: "Conditions"


class Not(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="not", tag_field="is"):
    condition: "Condition"


Condition: TypeAlias = Name | Type | Value | Count | Modifier | Related | AllOf | AnyOf | Not
Conditions: TypeAlias = Annotated[tuple[Condition, ...], msgspec.Meta(min_length=1)]


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A construct for which every condition holds."""

    construct: Construct
    where: tuple[Condition, ...] = ()


class Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Every construct of the target's kind for which the conditions hold; an empty language means any."""

    version: Literal[1]
    target: Node
    language: str = ""


def query(target: Node, language: str = "") -> Query:
    """A query of the current version."""
    return Query(VERSION, target, language)


def encode(value: Query) -> bytes:
    return msgspec.json.encode(value)


def json_schema() -> dict[str, Any]:
    """The JSON Schema that schemas/structural/query.v1.schema.json holds."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Query)}
    return msgspec.json.decode(msgspec.json.encode(schema), type=dict[str, Any])
