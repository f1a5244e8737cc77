"""What the language model is told: the task, the query language with its documentation, examples with comments."""

import json
from collections.abc import Sequence

import msgspec

from headwater.structural.query import Construct, Node, Query, Related, Relation, encode, json_schema
from headwater.structural.render import NOUNS
from headwater.structural.translate.retrieve import Example

_TASK = """You translate a developer's question into a structural code search query.
Answer with one JSON object and nothing else. It must fit this JSON Schema:
{schema}

Constructs, the value of "construct":
{constructs}

Conditions, the objects in "where", told apart by "is":
- name: the construct's name; * is a wildcard; a dotted name matches the end of the qualified name
- type: declared type of a value; of a class any supertype; of a method its result
- literal: a literal's value, a string without its quotes
- count: the number of arguments or parameters (op: "=", ">=" or "<=")
- modifier: static, public, @Override; of a literal string, number, boolean or character
- related: another construct that stands in a relation; index counts arguments from 0
- all, any, not: conjunction, alternative and negation of conditions

Relations, from the construct to the other one:
{relations}

The target is what the question asks for, not what it mentions: "calls to read in a while loop" asks for calls."""

_RELATIONS = {
    Relation.INSIDE: "lies anywhere in the other's text",
    Relation.CONTAINS: "the other lies in its text",
    Relation.CONTROLLED_BY: "runs only if or as often as the other decides (body of an if, loop, catch)",
    Relation.CONTROLS: "decides whether the other runs",
    Relation.FOLLOWS: "comes later in the same block",
    Relation.PRECEDES: "comes earlier in the same block",
    Relation.USES: "takes the other's value, directly or by way of a variable",
    Relation.USED_BY: "its value is taken by the other",
    Relation.RECEIVER: "is called on the other",
    Relation.RECEIVER_OF: "the other is called on it",
    Relation.ARGUMENT: "has the other as argument, operand or parameter",
    Relation.ARGUMENT_OF: "is an argument, operand or parameter of the other",
    Relation.CONDITION: "has the other in its condition",
    Relation.CONDITION_OF: "is in the other's condition",
    Relation.VALUE: "returns, throws, assigns or casts the other",
    Relation.VALUE_OF: "is what the other returns, throws, assigns or casts",
}


def system_message() -> str:
    constructs = "\n".join(f"- {construct.value}: {NOUNS[construct]}" for construct in Construct)
    relations = "\n".join(f"- {relation.value}: {_RELATIONS[relation]}" for relation in Relation)
    schema = json.dumps(json_schema(), separators=(",", ":"))
    return _TASK.format(schema=schema, constructs=constructs, relations=relations)


def question_message(question: str, examples: Sequence[Example], problems: Sequence[str]) -> str:
    shown = [f"Question: {e.pair.question}\n{commented(e.pair.query)}" for e in examples]
    wrong = "\n".join(f"Your last answer was wrong: {problem}. Mend it." for problem in problems)
    return "\n\n".join(part for part in (*shown, wrong, f"Question: {question}") if part)


def target_message(question: str) -> str:
    """Asks, apart from the translation, for the construct that the question is after."""
    names = ", ".join(construct.value for construct in Construct)
    return f"Which one construct does this question ask for? Answer with one of: {names}.\nQuestion: {question}"


def invalid_message(error: str) -> str:
    return f"That is not a valid query: {error}. Answer with the mended JSON object only."


def commented(query: Query) -> str:
    """The query with a comment a step, as the paper found to help most."""
    return "\n".join([*_comments(query.target, "the target"), encode(query).decode()])


def _comments(node: Node, role: str) -> list[str]:
    lines = [f"// {role}: a {NOUNS[node.construct]}"]
    for condition in node.where:
        if isinstance(condition, Related):
            lines += _comments(condition.node, f"it {condition.relation.value.replace('_', ' ')}")
        else:
            lines.append(f"// of which holds: {msgspec.json.encode(condition).decode()}")
    return lines
