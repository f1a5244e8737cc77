"""Between protobuf messages and the domain's questions and answers: the only module that knows both."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypedDict

import msgspec

from headwater.domain.answer import (
    Answer,
    AsOf,
    Certainty,
    ContextAnswer,
    FilesAnswer,
    FileState,
    FreshnessAnswer,
    QueryKind,
    Result,
    StructuralReport,
    ViewFreshness,
)
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FilesQuestion,
    FreshnessQuestion,
    GrepQuestion,
    OutcomeReport,
    Place,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import result_pb2, scope_pb2, structural_pb2

_KINDS = {kind: result_pb2.QueryKind.Value(f"QUERY_KIND_{kind.name}") for kind in QueryKind}
_MODES = {value: kind for kind, value in _KINDS.items()}
_CERTAINTIES = {c: result_pb2.Certainty.Value(f"CERTAINTY_{c.name}") for c in Certainty}
_OUTCOMES = {pb.OUTCOME_ACCEPTED: "accepted", pb.OUTCOME_REJECTED: "rejected", pb.OUTCOME_RETRIED: "retried"}
DEFAULT_CONTEXT_TOKENS = 4000
USAGES_A_MESSAGE = 200
MATCHES_A_MESSAGE = 200


class _Selectors(TypedDict):
    repos: tuple[str, ...]
    refs: tuple[str, ...]
    path_globs: tuple[str, ...]
    languages: tuple[str, ...]
    min_commit: str
    timeout_s: float | None


class _Paged(TypedDict):
    limit: int
    page_token: str


class HasAnswer(Protocol):
    """What all answers in pages share."""

    @property
    def as_of(self) -> tuple[AsOf, ...]: ...
    @property
    def next_page_token(self) -> str: ...
    @property
    def total(self) -> int: ...


def search_question(message: pb.SearchRequest, time_left: float | None) -> SearchQuestion:
    mode = _MODES.get(message.mode)
    return SearchQuestion(
        query=message.query, mode=mode, **_selectors(message.scope, time_left), **_paged(message.page)
    )


def definitions_question(message: pb.FindDefinitionsRequest, time_left: float | None) -> DefinitionsQuestion:
    place = _place(message.place) if message.HasField("place") else None
    selectors, paged = _selectors(message.scope, time_left), _paged(message.page)
    return DefinitionsQuestion(symbol=message.symbol, place=place, **selectors, **paged)


def usages_question(message: pb.FindUsagesRequest, time_left: float | None) -> UsagesQuestion:
    place = _place(message.place) if message.HasField("place") else None
    selectors = _selectors(message.scope, time_left)
    return UsagesQuestion(symbol=message.symbol, place=place, kinds=tuple(message.kinds), **selectors)


def grep_question(message: pb.GrepRequest, time_left: float | None) -> GrepQuestion:
    return GrepQuestion(
        pattern=message.pattern,
        regex=message.regex,
        ignore_case=message.ignore_case,
        multiline=message.multiline,
        **_selectors(message.scope, time_left),
        **_paged(message.page),
    )


def context_question(message: pb.GetContextRequest, time_left: float | None) -> ContextQuestion:
    tokens = message.max_tokens or DEFAULT_CONTEXT_TOKENS
    return ContextQuestion(query=message.query, max_tokens=tokens, **_selectors(message.scope, time_left))


def structural_question(message: structural_pb2.StructuralSearchRequest, time_left: float | None) -> StructuralQuestion:
    return StructuralQuestion(
        words=message.words,
        query=message.query_json,
        flowgraph=message.flowgraph_json,
        semgrep=message.semgrep_yaml,
        exact=message.exact,
        limit=message.limit,
        **_selectors(message.scope, time_left),
    )


def files_question(message: pb.GetFileStatusRequest, time_left: float | None) -> FilesQuestion:
    return FilesQuestion(path=message.path, **_selectors(message.scope, time_left), **_paged(message.page))


def freshness_question(
    message: pb.GetFreshnessRequest | pb.ListViewsRequest, time_left: float | None
) -> FreshnessQuestion:
    return FreshnessQuestion(**_selectors(message.scope, time_left))


def outcome_report(message: pb.ReportOutcomeRequest) -> OutcomeReport:
    return OutcomeReport(
        query=message.query,
        outcome=_OUTCOMES.get(message.outcome, ""),
        repo=message.repo,
        commit=message.commit,
        path=message.path,
        line=message.line,
        rank=message.rank,
        session=message.session,
    )


def search_response(answer: Answer) -> pb.SearchResponse:
    return pb.SearchResponse(
        summary=_summary(answer, answer.complete, answer.degraded),
        results=map(result_message, answer.results),
        kind=_KINDS[answer.kind] if answer.kind is not None else result_pb2.QUERY_KIND_UNSPECIFIED,
        query_truncated=answer.query_truncated,
    )


def definitions_response(answer: Answer) -> pb.FindDefinitionsResponse:
    summary = _summary(answer, answer.complete, answer.degraded)
    return pb.FindDefinitionsResponse(summary=summary, results=map(result_message, answer.results))


def usages_responses(answer: Answer) -> Iterable[pb.FindUsagesResponse]:
    """At least one message: the summary travels in the first."""
    summary = _summary(answer, answer.complete, answer.degraded)
    first = answer.results[:USAGES_A_MESSAGE]
    yield pb.FindUsagesResponse(summary=summary, results=map(result_message, first))
    for start in range(USAGES_A_MESSAGE, len(answer.results), USAGES_A_MESSAGE):
        part = answer.results[start : start + USAGES_A_MESSAGE]
        yield pb.FindUsagesResponse(results=map(result_message, part))


def grep_response(answer: Answer) -> pb.GrepResponse:
    summary = _summary(answer, answer.complete, answer.degraded)
    return pb.GrepResponse(summary=summary, results=map(result_message, answer.results))


def structural_responses(
    parts: Iterable[StructuralReport],
) -> Iterator[structural_pb2.StructuralSearchResponse]:
    """Summary and plan in the first message and, with what is known only then, in the last; results between."""
    total = 0
    for part in parts:
        for start in range(0, len(part.results), MATCHES_A_MESSAGE):
            found = part.results[start : start + MATCHES_A_MESSAGE]
            yield structural_pb2.StructuralSearchResponse(results=map(result_message, found))
        total += len(part.results)
        if not part.results:
            summary = result_pb2.Summary(as_of=map(_as_of, part.as_of), complete=part.complete, total=total)
            yield structural_pb2.StructuralSearchResponse(summary=summary, plan=_plan(part))


def _plan(part: StructuralReport) -> structural_pb2.StructuralPlan:
    return structural_pb2.StructuralPlan(
        query_json=msgspec.json.encode(part.query).decode() if part.query is not None else "",
        engine=part.engine,
        rendered=part.rendered,
        engine_query=part.engine_query,
        not_understood=part.not_understood,
        problems=part.problems,
    )


def context_response(answer: ContextAnswer) -> pb.GetContextResponse:
    summary = result_pb2.Summary(
        as_of=map(_as_of, answer.as_of), complete=answer.complete, degraded=answer.degraded, total=len(answer.items)
    )
    items = [pb.ContextItem(result=result_message(i.result), tokens=i.tokens, reason=i.reason) for i in answer.items]
    return pb.GetContextResponse(summary=summary, items=items, tokens=answer.tokens, omitted=answer.omitted)


def files_response(answer: FilesAnswer) -> pb.GetFileStatusResponse:
    return pb.GetFileStatusResponse(summary=_summary(answer, True, ()), files=map(_file_state, answer.files))


def freshness_response(answer: FreshnessAnswer) -> pb.GetFreshnessResponse:
    stages = [pb.StageFreshness(**msgspec.structs.asdict(stage)) for stage in answer.stages]
    return pb.GetFreshnessResponse(views=map(_view, answer.views), satisfied=answer.satisfied, stages=stages)


def views_response(answer: FreshnessAnswer) -> pb.ListViewsResponse:
    return pb.ListViewsResponse(views=map(_view, answer.views))


def result_message(result: Result) -> result_pb2.Result:
    place = result.range
    return result_pb2.Result(
        repo=result.repo,
        ref=result.ref,
        commit=result.commit,
        path=result.path,
        language=result.language,
        range=result_pb2.Range(
            start_line=place.start_line,
            start_col=place.start_col,
            start_byte_col=place.start_byte_col,
            end_line=place.end_line,
            end_col=place.end_col,
            end_byte_col=place.end_byte_col,
        ),
        symbol=result.symbol,
        qualified=result.qualified,
        kind=result.kind,
        signature=result.signature,
        score=result.score,
        retrievers=result.retrievers,
        snippet=result.snippet,
        snippet_line=result.snippet_line,
        duplicates=result.duplicates,
        generated=result.generated,
        certainty=_CERTAINTIES[result.certainty] if result.certainty else result_pb2.CERTAINTY_UNSPECIFIED,
        definition=result.definition,
    )


def _summary(answer: HasAnswer, complete: bool, degraded: tuple[str, ...]) -> result_pb2.Summary:
    return result_pb2.Summary(
        as_of=map(_as_of, answer.as_of),
        complete=complete,
        degraded=degraded,
        next_page_token=answer.next_page_token,
        total=answer.total,
    )


def _selectors(scope: scope_pb2.Scope, time_left: float | None) -> _Selectors:
    """The sooner of the transport's deadline and the request's own."""
    limits = [t for t in (time_left, scope.timeout_seconds or None) if t is not None]
    return _Selectors(
        repos=tuple(scope.repos),
        refs=tuple(scope.refs),
        path_globs=tuple(scope.path_globs),
        languages=tuple(scope.languages),
        min_commit=scope.min_commit,
        timeout_s=min(limits) if limits else None,
    )


def _paged(page: scope_pb2.Page) -> _Paged:
    return _Paged(limit=page.limit, page_token=page.page_token)


def _place(place: scope_pb2.Place) -> Place:
    return Place(place.path, place.line, place.col)


def _as_of(view: AsOf) -> scope_pb2.AsOf:
    return scope_pb2.AsOf(repo=view.repo, ref=view.ref, commit=view.commit)


def _file_state(state: FileState) -> pb.FileState:
    return pb.FileState(
        repo=state.repo,
        ref=state.ref,
        commit=state.commit,
        path=state.path,
        status=state.status,
        reason=state.reason,
        explanation=state.explanation,
        language=state.language,
        size=state.size,
        lines=state.lines,
        chunks=state.chunks,
        warnings=state.warnings,
    )


def _view(view: ViewFreshness) -> pb.ViewFreshness:
    return pb.ViewFreshness(
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
        head=view.head,
        divergent_files=view.divergent_files,
        divergent_paths=view.divergent_paths,
        refused=view.refused,
    )
