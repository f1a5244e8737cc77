"""OpenTelemetry behind the Tracer port; the only module that imports it, itself imported only when tracing is on."""

import contextvars
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from headwater import __version__
from headwater.runtime.redact import redacted
from headwater.tracing.names import ERROR, PUSHED_AT, REF, REPO, Kind
from headwater.tracing.spans import TRACE_PARENT, Push, Value

P = ParamSpec("P")
R = TypeVar("R")
_W3C = TraceContextTextMapPropagator()
_pushes: contextvars.ContextVar[Mapping[Push, trace.Span]] = contextvars.ContextVar("pushes")


class OtelTracer:
    """Exports to an OTLP/HTTP endpoint from a thread of its own; what can't be exported in time is dropped."""

    def __init__(self, service: str, endpoint: str, sample: float) -> None:
        resource = Resource.create({SERVICE_NAME: f"headwater-{service}", SERVICE_VERSION: __version__})
        self._provider = TracerProvider(resource=resource, sampler=ParentBased(TraceIdRatioBased(sample)))
        exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces", timeout=5)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("headwater", __version__)

    def span(self, name: str, kind: Kind, parent: str, attributes: Mapping[str, Value]) -> "_Current":
        made = self._tracer.start_span(name, _context(parent), SpanKind[kind], _masked(attributes))
        return _Current(made)

    @contextmanager
    def batch(
        self, name: str, parents: Mapping[Push, str], attributes: Mapping[str, Value]
    ) -> Iterator[Mapping[Push, str]]:
        spans = {push: self._of_push(name, push, parent, attributes) for push, parent in parents.items()}
        active = _pushes.set(spans)
        try:
            with ExitStack() as opened:
                if len(spans) == 1:
                    only = next(iter(spans.values()))
                    opened.enter_context(trace.use_span(only, record_exception=False, set_status_on_exception=False))
                yield {push: _onward(made) for push, made in spans.items()}
        except Exception as error:
            for made in spans.values():
                _fail(made, error)
            raise
        finally:
            _pushes.reset(active)
            for made in spans.values():
                made.end()

    def note(self, event: str, push: Push, attributes: Mapping[str, Value]) -> None:
        made = _pushes.get({}).get(push)
        if made is not None:
            made.add_event(event, _masked(attributes))

    def carried(self, work: Callable[P, R]) -> Callable[P, R]:
        context = contextvars.copy_context()
        return lambda *args, **kwargs: context.run(work, *args, **kwargs)

    def close(self) -> None:
        """Sends what is left, for a few seconds at most."""
        self._provider.shutdown()

    def _of_push(self, name: str, push: Push, parent: str, attributes: Mapping[str, Value]) -> trace.Span:
        repo, ref, pushed_at = push
        whole = {**attributes, REPO: repo, REF: ref, PUSHED_AT: pushed_at}
        return self._tracer.start_span(name, _context(parent), SpanKind.CONSUMER, _masked(whole))


class _Current:
    """A span that is its thread's current one while it is entered."""

    def __init__(self, made: trace.Span) -> None:
        self._span, self.onward = made, _onward(made)
        self._use: AbstractContextManager[trace.Span] = trace.use_span(
            made, record_exception=False, set_status_on_exception=False
        )

    def set(self, name: str, value: Value) -> None:
        self._span.set_attribute(name, _masked({name: value})[name])

    def __enter__(self) -> Self:
        self._use.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace_: TracebackType | None
    ) -> None:
        if error is not None:
            _fail(self._span, error)
        self._use.__exit__(None, None, None)
        self._span.end()


def _masked(attributes: Mapping[str, Value]) -> dict[str, Value]:
    return {name: redacted(value) if isinstance(value, str) else value for name, value in attributes.items()}


def _context(parent: str) -> Context | None:
    return _W3C.extract({TRACE_PARENT: parent}) if parent else None


def _onward(made: trace.Span) -> str:
    carrier: dict[str, str] = {}
    _W3C.inject(carrier, trace.set_span_in_context(made))
    return carrier.get(TRACE_PARENT, "")


def _fail(made: trace.Span, error: BaseException) -> None:
    """The kind of error and nothing of its text, which may hold code."""
    made.set_attribute(ERROR, type(error).__name__)
    made.set_status(Status(StatusCode.ERROR))
