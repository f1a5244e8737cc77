"""One trace per query: the span around answering it, whichever front it came through."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from headwater.domain.answer import Answer, ContextAnswer
from headwater.tracing import names
from headwater.tracing.names import Kind
from headwater.tracing.spans import TRACE_PARENT, Span, is_on, span

Given = TypeVar("Given")


def _itself(answer: object) -> object:
    return answer


def traced(
    name: str,
    metadata: Callable[[], Iterable[tuple[str, Any]]],
    ask: Callable[[], Given],
    answer_in: Callable[[Given], object] = _itself,
) -> Given:
    """`ask()` in a span that continues the caller's trace, which is looked for in `metadata()` only while tracing."""
    if not is_on():
        return ask()
    parent = next((str(value) for key, value in metadata() if key == TRACE_PARENT), "")
    with span(name, Kind.SERVER, parent) as made:
        answer = ask()
        _describe(made, answer_in(answer))
    return answer


def _describe(made: Span, answer: object) -> None:
    """Never the question's text."""
    if isinstance(answer, Answer):
        made.set(names.KIND, str(answer.kind or ""))
        made.set(names.RESULTS, len(answer.results))
    if isinstance(answer, Answer | ContextAnswer):
        made.set(names.COMPLETE, answer.complete)
        made.set(names.DEGRADED, ",".join(answer.degraded))
