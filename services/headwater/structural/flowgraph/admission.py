"""Admits a Flowgraph rule that a caller wrote: known steps, arguments of their kind, regular expressions of RE2."""

from collections.abc import Iterable

import msgspec

from headwater.limits import Limits
from headwater.structural.admission import check_language, check_text
from headwater.structural.flowgraph.pipeline import (
    ANY_ARGUMENT,
    ARGUMENT_TRANSFORMS,
    COMBINATORS,
    CONTROL_KINDS,
    FILTERS,
    NODE_TYPES,
    REGEX_FILTERS,
    TEXT_FILTERS,
    TRANSFORMS,
    Argument,
    ContextKind,
    Pipeline,
    Rule,
    Step,
)
from headwater.structural.flowgraph.regex import compiled
from headwater.structural.json_text import read_json
from headwater.structural.query import COMPARISONS, MOST_ARGUMENTS
from headwater.structural.too_large import TooLargeError

_CONTEXT = "withContextNodesTransform"
_KNOWN = (*FILTERS, *TRANSFORMS, *COMBINATORS, _CONTEXT)
_CHOICES: dict[str, Iterable[str]] = {
    "withControlFilter": CONTROL_KINDS,
    "withNodeByTypeFilter": NODE_TYPES,
    _CONTEXT: tuple(kind.value for kind in ContextKind),
}


def decode_rule(text: str, allowed: Limits) -> Rule:
    """Raises TooLargeError, msgspec.ValidationError or ValueError, which name the place and what is allowed there."""
    made = read_json(text, allowed.structural_text_bytes, allowed.structural_depth)
    rule = msgspec.convert(made, Rule)
    check_language(rule.language)
    check_text(rule.name, "$.name", allowed, empty=True)
    validate(rule.steps, allowed)
    return rule


def validate(pipeline: Pipeline, allowed: Limits) -> None:
    """Raises TooLargeError, ValueError."""
    if not pipeline:
        raise ValueError("a rule without steps finds everything: give one - at `$.steps`")
    pending, steps = [("$.steps", 1, pipeline)], 0
    while pending:
        path, depth, part = pending.pop()
        steps += len(part)
        if steps > allowed.structural_steps:
            raise TooLargeError("structural_steps", f"a rule has at most {allowed.structural_steps} steps")
        if depth > allowed.structural_depth:
            message = f"it nests more than {allowed.structural_depth} levels deep - at `{path}`"
            raise TooLargeError("structural_depth", message)
        for number, step in enumerate(part):
            _check_step(step, f"{path}[{number}]", allowed)
            inner = f"{path}[{number}].pipelines"
            pending += [(f"{inner}[{i}]", depth + 1, pipeline) for i, pipeline in enumerate(step.pipelines)]


def _check_step(step: Step, path: str, allowed: Limits) -> None:
    if step.op not in _KNOWN:
        raise ValueError(f"unknown step {step.op[:60]}: known are {', '.join(sorted(_KNOWN))} - at `{path}.op`")
    if step.op in COMBINATORS:
        if step.args or not step.pipelines or not all(step.pipelines):
            raise ValueError(f"{step.op} takes pipelines with steps, and nothing else - at `{path}`")
        return
    if step.pipelines:
        raise ValueError(f"{step.op} takes no pipelines - at `{path}.pipelines`")
    if step.op in _CHOICES:
        _check_choice(step, path)
    elif step.op in TRANSFORMS:
        _check_transform(step, path)
    else:
        _check_filter(step, path, allowed)


def _check_choice(step: Step, path: str) -> None:
    choices = tuple(_CHOICES[step.op])
    (choice,) = _arguments(step, path, (str,))
    if choice not in choices:
        raise ValueError(f"{step.op} knows no {str(choice)[:40]}: one of {', '.join(choices)} - at `{path}.args[0]`")


def _check_transform(step: Step, path: str) -> None:
    if step.op not in ARGUMENT_TRANSFORMS:
        _arguments(step, path, ())
    elif step.args != (ANY_ARGUMENT,):
        _check_number(_arguments(step, path, (int,))[0], path)


def _check_filter(step: Step, path: str, allowed: Limits) -> None:
    if step.op == "withNumberOfArgumentsFilter":
        count, comparison = _arguments(step, path, (int, str))
        _check_number(count, path)
        if comparison not in COMPARISONS:
            message = f"{step.op} compares by one of {', '.join(COMPARISONS)}, not by {str(comparison)[:20]}"
            raise ValueError(f"{message} - at `{path}.args[1]`")
        return
    kinds = (bool, str) if step.op == "withDataByTypeFilter" else (str,)
    text = str(_arguments(step, path, kinds)[-1])
    place = f"{path}.args[{len(kinds) - 1}]"
    check_text(text, place, allowed, empty=step.op == "withDataByValueFilter", controls=step.op in TEXT_FILTERS)
    if step.op in REGEX_FILTERS:
        _check_regex(text, place, allowed)


def _check_number(number: Argument, path: str) -> None:
    if not 0 <= int(number) <= MOST_ARGUMENTS:
        raise ValueError(f"a number of arguments is from 0 to {MOST_ARGUMENTS} - at `{path}.args[0]`")


def _check_regex(text: str, place: str, allowed: Limits) -> None:
    try:
        compiled(text, allowed.structural_regex_bytes)
    except TooLargeError as error:
        raise TooLargeError(error.limit, f"{error} - at `{place}`") from error
    except ValueError as error:
        raise ValueError(f"{error} - at `{place}`") from error


def _arguments(step: Step, path: str, kinds: tuple[type, ...]) -> tuple[Argument, ...]:
    """The step's arguments, of exactly these kinds: to JSON, `true` is no number."""
    if tuple(type(argument) for argument in step.args) != kinds:
        wanted = ", ".join({bool: "true or false", int: "a whole number", str: "a text"}[kind] for kind in kinds)
        raise ValueError(f"{step.op} takes {f'[{wanted}]' if kinds else 'no arguments'} - at `{path}.args`")
    return step.args
