"""Compiles an intermediate query to a Semgrep rule: inlined patterns, and clauses for what lies around the target."""

import re
from itertools import count, product
from typing import Any, TypeAlias

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
    members,
)
from headwater.structural.semgrep.templates import PREFIX_OPERATORS, SEMGREP_NAMES, STEP_OPERATORS, TEMPLATES
from headwater.structural.unsupported import UnsupportedQueryError

Clause: TypeAlias = dict[str, Any]
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F_]+|\d[\d_]*(\.\d+)?)[lLfFdD]?")
_METAVARIABLE = re.compile(r"\$[A-Z]+[0-9]*")
_SLOTS = ("RECV", "NAME", "ARGS", "PARAMS", "LEFT", "RIGHT", "OP", "VALUE", "COND", "TYPE", "LITERAL")
_SLOT = re.compile(f"({'|'.join(_SLOTS)})")
_MOST_ALTERNATIVES = 64
_MOST_PATTERNS = 5_000  # made for one query, those that are thrown away included
_EXACT_VALUES = (Construct.RETURN, Construct.THROW, Construct.ASSIGNMENT, Construct.CAST)


def compile_query(query: Query, language: str) -> dict[str, Any]:
    """A Semgrep rule as plain data, constant propagation off; raises UnsupportedQueryError."""
    if language not in TEMPLATES:
        raise UnsupportedQueryError(f"no Semgrep patterns for {language}")
    compiler = _Compiler(language)
    return {
        "id": "query",
        "languages": [SEMGREP_NAMES[language]],
        "severity": "INFO",
        "message": "match",
        "options": {"constant_propagation": False},
        "patterns": compiler.target(query.target),
    }


class _Compiler:
    def __init__(self, language: str) -> None:
        self._language = language
        self._templates = TEMPLATES[language]
        self._fresh = count(1)
        self._made = 0

    def target(self, node: Node) -> list[Clause]:
        inlined = [c for c in node.where if not _around(c)]
        if node.construct is Construct.CALL and not any(isinstance(c, Name) for c in node.where):
            raise UnsupportedQueryError("Semgrep takes annotations for calls: name the call")
        clauses = [_either(self.alternatives(Node(node.construct, tuple(inlined))))]
        return clauses + [clause for c in node.where if _around(c) for clause in self._clauses(node, c)]

    def _clauses(self, node: Node, condition: Condition) -> list[Clause]:
        """Clauses of a conjunction that already has a positive one."""
        match condition:
            case (
                Related(relation=Relation.INSIDE, node=outer)
                | Not(condition=Related(relation=Relation.INSIDE, node=outer))
            ) if set(members(outer.construct)) & set(members(node.construct)):
                raise UnsupportedQueryError("to Semgrep everything is inside itself: use the flowgraph engine")
            case Related(relation=Relation.INSIDE, node=outer):
                return [_either(self.alternatives(outer), "pattern-inside")]
            case Not(condition=Related(relation=Relation.INSIDE, node=outer)):
                return [{"pattern-not-inside": text} for text in self.alternatives(outer)]
            case Not(condition=inner):
                return [{"pattern-not": text} for text in self.alternatives(Node(node.construct, (inner,)))]
            case AnyOf(conditions=parts):
                return [{"pattern-either": [self._positive(node, part) for part in parts]}]
            case AllOf(conditions=parts):
                return [clause for part in parts for clause in self._part(node, part)]
            case _:
                raise UnsupportedQueryError("Semgrep has no such clause: use the flowgraph engine")

    def _part(self, node: Node, condition: Condition) -> list[Clause]:
        if _around(condition):
            return self._clauses(node, condition)
        return [_either(self.alternatives(Node(node.construct, (condition,))))]

    def _positive(self, node: Node, condition: Condition) -> Clause:
        clauses = self._part(node, condition)
        if len(clauses) != 1 or any("not" in key for key in clauses[0]):
            raise UnsupportedQueryError("Semgrep can't choose between negations: use the flowgraph engine")
        return clauses[0]

    def alternatives(self, node: Node) -> list[str]:
        """Pattern texts, any of which matches the node; every condition is inlined."""
        templates = self._templates.get(node.construct)
        if templates is None:
            raise UnsupportedQueryError(f"Semgrep can't match a {node.construct.value} in {self._language} faithfully")
        if any(_around(condition) for condition in node.where):
            raise UnsupportedQueryError("Semgrep can't nest such a condition in a pattern")
        if node.construct is Construct.OPERATOR:
            templates = self._operator_templates(node)
        slots = self._slots(node)
        templates = tuple(template for template in templates if all(slot in template for slot in slots))
        if not templates:
            raise UnsupportedQueryError(f"Semgrep has no place for that in a {node.construct.value}")
        filled = [text for template in templates for text in self._fill(template, slots)]
        if len(filled) > _MOST_ALTERNATIVES:
            raise UnsupportedQueryError("too many alternatives for one Semgrep rule")
        return filled

    def _slots(self, node: Node) -> dict[str, list[str]]:
        slots: dict[str, list[str]] = {}
        arguments = [c for c in node.where if isinstance(c, Related) and c.relation is Relation.ARGUMENT]
        counts = [c for c in node.where if isinstance(c, Count)]
        operator = node.construct in (Construct.OPERATOR, Construct.INSTANCEOF, Construct.ARRAY_ACCESS)
        if node.construct is Construct.METHOD and counts:
            slots["PARAMS"] = self._parameters(counts, arguments)
        elif operator and arguments:
            slots |= self._operands(arguments)
        elif arguments or counts:
            slots["ARGS"] = self._arguments(counts, arguments)
        for condition in node.where:
            if condition not in arguments and condition not in counts:
                slots |= self._slot(condition, node.construct)
        return slots

    def _slot(self, condition: Condition, owner: Construct) -> dict[str, list[str]]:
        match condition:
            case Name(pattern=pattern) | Type(pattern=pattern) if "$" in pattern:
                raise UnsupportedQueryError("Semgrep reads a name with $ as a metavariable")
            case Name(pattern=pattern) if "*" not in pattern and "." not in pattern:
                key = "OP" if owner is Construct.OPERATOR else "TYPE" if owner is Construct.NEW else "NAME"
                return {key: [pattern]}
            case Type(pattern=pattern) if owner in (Construct.NEW, Construct.CAST, Construct.INSTANCEOF):
                return {"TYPE": [pattern]}
            case Value(text=text):
                return {"LITERAL": [text if _is_plain(text) else f'"{text}"']}
            case Modifier(name="string") if owner is Construct.LITERAL:
                return {"LITERAL": ['"..."']}
            case Related(relation=Relation.RECEIVER, node=inner):
                return {"RECV": self.alternatives(inner)}
            case Related(relation=Relation.VALUE, node=inner) if owner in _EXACT_VALUES:
                return {"VALUE": self.alternatives(inner)}
            case Related(relation=Relation.CONDITION, node=inner):
                return {"COND": [f"<... {text} ...>" for text in self.alternatives(inner)]}
            case _:
                raise UnsupportedQueryError("Semgrep has no pattern for this condition: use the flowgraph engine")

    def _arguments(self, counts: list[Count], arguments: list[Related]) -> list[str]:
        exact = next((c.n for c in counts if c.op == "="), None)
        least = max([c.n for c in counts if c.op == ">="], default=0)
        most = next((c.n for c in counts if c.op == "<="), None)
        if most is not None and arguments:
            raise UnsupportedQueryError("Semgrep can't bound arguments and constrain them")
        if most is not None:
            return [", ".join(self._metavariables(n)) for n in range(most + 1)]
        if exact is None and least == 0 and all(a.index is None for a in arguments) and len(arguments) == 1:
            return [f"..., {text}, ..." for text in self.alternatives(arguments[0].node)]
        length = exact if exact is not None else max([least, *(1 + (a.index or 0) for a in arguments)])
        return self._placed(arguments, length, open_ended=exact is None)

    def _parameters(self, counts: list[Count], arguments: list[Related]) -> list[str]:
        if arguments or len(counts) > 1 or counts[0].op != "=":
            raise UnsupportedQueryError("Semgrep takes a method's exact number of parameters only")
        names = self._metavariables(2 * counts[0].n)
        return [", ".join(f"{names[2 * i]} {names[2 * i + 1]}" for i in range(counts[0].n))]

    def _placed(self, arguments: list[Related], length: int, *, open_ended: bool) -> list[str]:
        places = [[a.index] if a.index is not None else list(range(length)) for a in arguments]
        found = []
        for chosen in product(*places):
            self._make()
            if len(set(chosen)) < len(chosen) or any(position >= length for position in chosen):
                continue
            for texts in product(*(self.alternatives(a.node) for a in arguments)):
                self._make()
                listed = self._metavariables(length)
                for position, text in zip(chosen, texts, strict=True):
                    listed[position] = text
                found.append(", ".join([*listed, "..."] if open_ended else listed))
        return found

    def _operands(self, arguments: list[Related]) -> dict[str, list[str]]:
        if len(arguments) != 1 or arguments[0].index is None:
            raise UnsupportedQueryError("Semgrep needs to know which operand")
        return {"LEFT" if arguments[0].index == 0 else "RIGHT": self.alternatives(arguments[0].node)}

    def _operator_templates(self, node: Node) -> tuple[str, ...]:
        sign = next((c.pattern for c in node.where if isinstance(c, Name)), "")
        if not sign:
            raise UnsupportedQueryError("Semgrep needs to know which operator")
        python = self._language == "python"
        if (sign in ("!", "&&", "||", *STEP_OPERATORS)) if python else (sign in ("not", "and", "or", "in", "is")):
            raise UnsupportedQueryError(f"{self._language} has no operator {sign}")
        if sign in STEP_OPERATORS:
            return ("LEFTOP", "OPLEFT")
        unary = ("OP LEFT",) if sign in PREFIX_OPERATORS else ()
        return unary if sign in ("!", "~", "not") else ("LEFT OP RIGHT", *unary)

    def _metavariables(self, number: int) -> list[str]:
        return [f"$V{next(self._fresh)}" for _ in range(number)]

    def _fill(self, template: str, slots: dict[str, list[str]]) -> list[str]:
        names = [name for name in _SLOTS if name in template]
        choices = [slots[name] if name in slots else [self._default(name)] for name in names]
        filled = []
        for chosen in product(*choices):
            self._make()
            values = dict(zip(names, chosen, strict=True))
            pieces = _SLOT.split(self._renamed(template))
            filled.append("".join(values.get(piece, piece) for piece in pieces))
        return filled

    def _make(self) -> None:
        """Alternatives multiply with each other. Raises UnsupportedQueryError."""
        self._made += 1
        if self._made > _MOST_PATTERNS:
            raise UnsupportedQueryError("too many alternatives for one Semgrep rule: use the flowgraph engine")

    def _renamed(self, template: str) -> str:
        """The template with its own metavariables made fresh: equal names would have to match equal code."""
        found = dict.fromkeys(_METAVARIABLE.findall(template))
        renamed = dict(zip(found, self._metavariables(len(found)), strict=True))
        return _METAVARIABLE.sub(lambda match: renamed[match.group()], template)

    def _default(self, slot: str) -> str:
        if slot == "LITERAL":
            raise UnsupportedQueryError("Semgrep needs to know which literal")
        return "..." if slot in ("ARGS", "PARAMS") else self._metavariables(1)[0]


def _around(condition: Condition) -> bool:
    """Whether the condition is a clause of its own rather than part of a pattern."""
    if isinstance(condition, Related):
        return condition.relation is Relation.INSIDE
    return isinstance(condition, Not | AnyOf | AllOf)


def _either(patterns: list[str], key: str = "pattern") -> Clause:
    return {key: patterns[0]} if len(patterns) == 1 else {"pattern-either": [{key: text} for text in patterns]}


def _is_plain(text: str) -> bool:
    """Whether a literal is written without quotes."""
    return text in ("true", "false", "null", "None", "True", "False", "nil") or _NUMBER.fullmatch(text) is not None
