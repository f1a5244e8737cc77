"""What ast-grep rules need to know of each grammar, taken from the Flowgraph tables where they say it already."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.flowgraph.shape import Language
from headwater.structural.query import LOOPS, Construct

ANYTHING = {"regex": ""}  # a relation needs some rule even where only the field counts
_GO_CLAUSES: list[dict[str, Any]] = [{"has": {"kind": "for_clause"}}, {"has": {"kind": "range_clause"}}]
_GO_LOOPS: dict[Construct, tuple[dict[str, Any], ...]] = {
    Construct.FOR: ({"kind": "for_statement", **_GO_CLAUSES[0]},),
    Construct.FOREACH: ({"kind": "for_statement", **_GO_CLAUSES[1]},),
    Construct.WHILE: ({"kind": "for_statement", "not": {"any": _GO_CLAUSES}},),
}
_PLAIN = "^(=|:=)$"


@dataclass(frozen=True, slots=True)
class Syntax:
    """Rules that match a construct's nodes, and the fields where its parts are."""

    language: str
    rules: Mapping[Construct, tuple[dict[str, Any], ...]]
    names: Mapping[Construct, tuple[tuple[str, ...], ...]]
    argument_fields: Mapping[Construct, str]
    receivers: tuple[tuple[str, ...], ...]
    bodies: Mapping[Construct, tuple[str, ...]]
    conditions: Mapping[Construct, str]
    literals: Mapping[str, tuple[str, ...]]
    fields: frozenset[str]  # the grammar's: a rule with another one is refused

    def any_field(self, fields: tuple[str, ...], rule: dict[str, Any]) -> dict[str, Any]:
        """The rule holds in one of those fields that the grammar has."""
        return {"any": [{"has": {"field": field, **rule}} for field in fields if field in self.fields]}

    def operator(self, sign: str) -> dict[str, Any]:
        """The operator's sign: in its field, or the unnamed token of an increment."""
        exact: dict[str, Any] = {"regex": f"^{re.escape(sign)}$"}
        if sign == "not":
            return {"kind": "not_operator"}
        rule = self.any_field(("operator", "operators"), exact)
        if sign in ("++", "--") and self.language != "go":
            escaped = re.escape(sign)
            rule["any"].append({"kind": "update_expression", "regex": rf"^{escaped}|{escaped}$"})
        return rule


_FIELDS = [
    "name",
    "type",
    "object",
    "function",
    "property",
    "attribute",
    "field",
    "operand",
    "argument",
    "arguments",
    "parameters",
    "left",
    "right",
    "value",
    "operator",
    "operators",
    "body",
    "consequence",
    "alternative",
    "condition",
    "constructor",
]


def _known(language: Language) -> tuple[frozenset[str], frozenset[str]]:
    """Those kinds of the table, and fields of ours, that this very grammar has."""
    grammar = language.grammar()
    kinds = [kind for kind in [*language.shapes, "variable_declarator"] if grammar.id_for_node_kind(kind, True)]
    return frozenset(kinds), frozenset(field for field in _FIELDS if grammar.field_id_for_name(field))


def _rules(language: Language) -> dict[Construct, tuple[dict[str, Any], ...]]:
    kinds: dict[Construct, list[str]] = {}
    known, fields = _known(language)
    for kind, shape in ((kind, shape) for kind, shape in language.shapes.items() if kind in known):
        kinds.setdefault(shape.construct, []).append(kind)
    found = {construct: tuple({"kind": kind} for kind in listed) for construct, listed in kinds.items()}
    if "operator" not in fields:
        return found
    compound = [kind for kind in kinds.get(Construct.ASSIGNMENT, []) if kind.startswith("augmented")]
    plain = [kind for kind in kinds.get(Construct.ASSIGNMENT, []) if kind not in compound]
    signed = [kind for kind in plain if language.name in ("java", "go") and kind.startswith("assignment")]
    is_plain: dict[str, Any] = {"has": {"field": "operator", "regex": _PLAIN}}
    assignments: list[dict[str, Any]] = [{"kind": kind} for kind in plain if kind not in signed]
    assignments += [_both(kind, is_plain) for kind in signed]
    if "variable_declarator" in known:
        assignments.append({"kind": "variable_declarator", "has": {"field": "value", **ANYTHING}})
    operators = [*found.get(Construct.OPERATOR, ()), *({"kind": kind} for kind in compound)]
    operators += [_both(kind, {"not": is_plain}) for kind in signed]
    loops = _GO_LOOPS if language.name == "go" else {}
    return {**found, **loops, Construct.ASSIGNMENT: tuple(assignments), Construct.OPERATOR: tuple(operators)}


def _both(kind: str, rule: dict[str, Any]) -> dict[str, Any]:
    return {"all": [{"kind": kind}, rule]}


def _literals(language: Language) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    known, _ = _known(language)
    for kind, shape in language.shapes.items():
        if shape.literal and kind in known:
            found[shape.literal] = (*found.get(shape.literal, ()), kind)
    return found


def _syntax(language: Language) -> Syntax:
    called = next(shape for shape in language.shapes.values() if shape.construct is Construct.CALL)
    members = [(called.name, *fields) for fields in language.members.values()]
    java = language.name == "java"
    names: dict[Construct, tuple[tuple[str, ...], ...]] = {
        Construct.CALL: (("name",),) if java else (("function",), *((f, name) for f, _, name in members)),
        Construct.METHOD: (("name",),),
        Construct.CLASS: (("name",),),
        Construct.ASSIGNMENT: (("name",), ("left",)) if "variable_declarator" in _known(language)[0] else (("left",),),
        Construct.VARIABLE: ((),),
    }
    created = next((shape.type for shape in language.shapes.values() if shape.construct is Construct.NEW), "")
    if created:
        names[Construct.NEW] = ((created,),)
    bodies = dict.fromkeys(LOOPS, ("body",)) | {Construct.LOOP: ("body",), Construct.IF: ("consequence", "alternative")}
    return Syntax(
        language=language.name,
        rules=_rules(language),
        names=names,
        argument_fields={
            Construct.CALL: "arguments",
            Construct.NEW: "arguments",
            Construct.METHOD: "parameters",
        },
        receivers=(("object",),) if java else tuple((f, owner) for f, owner, _ in members),
        bodies=bodies | {Construct.TRY: ("body",)},
        conditions={Construct.IF: "condition", Construct.WHILE: "condition", Construct.DO: "condition"}
        | ({Construct.FOR: "condition"} if language.name != "go" else {}),
        literals=_literals(language),
        fields=_known(language)[1],
    )


SYNTAX = {name: _syntax(language) for name, language in BY_NAME.items()}
