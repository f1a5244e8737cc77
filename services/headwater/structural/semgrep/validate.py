"""Admits raw Semgrep rules: those that only match, within bounds, and in which no trap of Semgrep's is known."""

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from headwater.limits import Limits
from headwater.structural.flowgraph.regex import compiled
from headwater.structural.semgrep.rule_text import read_document
from headwater.structural.semgrep.templates import SEMGREP_NAMES
from headwater.structural.too_large import TooLargeError

_Check: TypeAlias = Callable[[Any, str, Limits], None]
_PATTERN_KEYS = ("pattern", "patterns", "pattern-either", "pattern-regex", "match")
_LANGUAGES = tuple(sorted({*SEMGREP_NAMES, *SEMGREP_NAMES.values()}))
_SEVERITIES = ("ERROR", "WARNING", "INFO", "INVENTORY", "EXPERIMENT", "CRITICAL", "HIGH", "MEDIUM", "LOW")
_MOST_RULES = 16
_METAVARIABLE = re.compile(r"\$(?:[A-Z_][A-Z_0-9]*|\.\.\.[A-Z_][A-Z_0-9]*|[1-9]\d{0,2})")
_TRAPS = {
    r"\$[a-z]\w*": "metavariables are written in upper case: {0}",
    r"^\s*catch\s*\(": "a catch clause alone matches nothing: write the whole try statement",
    r"\(\s*[A-Z]\w*\s+\$[A-Z_0-9]+\s*\)\s*[-+*/]?=[^=]": "a typed metavariable can't be assigned to: {0}",
}
_JAVA_TRAPS = {
    r"\bswitch\s*\([^)]*\)\s*\{\s*\.\.\.\s*\}": "switch with an ellipsis for its body doesn't parse in Java",
    r"\b(?:if|for|while)\s*\([^)]*\)\s*\$[A-Z]\w*\s*$": "a statement can't be a metavariable in Java: write {{ ... }}",
    r"\btry\s*\{\s*\.\.\.\s*\}\s*catch\s*\(\$\w+ \$\w+\)\s*\{[^}]*\}\s*$": (
        "this matches only a try statement that has no finally and exactly one catch"
    ),
}


def read_rules(text: str, allowed: Limits) -> list[dict[str, Any]]:
    """The rules of a YAML document. Raises TooLargeError, ValueError, which name what is wrong with the first wrong
    one, and where."""
    document = read_document(text, allowed.structural_text_bytes)
    if not isinstance(document, dict) or set(document) != {"rules"} or not isinstance(document["rules"], list):
        raise ValueError("a rule file has a list under rules, and nothing else")
    rules: list[Any] = document["rules"]
    if not rules:
        raise ValueError("a rule file has a list under rules, and nothing else")
    if len(rules) > _MOST_RULES:
        raise TooLargeError("structural_steps", f"at most {_MOST_RULES} rules at once")
    for number, rule in enumerate(rules):
        _check_keys(rule, f"rules[{number}]", _RULE, allowed)
        problems = problems_of(rule)
        if problems:
            raise ValueError("; ".join(problems))
    operators = sum(1 for rule in rules for _ in _keys(rule))
    if operators > allowed.structural_steps:
        raise TooLargeError("structural_steps", f"rules have at most {allowed.structural_steps} keys in all")
    if len({rule["id"] for rule in rules}) < len(rules):
        raise ValueError("two rules have the same id: give each its own")
    return rules


def problems_of(rule: object) -> list[str]:
    """What is wrong with one rule, empty when nothing is known to be."""
    if not isinstance(rule, dict):
        return ["a rule is a mapping"]
    missing = [key for key in ("id", "languages", "message", "severity") if key not in rule]
    problems = [f"the rule lacks {key}" for key in missing]
    if not any(key in rule for key in _PATTERN_KEYS):
        problems.append(f"the rule has none of {', '.join(_PATTERN_KEYS)}")
    java = "java" in (rule.get("languages") or [])
    for pattern in _patterns(rule):
        for regex, message in (_TRAPS | (_JAVA_TRAPS if java else {})).items():
            found = re.search(regex, pattern)
            if found:
                problems.append(message.format(found.group(0)))
    return problems


def _patterns(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) and str(key).startswith("pattern") and not str(key).endswith("regex"):
                yield inner
            else:
                yield from _patterns(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _patterns(inner)


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def _check_keys(value: object, place: str, known: dict[str, _Check], allowed: Limits) -> None:
    if not isinstance(value, dict):
        raise ValueError(f"a mapping is wanted - at `{place}`")
    for key, inner in value.items():
        if key not in known:
            raise ValueError(f"{key[:40]} is not run here: known are {', '.join(sorted(known))} - at `{place}`")
        known[key](inner, f"{place}.{key}", allowed)


def _pattern(value: object, place: str, allowed: Limits) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"a pattern is a text - at `{place}`")
    if len(value.encode("utf-8", "replace")) > allowed.structural_pattern_bytes:
        most = allowed.structural_pattern_bytes
        raise TooLargeError("structural_pattern_bytes", f"a pattern has at most {most} bytes - at `{place}`")


def _regex(value: object, place: str, allowed: Limits) -> None:
    """Semgrep runs it with an engine that may try for long; what RE2 takes has no group that refers to another one."""
    _pattern(value, place, allowed)
    try:
        compiled(str(value), allowed.structural_regex_bytes)
    except ValueError as error:
        raise ValueError(f"{error} - at `{place}`") from error


def _text(value: object, place: str, allowed: Limits) -> None:
    if not isinstance(value, str):
        raise ValueError(f"a text is wanted - at `{place}`")


def _flag(value: object, place: str, allowed: Limits) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"true or false is wanted - at `{place}`")


def _metavariable(value: object, place: str, allowed: Limits) -> None:
    if not isinstance(value, str) or not _METAVARIABLE.fullmatch(value):
        raise ValueError(f"a metavariable is $ and upper case, as $X - at `{place}`")


def _metavariables(value: object, place: str, allowed: Limits) -> None:
    for number, inner in enumerate(value if isinstance(value, list) else [value]):
        _metavariable(inner, f"{place}[{number}]" if isinstance(value, list) else place, allowed)


def _one_of(choices: tuple[str, ...]) -> _Check:
    def check(value: object, place: str, allowed: Limits) -> None:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)} is wanted - at `{place}`")

    return check


def _each(check: _Check) -> _Check:
    def check_all(value: object, place: str, allowed: Limits) -> None:
        if not isinstance(value, list) or not value:
            raise ValueError(f"a list that is not empty is wanted - at `{place}`")
        for number, inner in enumerate(value):
            check(inner, f"{place}[{number}]", allowed)

    return check_all


def _with(known: dict[str, _Check]) -> _Check:
    return lambda value, place, allowed: _check_keys(value, place, known, allowed)


def _nested(value: object, place: str, allowed: Limits) -> None:
    _check_keys(value, place, _OPERATORS, allowed)


def _formula(value: object, place: str, allowed: Limits) -> None:
    """Of the newer syntax: a pattern alone, or operators."""
    if isinstance(value, str):
        _pattern(value, place, allowed)
    else:
        _check_keys(value, place, _FORMULA, allowed)


def _inside(value: object, place: str, allowed: Limits) -> None:
    if isinstance(value, str):
        _pattern(value, place, allowed)
    else:
        _nested(value, place, allowed)


_MATCHES = {"metavariable": _metavariable, "regex": _regex}
_OPERATORS: dict[str, _Check] = {
    **dict.fromkeys(("pattern", "pattern-not"), _pattern),
    **dict.fromkeys(("pattern-inside", "pattern-not-inside"), _inside),
    **dict.fromkeys(("pattern-regex", "pattern-not-regex"), _regex),
    **dict.fromkeys(("patterns", "pattern-either"), _each(_nested)),
    "focus-metavariable": _metavariables,
    "metavariable-regex": _with({**_MATCHES, "constant-propagation": _flag}),
}
_FORMULA: dict[str, _Check] = {
    "pattern": _pattern,
    "regex": _regex,
    **dict.fromkeys(("all", "any"), _each(_formula)),
    **dict.fromkeys(("inside", "not"), _formula),
    "where": _each(_with({**_MATCHES, "focus": _metavariables})),
}
_RULE: dict[str, _Check] = {
    **{key: check for key, check in _OPERATORS.items() if key in _PATTERN_KEYS},
    "match": _formula,
    "id": _text,
    "message": _text,
    "severity": _one_of(_SEVERITIES),
    "languages": _each(_one_of(_LANGUAGES)),
    "mode": _one_of(("search",)),
    "options": _with(
        dict.fromkeys(("constant_propagation", "symbolic_propagation", "ac_matching", "commutative_boolop"), _flag)
    ),
}
