"""Prints answers: one JSON object for programs, aligned text for people."""

import sys
from collections.abc import Iterable
from typing import Any

import msgspec

from headwater.domain.answer import Answer, Result


def print_json(value: object) -> None:
    """One line of JSON, whatever the terminal's encoding."""
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.flush()


def answer_json(answer: Answer) -> dict[str, Any]:
    """The stable form: ranges are flattened into the results."""
    fields = msgspec.to_builtins(answer)
    fields["results"] = [_result_json(r) for r in answer.results]
    return dict(fields)


def _result_json(result: Result) -> dict[str, Any]:
    fields = msgspec.to_builtins(result)
    return {**fields.pop("range"), **fields}


def print_results(answer: Answer) -> None:
    """One block a result, best first, then what is missing from the answer."""
    for result in answer.results:
        print(_heading(result))
        for line in _excerpt(result):
            print(f"    {line}")
    for note in _notes(answer):
        print(f"({note})", file=sys.stderr)


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
