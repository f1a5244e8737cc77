"""The caller's half of the conversion: the domain's questions as requests, replies as answers, status as errors."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from google.protobuf.message import DecodeError
from google.rpc import code_pb2, error_details_pb2, status_pb2

from headwater.domain.answer import (
    Answer,
    AsOf,
    Certainty,
    ContextAnswer,
    ContextItem,
    FreshnessAnswer,
    QueryKind,
    Range,
    Result,
    StageFreshness,
    StructuralReport,
    ViewFreshness,
)
from headwater.domain.query_error import (
    CancelledError,
    DeadlinePassedError,
    ExhaustedError,
    ForbiddenError,
    InvalidQuestionError,
    NotFoundError,
    PageExpiredError,
    QueryError,
    UnauthenticatedError,
    UnavailableError,
)
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FreshnessQuestion,
    GrepQuestion,
    Place,
    Question,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import result_pb2, scope_pb2, structural_pb2
from headwater.rpc.status import message_of

_KINDS = {result_pb2.QueryKind.Value(f"QUERY_KIND_{kind.name}"): kind for kind in QueryKind}
_MODES = {kind: value for value, kind in _KINDS.items()}
_CERTAINTIES = {result_pb2.Certainty.Value(f"CERTAINTY_{c.name}"): c for c in Certainty}
_ERRORS: dict[int, type[QueryError]] = {
    code_pb2.DEADLINE_EXCEEDED: DeadlinePassedError,
    code_pb2.CANCELLED: CancelledError,
    code_pb2.FAILED_PRECONDITION: PageExpiredError,
    code_pb2.UNAUTHENTICATED: UnauthenticatedError,
    code_pb2.PERMISSION_DENIED: ForbiddenError,
}


def search_request(question: SearchQuestion) -> pb.SearchRequest:
    mode = _MODES[question.mode] if question.mode is not None else result_pb2.QUERY_KIND_UNSPECIFIED
    return pb.SearchRequest(query=question.query, mode=mode, scope=_scope(question), page=_page(question))


def definitions_request(question: DefinitionsQuestion) -> pb.FindDefinitionsRequest:
    return pb.FindDefinitionsRequest(
        symbol=question.symbol, place=_place(question.place), scope=_scope(question), page=_page(question)
    )


def usages_request(question: UsagesQuestion) -> pb.FindUsagesRequest:
    return pb.FindUsagesRequest(
        symbol=question.symbol, place=_place(question.place), kinds=question.kinds, scope=_scope(question)
    )


def grep_request(question: GrepQuestion) -> pb.GrepRequest:
    return pb.GrepRequest(
        pattern=question.pattern,
        regex=question.regex,
        ignore_case=question.ignore_case,
        multiline=question.multiline,
        scope=_scope(question),
        page=_page(question),
    )


def context_request(question: ContextQuestion) -> pb.GetContextRequest:
    return pb.GetContextRequest(query=question.query, max_tokens=question.max_tokens, scope=_scope(question))


def structural_request(question: StructuralQuestion) -> structural_pb2.StructuralSearchRequest:
    return structural_pb2.StructuralSearchRequest(
        scope=_scope(question),
        limit=question.limit,
        words=question.words,
        query_json=question.query,
        flowgraph_json=question.flowgraph,
        semgrep_yaml=question.semgrep,
        exact=question.exact,
    )


def freshness_request(question: FreshnessQuestion) -> pb.GetFreshnessRequest:
    return pb.GetFreshnessRequest(scope=_scope(question))


def views_request(question: FreshnessQuestion) -> pb.ListViewsRequest:
    return pb.ListViewsRequest(scope=_scope(question))


def search_answer(reply: pb.SearchResponse) -> Answer:
    return _answer(reply.summary, reply.results, _KINDS.get(reply.kind), reply.query_truncated)


def results_answer(reply: pb.FindDefinitionsResponse | pb.GrepResponse) -> Answer:
    return _answer(reply.summary, reply.results)


def usages_answer(parts: Sequence[pb.FindUsagesResponse]) -> Answer:
    """The summary is the first message's."""
    return _answer(parts[0].summary, [result for part in parts for result in part.results])


def context_answer(reply: pb.GetContextResponse) -> ContextAnswer:
    items = tuple(ContextItem(result=_result(i.result), tokens=i.tokens, reason=i.reason) for i in reply.items)
    summary = reply.summary
    return ContextAnswer(
        as_of=_as_of(summary),
        items=items,
        tokens=reply.tokens,
        omitted=reply.omitted,
        complete=summary.complete,
        degraded=tuple(summary.degraded),
    )


def structural_report(messages: Iterable[structural_pb2.StructuralSearchResponse]) -> StructuralReport:
    return StructuralReport.joined(map(_structural_part, messages))


def _structural_part(message: structural_pb2.StructuralSearchResponse) -> StructuralReport:
    plan = message.plan
    query: dict[str, Any] | None = msgspec.json.decode(plan.query_json) if plan.query_json else None
    return StructuralReport(
        as_of=_as_of(message.summary),
        query=query,
        engine=plan.engine,
        rendered=plan.rendered,
        engine_query=plan.engine_query,
        not_understood=tuple(plan.not_understood),
        problems=tuple(plan.problems),
        complete=message.summary.complete,
        results=tuple(map(_result, message.results)),
    )


def freshness_answer(reply: pb.GetFreshnessResponse) -> FreshnessAnswer:
    stages = tuple(
        StageFreshness(
            stage=s.stage, topic=s.topic, partition=s.partition, heartbeat_age_seconds=s.heartbeat_age_seconds
        )
        for s in reply.stages
    )
    return FreshnessAnswer(views=tuple(map(_view, reply.views)), satisfied=reply.satisfied, stages=stages)


def views_answer(reply: pb.ListViewsResponse) -> FreshnessAnswer:
    return FreshnessAnswer(views=tuple(map(_view, reply.views)))


def error_of(status: status_pb2.Status) -> QueryError:
    """The query error that a status was made from, as near as its code and details tell."""
    info, violation, retry = _details(status)
    reason, metadata = info.reason or code_pb2.Code.Name(status.code), dict(info.metadata)
    message = message_of(status, reason)
    if status.code == code_pb2.INVALID_ARGUMENT:
        return InvalidQuestionError(violation or metadata.get("field", ""), message, reason)
    if status.code == code_pb2.NOT_FOUND:
        suggestions = tuple(s for s in metadata.get("suggestions", "").split(", ") if s)
        return NotFoundError(reason, message, suggestions)
    if status.code == code_pb2.RESOURCE_EXHAUSTED:
        return ExhaustedError(reason, message, retry or 1.0)
    if status.code == code_pb2.UNAVAILABLE:
        return UnavailableError(reason, message, retry or 1.0)
    return _ERRORS.get(status.code, QueryError)(reason, message, metadata)


def _details(status: status_pb2.Status) -> tuple[error_details_pb2.ErrorInfo, str, float]:
    info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    for detail in status.details:
        try:
            _ = detail.Unpack(info) or detail.Unpack(bad) or detail.Unpack(retry)
        except DecodeError:
            continue
    field = bad.field_violations[0].field if bad.field_violations else ""
    return info, field, retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9


def _scope(question: Question) -> scope_pb2.Scope:
    return scope_pb2.Scope(
        repos=question.repos,
        refs=question.refs,
        path_globs=question.path_globs,
        languages=question.languages,
        min_commit=question.min_commit,
        timeout_seconds=question.timeout_s or 0.0,
    )


def _page(question: Question) -> scope_pb2.Page:
    return scope_pb2.Page(limit=question.limit, page_token=question.page_token)


def _place(place: Place | None) -> scope_pb2.Place | None:
    return None if place is None else scope_pb2.Place(path=place.path, line=place.line, col=place.col)


def _answer(
    summary: result_pb2.Summary,
    results: Iterable[result_pb2.Result],
    kind: QueryKind | None = None,
    query_truncated: bool = False,
) -> Answer:
    return Answer(
        as_of=_as_of(summary),
        results=tuple(map(_result, results)),
        complete=summary.complete,
        degraded=tuple(summary.degraded),
        kind=kind,
        query_truncated=query_truncated,
        next_page_token=summary.next_page_token,
        total=summary.total,
    )


def _as_of(summary: result_pb2.Summary) -> tuple[AsOf, ...]:
    return tuple(AsOf(view.repo, view.ref, view.commit) for view in summary.as_of)


def _result(message: result_pb2.Result) -> Result:
    at = message.range
    return Result(
        repo=message.repo,
        ref=message.ref,
        commit=message.commit,
        path=message.path,
        language=message.language,
        range=Range(at.start_line, at.start_col, at.start_byte_col, at.end_line, at.end_col, at.end_byte_col),
        symbol=message.symbol,
        qualified=message.qualified,
        kind=message.kind,
        signature=message.signature,
        score=message.score,
        retrievers=tuple(message.retrievers),
        snippet=message.snippet,
        snippet_line=message.snippet_line,
        duplicates=message.duplicates,
        generated=message.generated,
        certainty=_CERTAINTIES.get(message.certainty),
        definition=message.definition,
    )


def _view(view: pb.ViewFreshness) -> ViewFreshness:
    return ViewFreshness(
        repo=view.repo,
        ref=view.ref,
        commit=view.commit,
        tree=view.tree,
        tree_proven=view.tree_proven,
        generation=view.generation,
        opened_commit=view.opened_commit,
        vector_complete=view.vector_complete,
        pushed_at=view.pushed_at,
        published_at=view.published_at,
        default=view.default,
        head=view.head if view.HasField("head") else None,
        divergent_files=view.divergent_files,
        divergent_paths=tuple(view.divergent_paths),
        refused=view.refused,
    )
