"""QueryService over an engine: converts, asks, converts back, and turns errors into status."""

from collections.abc import Iterable, Iterator

import grpc

from headwater.query.calls import Authorise, Calls, allow_all
from headwater.query.engine import Engine
from headwater.query.identity.audit import AuditLog
from headwater.rpc import convert
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import query_service_pb2_grpc, structural_pb2


class QueryServicer(query_service_pb2_grpc.QueryServiceServicer):
    """One instance serves all threads."""

    def __init__(self, engine: Engine, authorise: Authorise = allow_all, audit: AuditLog | None = None) -> None:
        self._engine, self._calls = engine, Calls(authorise, audit)

    def Search(self, request: pb.SearchRequest, context: grpc.ServicerContext) -> pb.SearchResponse:
        question = convert.search_question(request, _time_left(context))
        return convert.search_response(
            self._calls.reply(context, "Search", request, lambda g: self._engine.search(question, g))
        )

    def FindDefinitions(
        self, request: pb.FindDefinitionsRequest, context: grpc.ServicerContext
    ) -> pb.FindDefinitionsResponse:
        question = convert.definitions_question(request, _time_left(context))
        return convert.definitions_response(
            self._calls.reply(context, "FindDefinitions", request, lambda g: self._engine.definitions(question, g))
        )

    def FindUsages(
        self, request: pb.FindUsagesRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.FindUsagesResponse]:
        question = convert.usages_question(request, _time_left(context))
        answer = self._calls.reply(context, "FindUsages", request, lambda g: self._engine.usages(question, g))
        messages: Iterable[pb.FindUsagesResponse] = convert.usages_responses(answer)
        yield from messages

    def Grep(self, request: pb.GrepRequest, context: grpc.ServicerContext) -> pb.GrepResponse:
        question = convert.grep_question(request, _time_left(context))
        return convert.grep_response(
            self._calls.reply(context, "Grep", request, lambda g: self._engine.grep(question, g))
        )

    def GetContext(self, request: pb.GetContextRequest, context: grpc.ServicerContext) -> pb.GetContextResponse:
        question = convert.context_question(request, _time_left(context))
        return convert.context_response(
            self._calls.reply(context, "GetContext", request, lambda g: self._engine.context(question, g))
        )

    def StructuralSearch(
        self, request: structural_pb2.StructuralSearchRequest, context: grpc.ServicerContext
    ) -> Iterator[structural_pb2.StructuralSearchResponse]:
        question = convert.structural_question(request, _time_left(context))
        parts = self._calls.stream(
            context, "StructuralSearch", request, lambda g: self._engine.structural_parts(question, g)
        )
        yield from convert.structural_responses(parts)

    def GetFileStatus(
        self, request: pb.GetFileStatusRequest, context: grpc.ServicerContext
    ) -> pb.GetFileStatusResponse:
        question = convert.files_question(request, _time_left(context))
        return convert.files_response(
            self._calls.reply(context, "GetFileStatus", request, lambda g: self._engine.files(question, g))
        )

    def GetFreshness(self, request: pb.GetFreshnessRequest, context: grpc.ServicerContext) -> pb.GetFreshnessResponse:
        question = convert.freshness_question(request, _time_left(context))
        return convert.freshness_response(
            self._calls.reply(context, "GetFreshness", request, lambda g: self._engine.freshness(question, g))
        )

    def ListViews(self, request: pb.ListViewsRequest, context: grpc.ServicerContext) -> pb.ListViewsResponse:
        question = convert.freshness_question(request, _time_left(context))
        return convert.views_response(
            self._calls.reply(context, "ListViews", request, lambda g: self._engine.views(question, g))
        )

    def ReportOutcome(
        self, request: pb.ReportOutcomeRequest, context: grpc.ServicerContext
    ) -> pb.ReportOutcomeResponse:
        report = convert.outcome_report(request)
        recorded = self._calls.reply(context, "ReportOutcome", request, lambda g: self._engine.report(report, g))
        return pb.ReportOutcomeResponse(recorded=recorded)


# The reply must leave before the caller gives up on it.
_RETURN_MARGIN_S = 0.02


def _time_left(context: grpc.ServicerContext) -> float | None:
    left = context.time_remaining()
    return None if left is None else max(0.001, left - min(_RETURN_MARGIN_S, left / 2))
