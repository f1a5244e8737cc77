"""Compiles an intermediate query to an ast-grep rule object. Types and data flow are beyond it."""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.query import (
    LOOPS,
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
    Value,
)
from headwater.structural.semgrep.syntax import ANYTHING, SYNTAX, Syntax
from headwater.structural.unsupported import UnsupportedQueryError

Rule: TypeAlias = dict[str, Any]
_MOST_RELATIONS = 2


def compile_query(query: Query, language: str) -> Rule:
    """A rule object for ast-grep's `find_all`; raises UnsupportedQueryError."""
    syntax = SYNTAX.get(language)
    if syntax is None:
        raise UnsupportedQueryError(f"no ast-grep rules for {language}")
    if relations(query.target) > _MOST_RELATIONS:
        raise UnsupportedQueryError("ast-grep would scan the same again for each node: use the flowgraph engine")
    return _Compiler(syntax).node(query.target)


def relations(node: Node) -> int:
    """How many relations are within each other: each multiplies the cost, by a scan or by the fields it may be in."""
    return max(map(_relations, node.where), default=0)


def _relations(condition: Condition) -> int:
    match condition:
        case Related(node=node):
            return 1 + relations(node)
        case AllOf(conditions=parts) | AnyOf(conditions=parts):
            return max(map(_relations, parts), default=0)
        case Not(condition=inner):
            return _relations(inner)
        case _:
            return 0


class _Compiler:
    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax

    def node(self, node: Node) -> Rule:
        parts = [self._kinds(node), *(self._condition(condition, node.construct) for condition in node.where)]
        return {"all": parts} if len(parts) > 1 else parts[0]

    def _kinds(self, node: Node) -> Rule:
        kinds = LOOPS if node.construct is Construct.LOOP else (node.construct,)
        rules = [rule for kind in kinds for rule in self._syntax.rules.get(kind, ())]
        if not rules:
            raise UnsupportedQueryError(f"{self._syntax.language} rules know no {node.construct.value}")
        return rules[0] if len(rules) == 1 else {"any": rules}

    def _condition(self, condition: Condition, owner: Construct) -> Rule:
        match condition:
            case Name(pattern=pattern):
                return self._name(pattern, owner)
            case Value(text=text):
                return {"regex": self._literal(text)}
            case Count(n=n, op=op):
                return self._count(n, op, owner)
            case Modifier(name=name):
                return self._modifier(name, owner)
            case Not(condition=inner):
                return {"not": self._condition(inner, owner)}
            case AllOf(conditions=parts):
                return {"all": [self._condition(part, owner) for part in parts]}
            case AnyOf(conditions=parts):
                return {"any": [self._condition(part, owner) for part in parts]}
            case Related():
                return self._related(condition, owner)
            case _:
                raise UnsupportedQueryError("ast-grep rules know no types: use the flowgraph engine")

    def _name(self, pattern: str, owner: Construct) -> Rule:
        if "." in pattern.strip("."):
            raise UnsupportedQueryError("ast-grep rules know no qualified names: use the flowgraph engine")
        regex = f"^{'.*'.join(re.escape(part) for part in pattern.split('*'))}$"
        if owner is Construct.OPERATOR:
            return self._syntax.operator(pattern)
        places = self._syntax.names.get(owner)
        if places is None:
            raise UnsupportedQueryError(f"ast-grep rules know no name of a {owner.value}")
        rules = [_at(path, {"regex": regex}) for path in places]
        return rules[0] if len(rules) == 1 else {"any": rules}

    def _literal(self, text: str) -> str:
        escaped = re.escape(text)
        return f'^(?:{escaped}|[rRbBuUfF]*(?:"{escaped}"|\'{escaped}\'|`{escaped}`|"""{escaped}"""))$'

    def _count(self, n: int, op: str, owner: Construct) -> Rule:
        listed = self._arguments(owner)
        at_least: Rule = {"has": {"nthChild": n}}
        more: Rule = {"has": {"nthChild": n + 1}}
        choices: dict[str, list[Rule]] = {"=": [at_least, {"not": more}], ">=": [at_least], "<=": [{"not": more}]}
        inner = [rule for rule in choices[op] if rule != {"has": {"nthChild": 0}}]
        return {"has": {"field": listed, "all": inner}} if inner else {"has": {"field": listed, **ANYTHING}}

    def _arguments(self, owner: Construct) -> str:
        field = self._syntax.argument_fields.get(owner)
        if field is None:
            raise UnsupportedQueryError(f"ast-grep rules know no arguments of a {owner.value}")
        return field

    def _modifier(self, name: str, owner: Construct) -> Rule:
        if owner is Construct.LITERAL and name in self._syntax.literals:
            return {"any": [{"kind": kind} for kind in self._syntax.literals[name]]}
        if owner in (Construct.METHOD, Construct.CLASS, Construct.DECLARATION) and self._syntax.language == "java":
            return {"has": {"kind": "modifiers", "regex": rf"(^|\s){re.escape(name)}(\s|\(|$)"}}
        raise UnsupportedQueryError(f"ast-grep rules know no modifier of a {owner.value}")

    def _related(self, condition: Related, owner: Construct) -> Rule:
        compiled = _RELATIONS.get(condition.relation)
        if compiled is None:
            raise UnsupportedQueryError(f"ast-grep rules know no relation {condition.relation.value}")
        return compiled(self, condition, owner)

    def inside(self, condition: Related, owner: Construct) -> Rule:
        return {"inside": {"stopBy": "end", **self.node(condition.node)}}

    def contains(self, condition: Related, owner: Construct) -> Rule:
        return {"has": {"stopBy": "end", **self.node(condition.node)}}

    def controlled_by(self, condition: Related, owner: Construct) -> Rule:
        fields = self._syntax.bodies.get(condition.node.construct)
        if fields is None:
            raise UnsupportedQueryError(f"ast-grep rules know no body of a {condition.node.construct.value}")
        outer = self.node(condition.node)
        return {"any": [{"inside": {"stopBy": "end", "field": field, **outer}} for field in fields]}

    def condition(self, condition: Related, owner: Construct) -> Rule:
        inner = self.node(condition.node)
        return _at((self._condition_field(owner),), {"any": [inner, {"has": {"stopBy": "end", **inner}}]})

    def condition_of(self, condition: Related, owner: Construct) -> Rule:
        field = self._condition_field(condition.node.construct)
        return {"inside": {"stopBy": "end", "field": field, **self.node(condition.node)}}

    def _condition_field(self, owner: Construct) -> str:
        field = self._syntax.conditions.get(owner)
        if field is None:
            raise UnsupportedQueryError(f"ast-grep rules know no condition of a {owner.value}")
        return field

    def argument(self, condition: Related, owner: Construct) -> Rule:
        inner = self.node(condition.node)
        if owner is Construct.OPERATOR:
            if condition.index is not None:
                raise UnsupportedQueryError("ast-grep rules know no numbered operands")
            return self._syntax.any_field(("left", "right", "operand", "argument"), inner)
        position = {} if condition.index is None else {"nthChild": condition.index + 1}
        return {"has": {"field": self._arguments(owner), "has": {**position, **inner}}}

    def receiver(self, condition: Related, owner: Construct) -> Rule:
        inner = self.node(condition.node)
        return {"any": [_at(path, inner) for path in self._syntax.receivers]}

    def value(self, condition: Related, owner: Construct) -> Rule:
        inner = self.node(condition.node)
        if self._syntax.language == "go":
            inner = {"any": [inner, {"kind": "expression_list", "has": inner}]}
        if owner in (Construct.RETURN, Construct.THROW):
            return {"has": inner}
        if owner is Construct.ASSIGNMENT:
            return self._syntax.any_field(("right", "value"), inner)
        raise UnsupportedQueryError(f"ast-grep rules know no value of a {owner.value}")


_RELATIONS: dict[Relation, Callable[[_Compiler, Related, Construct], Rule]] = {
    Relation.INSIDE: _Compiler.inside,
    Relation.CONTAINS: _Compiler.contains,
    Relation.CONTROLLED_BY: _Compiler.controlled_by,
    Relation.CONDITION: _Compiler.condition,
    Relation.CONDITION_OF: _Compiler.condition_of,
    Relation.ARGUMENT: _Compiler.argument,
    Relation.RECEIVER: _Compiler.receiver,
    Relation.VALUE: _Compiler.value,
}


def _at(path: tuple[str, ...], rule: Rule) -> Rule:
    """The rule holds at the end of a path of fields."""
    for field in reversed(path):
        rule = {"has": {"field": field, **rule}}
    return rule


def supported_languages() -> tuple[str, ...]:
    return tuple(language for language in SYNTAX if language in BY_NAME)
