"""One call of any service: who asks, the answer or status, and what metrics, trace and audit log keep of it."""

from collections.abc import Callable, Iterator
from itertools import chain
from time import perf_counter
from typing import TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc import code_pb2
from grpc_status import rpc_status

from headwater.domain.answer import Answer, AsOf, ContextAnswer, StructuralReport
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.query_error import QueryError
from headwater.metrics import METRICS
from headwater.query.identity.audit import AuditLog, AuditRecord, asked, now, object_of, touched
from headwater.rpc.status import status_of
from headwater.tracing import names
from headwater.tracing.queries import traced

_NOBODY = Grants(repos=frozenset())
Given = TypeVar("Given")
Authorise = Callable[[grpc.ServicerContext], Grants]  # raises QueryError, or aborts the call itself


def allow_all(_context: grpc.ServicerContext) -> Grants:
    """Where the transport alone decides who may ask."""
    return ALLOW_ALL


class Calls:
    """One for a server; safe to use from several threads."""

    def __init__(self, authorise: Authorise = allow_all, audit: AuditLog | None = None) -> None:
        self._authorise, self._audit = authorise, audit

    def reply(
        self, context: grpc.ServicerContext, method: str, request: Message, ask: Callable[[Grants], Given]
    ) -> Given:
        """What `ask` gives under the caller's grants; a QueryError ends the call with its status."""
        call = _Call(context, method, request)
        try:
            call.grants = self._authorise(context)
            answer = traced(names.QUERY_PREFIX + method, context.invocation_metadata, lambda: ask(call.grants))
        except QueryError as error:
            self._refuse(call, error)
            raise  # never reached: the call is aborted
        _measure(method, answer, call.seconds)
        self._record(call, "OK", "", *touched(answer))
        return answer

    def stream(
        self,
        context: grpc.ServicerContext,
        method: str,
        request: Message,
        ask: Callable[[Grants], Iterator[StructuralReport]],
    ) -> Iterator[StructuralReport]:
        """Each part as soon as it is there; one record for all of them. The trace has what leads to the first one."""
        call, results = _Call(context, method, request), 0
        as_of: tuple[AsOf, ...] = ()
        try:
            call.grants = self._authorise(context)
            parts = ask(call.grants)
            first = traced(names.QUERY_PREFIX + method, context.invocation_metadata, lambda: next(parts))
            for part in chain((first,), parts):
                as_of, results = as_of or part.as_of, results + len(part.results)
                yield part
        except QueryError as error:
            self._refuse(call, error, as_of, results)
        except GeneratorExit:  # the caller went away with what it had got
            self._record(call, "CANCELLED", "", as_of, results)
            raise
        _measure(method, None, call.seconds)
        self._record(call, "OK", "", as_of, results)

    def _refuse(self, call: "_Call", error: QueryError, as_of: tuple[AsOf, ...] = (), results: int = 0) -> None:
        """Aborts the call, which raises. `results` were given before."""
        status = status_of(error)
        code = code_pb2.Code.Name(status.code)
        METRICS.count("headwater_query_requests_total", method=call.method, code=code)
        self._record(call, code, error.reason, as_of, results)
        call.context.abort_with_status(rpc_status.to_status(status))

    def _record(self, call: "_Call", code: str, reason: str, as_of: tuple[AsOf, ...], results: int) -> None:
        if self._audit is None:
            return
        record = AuditRecord(
            at=now(),
            method=call.method,
            principal=call.grants.principal,
            peer=call.context.peer(),
            code=code,
            reason=reason,
            seconds=round(call.seconds, 4),
            as_of=as_of,
            results=results,
            query=asked(call.request),
            object=object_of(call.request),
        )
        self._audit.record(record)


class _Call:
    """Who asks what, since when."""

    def __init__(self, context: grpc.ServicerContext, method: str, request: Message) -> None:
        self.context, self.method, self.request = context, method, request
        self.grants, self._started = _NOBODY, perf_counter()

    @property
    def seconds(self) -> float:
        return perf_counter() - self._started


def _measure(method: str, answer: object, seconds: float) -> None:
    kind = str(answer.kind or "") if isinstance(answer, Answer) else ""
    METRICS.count("headwater_query_requests_total", method=method, code="OK")
    METRICS.observe("headwater_query_seconds", seconds, method=method, kind=kind)
    if isinstance(answer, Answer | ContextAnswer):
        for part in answer.degraded:
            METRICS.count("headwater_query_degraded_total", part=part)
    if isinstance(answer, Answer):
        METRICS.count("headwater_query_results_total", len(answer.results), method=method)
        METRICS.count("headwater_query_empty_total", not answer.results, method=method)
