"""Spans as the rest of the program sees them; without a tracer every call is one test and an empty object."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType, TracebackType
from typing import ParamSpec, Protocol, Self, TypeVar

from headwater.tracing.names import Kind

TRACE_PARENT = "traceparent"  # W3C, in Kafka headers, gRPC metadata and HTTP headers alike
Push = tuple[str, str, float]  # repository, ref, time of the push: what a trace of the pipeline is about
Value = str | int | float | bool
P = ParamSpec("P")
R = TypeVar("R")


class Span(Protocol):
    """A stretch of work. `onward` is the trace parent to hand to whoever goes on with it, "" for none."""

    @property
    def onward(self) -> str: ...
    def set(self, name: str, value: Value) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Tracer(Protocol):
    """Makes spans; `tracing.otel` has the implementation."""

    def span(self, name: str, kind: Kind, parent: str, attributes: Mapping[str, Value]) -> Span:
        """A child of `parent` (a W3C traceparent), else of the span that this thread is in, else a root."""
        ...

    def batch(
        self, name: str, parents: Mapping[Push, str], attributes: Mapping[str, Value]
    ) -> AbstractContextManager[Mapping[Push, str]]:
        """One span in the trace of each push; gives what to hand on for each."""
        ...

    def note(self, event: str, push: Push, attributes: Mapping[str, Value]) -> None:
        """An event in the span of that push, if this thread is handling it."""
        ...

    def carried(self, work: Callable[P, R]) -> Callable[P, R]:
        """`work` for another thread, under the span that this thread is in."""
        ...


class _Untraced:
    """Passes the trace on without a span of its own."""

    __slots__ = ("onward",)

    def __init__(self, onward: str = "") -> None:
        self.onward = onward

    def set(self, name: str, value: Value) -> None: ...
    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _UntracedBatch:
    __slots__ = ("_parents",)

    def __init__(self, parents: Mapping[Push, str]) -> None:
        self._parents = parents

    def __enter__(self) -> Mapping[Push, str]:
        return self._parents

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


_NOTHING = _Untraced()
_tracer: Tracer | None = None


def install(tracer: Tracer | None) -> None:
    """For the whole process; None switches tracing off."""
    global _tracer  # noqa: PLW0603 a process has one, as it has one METRICS
    _tracer = tracer


def is_on() -> bool:
    return _tracer is not None


def span(
    name: str, kind: Kind = Kind.INTERNAL, parent: str = "", attributes: Mapping[str, Value] = MappingProxyType({})
) -> Span:
    """A context manager; attributes by `tracing.names`."""
    if _tracer is None:
        return _Untraced(parent) if parent else _NOTHING
    return _tracer.span(name, kind, parent, attributes)


def batch(
    name: str, parents: Mapping[Push, str], attributes: Mapping[str, Value]
) -> AbstractContextManager[Mapping[Push, str]]:
    """Work on messages of several pushes at once."""
    return _UntracedBatch(parents) if _tracer is None else _tracer.batch(name, parents, attributes)


def note(event: str, push: Push, attributes: Mapping[str, Value]) -> None:
    """Something that happened to a push."""
    if _tracer is not None:
        _tracer.note(event, push, attributes)


def carried(work: Callable[P, R]) -> Callable[P, R]:
    """For an executor: the spans of `work` belong to the caller's."""
    return work if _tracer is None else _tracer.carried(work)
