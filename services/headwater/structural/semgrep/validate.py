"""Finds in a raw Semgrep rule what Semgrep would silently misread: its known traps."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

_PATTERN_KEYS = ("pattern", "patterns", "pattern-either", "pattern-regex", "match")
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


def read_rules(text: str) -> list[dict[str, Any]]:
    """The rules of a YAML document; raises ValueError naming what is wrong with the first wrong one."""
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f"not YAML: {error}") from error
    rules = document.get("rules") if isinstance(document, dict) else None
    if not isinstance(rules, list) or not rules:
        raise ValueError("a rule file has a list under rules")
    for rule in rules:
        problems = problems_of(rule)
        if problems:
            raise ValueError("; ".join(problems))
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
