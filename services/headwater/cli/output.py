"""Prints answers: one JSON object for programs, aligned text for people."""

import json
import sys
from collections.abc import Iterable
from typing import Any

import msgspec

from headwater.domain.answer import Answer, Result
from headwater.runtime.terminal import printable


def print_json(value: object) -> None:
    """One line of JSON, whatever the terminal's encoding."""
    line = msgspec.json.encode(value)
    if sys.stdout.isatty():
        line = json.dumps(json.loads(line), separators=(",", ":")).replace("\x7f", "\\u007f").encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.flush()


def say(line: str) -> None:
    """One line on standard output, whatever the names in it hold: they can't begin another."""
    print(printable(line), flush=True)


def say_code(text: str) -> None:
    """Text as it is; a terminal shows what can't be seen as escapes (runtime/terminal.py)."""
    print(text)


def warn(line: str) -> None:
    """One line on standard error."""
    print(printable(line), file=sys.stderr, flush=True)


def answer_json(answer: Answer) -> dict[str, Any]:
    """The stable form of an answer."""
    return dict(flat(answer))


def flat(value: object) -> Any:
    """Builtins of an answer, in which every result's `range` is spread into the result itself."""
    return _spread(msgspec.to_builtins(value))


def _spread(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_spread(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {**value.get("range", {}), **{k: _spread(v) for k, v in value.items() if k != "range"}}


def print_results(answer: Answer) -> None:
    """One block a result, best first, then what is missing from the answer."""
    for result in answer.results:
        say(_heading(result))
        for line in _excerpt(result):
            say_code(f"    {line}")
    for note in _notes(answer):
        warn(f"({note})")


def _heading(result: Result) -> str:
    place = f"{result.repo}:{result.path}:{result.range.start_line}:{result.range.start_col}"
    certainty = f" [{result.certainty.value.replace('_', ' ')}]" if result.certainty else ""
    more = f" (+{result.duplicates} alike)" if result.duplicates else ""
    return f"{place}  {result.kind} {result.qualified or result.symbol}{certainty}{more}".rstrip()


def _excerpt(result: Result, lines: int = 4) -> Iterable[str]:
    return result.snippet.strip("\n").split("\n")[:lines] if result.snippet else ()


def _notes(answer: Answer) -> Iterable[str]:
    if not answer.results:
        yield "no results"
    if answer.degraded:
        yield f"without {', '.join(answer.degraded)}"
    if not answer.complete:
        yield "partial: a limit or deadline was reached"
    if answer.query_truncated:
        yield "the query was cut"
    if answer.next_page_token:
        yield f"{len(answer.results)} of {answer.total}; more with --page {answer.next_page_token}"
    for view in answer.as_of:
        yield f"as of {view.repo} {view.ref} {view.commit[:12]}"
