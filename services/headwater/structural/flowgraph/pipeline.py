"""The Flowgraph language: filters and transforms over a set of nodes; the last set is the answer."""

from enum import StrEnum
from typing import TypeAlias

import msgspec

from headwater.structural.query import Construct, Relation


class ContextKind(StrEnum):
    """What kind of node a context is taken of."""

    LOOP = "LOOP"
    CONDITIONAL = "CONDITIONAL"
    SWITCH = "SWITCH"
    TRY = "TRY"
    CATCH = "CATCH"
    FINALLY = "FINALLY"
    SYNCHRONIZED = "SYNCHRONIZED"
    METHOD = "METHOD"
    CLASS = "CLASS"
    ANY = "ANY"


CONTEXTS: dict[ContextKind, tuple[Construct, ...]] = {
    ContextKind.LOOP: (Construct.LOOP,),
    ContextKind.CONDITIONAL: (Construct.IF, Construct.CONDITIONAL),
    ContextKind.SWITCH: (Construct.SWITCH, Construct.CASE),
    ContextKind.TRY: (Construct.TRY,),
    ContextKind.CATCH: (Construct.CATCH,),
    ContextKind.FINALLY: (Construct.FINALLY,),
    ContextKind.SYNCHRONIZED: (Construct.SYNCHRONIZED,),
    ContextKind.METHOD: (Construct.METHOD, Construct.LAMBDA),
    ContextKind.CLASS: (Construct.CLASS,),
    ContextKind.ANY: (Construct.ANY,),
}
TEXTUAL = (ContextKind.METHOD, ContextKind.CLASS, ContextKind.ANY)  # their context is what they contain
ANY_ARGUMENT = "ANY_ARGUMENT"

CONTROL_KINDS = {
    "IF_STATEMENT": Construct.IF,
    "FOR_STATEMENT": Construct.FOR,
    "ENHANCED_FOR_STATEMENT": Construct.FOREACH,
    "WHILE_STATEMENT": Construct.WHILE,
    "DO_STATEMENT": Construct.DO,
    "LOOP_STATEMENT": Construct.LOOP,
    "SWITCH_STATEMENT": Construct.SWITCH,
    "SWITCH_CASE": Construct.CASE,
    "TRY_STATEMENT": Construct.TRY,
    "CATCH_CLAUSE": Construct.CATCH,
    "FINALLY_BLOCK": Construct.FINALLY,
    "SYNCHRONIZED_STATEMENT": Construct.SYNCHRONIZED,
    "RETURN_STATEMENT": Construct.RETURN,
    "THROW_STATEMENT": Construct.THROW,
    "BREAK_STATEMENT": Construct.BREAK,
    "CONTINUE_STATEMENT": Construct.CONTINUE,
}
NODE_TYPES = {
    "METHOD_INVOCATION": Construct.CALL,
    "CLASS_INSTANCE_CREATION": Construct.NEW,
    "OPERATION": Construct.OPERATOR,
    "ASSIGNMENT": Construct.ASSIGNMENT,
    "CAST_EXPRESSION": Construct.CAST,
    "INSTANCEOF_EXPRESSION": Construct.INSTANCEOF,
    "ARRAY_ACCESS": Construct.ARRAY_ACCESS,
    "CONDITIONAL_EXPRESSION": Construct.CONDITIONAL,
    "LAMBDA_EXPRESSION": Construct.LAMBDA,
    "ASSERT_STATEMENT": Construct.ASSERT,
    "VARIABLE": Construct.VARIABLE,
    "PARAMETER": Construct.PARAMETER,
    "FIELD_ACCESS": Construct.FIELD,
    "LITERAL": Construct.LITERAL,
    "VARIABLE_DECLARATION": Construct.DECLARATION,
    "METHOD_DECLARATION": Construct.METHOD,
    "TYPE_DECLARATION": Construct.CLASS,
    "IMPORT_DECLARATION": Construct.IMPORT,
    "ANY": Construct.ANY,
}
# By each transform, the relation in which its results stand to the nodes it starts from.
TRANSFORMS = {
    "withControlledNodesTransform": Relation.CONTROLLED_BY,
    "withControlDependenciesTransform": Relation.CONTROLS,
    "withContainedNodesTransform": Relation.INSIDE,
    "withEnclosingNodesTransform": Relation.CONTAINS,
    "withFollowingNodesTransform": Relation.FOLLOWS,
    "withPrecedingNodesTransform": Relation.PRECEDES,
    "withDataDependenciesTransform": Relation.USED_BY,
    "withDataDependentsTransform": Relation.USES,
    "withReceiverTransform": Relation.RECEIVER_OF,
    "withReceiverUsersTransform": Relation.RECEIVER,
    "withArgumentTransform": Relation.ARGUMENT_OF,
    "withArgumentUsersTransform": Relation.ARGUMENT,
    "withConditionTransform": Relation.CONDITION_OF,
    "withConditionUsersTransform": Relation.CONDITION,
    "withValueTransform": Relation.VALUE_OF,
    "withValueUsersTransform": Relation.VALUE,
}
ARGUMENT_TRANSFORMS = ("withArgumentTransform", "withArgumentUsersTransform")
COMBINATORS = ("withAllOf", "withAnyOf", "withNegationOf")
REGEX_FILTERS = (
    "withActionFilter",  # an operator's sign or a call's plain name
    "withMethodCallFilter",  # a call's qualified name
    "withDataByNameFilter",
)
TEXT_FILTERS = ("withDataByValueFilter", "withModifierFilter")
FILTERS = (
    *("withControlFilter", "withNodeByTypeFilter", *REGEX_FILTERS, *TEXT_FILTERS),
    "withNumberOfArgumentsFilter",  # how many, and a comparison
    "withDataByTypeFilter",  # True: the declared type alone; False: of a class its supertypes too
)

Argument: TypeAlias = bool | int | str


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One filter, transform or combinator, by the paper's name; `pipelines` only for combinators."""

    op: str
    args: tuple[Argument, ...] = ()
    pipelines: tuple["Pipeline", ...] = ()


Pipeline: TypeAlias = tuple[Step, ...]


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole Flowgraph query; `language` empty means every language."""

    steps: Pipeline
    name: str = ""
    language: str = ""


def written(pipeline: Pipeline, indent: str = "  ") -> str:
    """The pipeline as the chained builder, one step a line."""
    lines = []
    for step in pipeline:
        shown = ", ".join(repr(argument) if isinstance(argument, str) else str(argument) for argument in step.args)
        inner = "".join(f"\n{indent}  rule(){written(part, indent + '    ')}," for part in step.pipelines)
        lines.append(f"\n{indent}.{step.op}({shown}{inner})")
    return "".join(lines)
