"""Messages to questions and answers to messages, field by field."""

import msgspec

from headwater.domain.answer import Answer, AsOf, Certainty, QueryKind, Range, Result
from headwater.domain.question import Place
from headwater.rpc import convert
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import result_pb2, scope_pb2

RESULT = Result(
    repo="r",
    ref="f",
    commit="c",
    path="p",
    language="l",
    range=Range(1, 2, 3, 4, 5, 6),
    symbol="s",
    qualified="q",
    kind="k",
    signature="g",
    score=0.5,
    retrievers=("a", "b"),
    snippet="x",
    snippet_line=7,
    duplicates=8,
    generated=True,
    certainty=Certainty.BY_NAME,
    definition="d",
)


def test_every_field_of_a_result_travels() -> None:
    message = convert.result_message(RESULT)
    assert all(getattr(RESULT, f.name) for f in msgspec.structs.fields(Result)), "fill the example"
    for field in message.DESCRIPTOR.fields:
        if field.name == "range":
            assert [v for _, v in message.range.ListFields()] == [1, 2, 3, 4, 5, 6]
        elif field.name == "certainty":
            assert message.certainty == result_pb2.CERTAINTY_BY_NAME
        else:
            value = getattr(message, field.name)
            assert (tuple(value) if field.is_repeated else value) == getattr(RESULT, field.name)
    assert {f.name for f in message.DESCRIPTOR.fields} == {f.name for f in msgspec.structs.fields(Result)}


def test_every_field_of_a_scope_travels() -> None:
    scope = scope_pb2.Scope(
        repos=["r"], refs=["f"], path_globs=["*.py"], languages=["go"], min_commit="abc", timeout_seconds=3
    )
    request = pb.SearchRequest(
        scope=scope, page=scope_pb2.Page(limit=4, page_token="t"), query="q", mode="QUERY_KIND_USAGES"
    )  # type: ignore[arg-type]
    question = convert.search_question(request, 10.0)
    assert msgspec.structs.astuple(question) == (
        *(("r",), ("f",), ("*.py",), ("go",), 4, "t", "abc", 3.0),
        *("q", QueryKind.USAGES),
    )
    assert convert.search_question(request, 1.0).timeout_s == 1.0
    assert convert.search_question(pb.SearchRequest(), None).timeout_s is None


def test_a_place_is_none_when_absent() -> None:
    assert convert.usages_question(pb.FindUsagesRequest(symbol="s"), None).place is None
    place = scope_pb2.Place(path="p", line=1, col=2)
    assert convert.usages_question(pb.FindUsagesRequest(place=place), None).place == Place("p", 1, 2)


def test_usages_travel_in_parts_with_one_summary() -> None:
    answer = Answer(as_of=(AsOf("r", "f", "c"),), results=(RESULT,) * 450, total=450)
    parts = list(convert.usages_responses(answer))
    assert [len(p.results) for p in parts] == [200, 200, 50]
    assert [p.HasField("summary") for p in parts] == [True, False, False]
    assert len(list(convert.usages_responses(Answer()))) == 1
