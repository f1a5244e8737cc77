"""QueryService over an engine, as a table: how each method's message becomes a question, and its answer messages."""

from collections.abc import Callable, Iterable
from typing import Any

from google.protobuf.message import Message

from headwater.query.deadline import MAX_SECONDS
from headwater.query.engine import Engine
from headwater.query.method import Method
from headwater.rpc import convert
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import structural_pb2

SERVICE = pb.DESCRIPTOR.services_by_name["QueryService"].full_name


def one(reply: Callable[[Any], Message]) -> Callable[[Any], Iterable[Message]]:
    """The replies of a method that doesn't stream."""
    return lambda answer: (reply(answer),)


def query_methods(engine: Engine) -> tuple[Method, ...]:
    """In the order of the proto file."""
    return (
        _method("Search", pb.SearchRequest, convert.search_question, engine.search, convert.search_response),
        _method(
            "FindDefinitions",
            pb.FindDefinitionsRequest,
            convert.definitions_question,
            engine.definitions,
            convert.definitions_response,
        ),
        Method(
            name="FindUsages",
            request=pb.FindUsagesRequest,
            question=convert.usages_question,
            ask=engine.usages,
            replies=convert.usages_responses,
            streams=True,
            longest_s=MAX_SECONDS,
        ),
        _method("Grep", pb.GrepRequest, convert.grep_question, engine.grep, convert.grep_response),
        _method("GetContext", pb.GetContextRequest, convert.context_question, engine.context, convert.context_response),
        _method("GetFileStatus", pb.GetFileStatusRequest, convert.files_question, engine.files, convert.files_response),
        _method(
            "GetFreshness",
            pb.GetFreshnessRequest,
            convert.freshness_question,
            engine.freshness,
            convert.freshness_response,
        ),
        _method("ListViews", pb.ListViewsRequest, convert.freshness_question, engine.views, convert.views_response),
        Method(
            name="StructuralSearch",
            request=structural_pb2.StructuralSearchRequest,
            question=convert.structural_question,
            ask=engine.structural_parts,
            replies=convert.structural_responses,
            streams=True,
            lane="structural",
            longest_s=MAX_SECONDS,
        ),
        _method(
            "ReportOutcome",
            pb.ReportOutcomeRequest,
            lambda message, _left: convert.outcome_report(message),
            engine.report,
            lambda recorded: pb.ReportOutcomeResponse(recorded=recorded),
        ),
    )


def _method(
    name: str,
    request: type[Message],
    question: Callable[[Any, float | None], Any],
    ask: Callable[..., Any],
    reply: Callable[[Any], Message],
) -> Method:
    return Method(name=name, request=request, question=question, ask=ask, replies=one(reply), longest_s=MAX_SECONDS)
