"""QueryService over an engine: converts, asks, converts back, and turns errors into status."""

from collections.abc import Callable, Iterable, Iterator
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
from headwater.query.engine import Engine
from headwater.query.identity.audit import AuditLog, AuditRecord, asked, now, touched
from headwater.rpc import convert
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import query_service_pb2_grpc, structural_pb2
from headwater.rpc.status import status_of
from headwater.tracing import names
from headwater.tracing.queries import traced

_NOBODY = Grants(repos=frozenset())
Given = TypeVar("Given")
Authorise = Callable[[grpc.ServicerContext], Grants]  # raises QueryError, or aborts the call itself


def allow_all(_context: grpc.ServicerContext) -> Grants:
    """Where the transport alone decides who may ask."""
    return ALLOW_ALL


class QueryServicer(query_service_pb2_grpc.QueryServiceServicer):
    """One instance serves all threads."""

    def __init__(self, engine: Engine, authorise: Authorise = allow_all, audit: AuditLog | None = None) -> None:
        self._engine, self._authorise, self._audit = engine, authorise, audit

    def Search(self, request: pb.SearchRequest, context: grpc.ServicerContext) -> pb.SearchResponse:
        question = convert.search_question(request, _time_left(context))
        return convert.search_response(
            self._reply(context, "Search", request, lambda g: self._engine.search(question, g))
        )

    def FindDefinitions(
        self, request: pb.FindDefinitionsRequest, context: grpc.ServicerContext
    ) -> pb.FindDefinitionsResponse:
        question = convert.definitions_question(request, _time_left(context))
        return convert.definitions_response(
            self._reply(context, "FindDefinitions", request, lambda g: self._engine.definitions(question, g))
        )

    def FindUsages(
        self, request: pb.FindUsagesRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.FindUsagesResponse]:
        question = convert.usages_question(request, _time_left(context))
        answer = self._reply(context, "FindUsages", request, lambda g: self._engine.usages(question, g))
        messages: Iterable[pb.FindUsagesResponse] = convert.usages_responses(answer)
        yield from messages

    def Grep(self, request: pb.GrepRequest, context: grpc.ServicerContext) -> pb.GrepResponse:
        question = convert.grep_question(request, _time_left(context))
        return convert.grep_response(self._reply(context, "Grep", request, lambda g: self._engine.grep(question, g)))

    def GetContext(self, request: pb.GetContextRequest, context: grpc.ServicerContext) -> pb.GetContextResponse:
        question = convert.context_question(request, _time_left(context))
        return convert.context_response(
            self._reply(context, "GetContext", request, lambda g: self._engine.context(question, g))
        )

    def StructuralSearch(
        self, request: structural_pb2.StructuralSearchRequest, context: grpc.ServicerContext
    ) -> Iterator[structural_pb2.StructuralSearchResponse]:
        question = convert.structural_question(request, _time_left(context))
        parts = self._stream(context, "StructuralSearch", request, lambda g: self._engine.structural_parts(question, g))
        yield from convert.structural_responses(parts)

    def GetFileStatus(
        self, request: pb.GetFileStatusRequest, context: grpc.ServicerContext
    ) -> pb.GetFileStatusResponse:
        question = convert.files_question(request, _time_left(context))
        return convert.files_response(
            self._reply(context, "GetFileStatus", request, lambda g: self._engine.files(question, g))
        )

    def GetFreshness(self, request: pb.GetFreshnessRequest, context: grpc.ServicerContext) -> pb.GetFreshnessResponse:
        question = convert.freshness_question(request, _time_left(context))
        return convert.freshness_response(
            self._reply(context, "GetFreshness", request, lambda g: self._engine.freshness(question, g))
        )

    def ListViews(self, request: pb.ListViewsRequest, context: grpc.ServicerContext) -> pb.ListViewsResponse:
        question = convert.freshness_question(request, _time_left(context))
        return convert.views_response(
            self._reply(context, "ListViews", request, lambda g: self._engine.views(question, g))
        )

    def ReportOutcome(
        self, request: pb.ReportOutcomeRequest, context: grpc.ServicerContext
    ) -> pb.ReportOutcomeResponse:
        report = convert.outcome_report(request)
        recorded = self._reply(context, "ReportOutcome", request, lambda g: self._engine.report(report, g))
        return pb.ReportOutcomeResponse(recorded=recorded)

    def _reply(
        self, context: grpc.ServicerContext, method: str, request: Message, ask: Callable[[Grants], Given]
    ) -> Given:
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

    def _stream(
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
            self._refuse(call, error)
        _measure(method, None, call.seconds)
        self._record(call, "OK", "", as_of, results)

    def _refuse(self, call: "_Call", error: QueryError) -> None:
        """Aborts the call, which raises."""
        status = status_of(error)
        code = code_pb2.Code.Name(status.code)
        METRICS.count("headwater_query_requests_total", method=call.method, code=code)
        self._record(call, code, error.reason, (), 0)
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


# The reply must leave before the caller gives up on it.
_RETURN_MARGIN_S = 0.02


def _time_left(context: grpc.ServicerContext) -> float | None:
    left = context.time_remaining()
    return None if left is None else max(0.001, left - min(_RETURN_MARGIN_S, left / 2))
