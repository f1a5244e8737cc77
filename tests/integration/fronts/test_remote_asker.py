"""A query service answers a RemoteAsker exactly as its engine answers in process, errors included."""

import msgspec
import pytest

from headwater.domain.answer import QueryKind
from headwater.domain.query_error import InvalidQuestionError, NotFoundError, QueryError, UnavailableError
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FreshnessQuestion,
    GrepQuestion,
    Place,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.query.engine import Engine
from headwater.rpc.asking import RemoteAsker


def test_all_answers_are_the_engines(engine: Engine, remote: RemoteAsker) -> None:
    search = SearchQuestion(query="where are orders written to disk", limit=3)
    first, mine = remote.search(search), engine.search(search)
    assert (first.results, first.as_of, first.kind, first.total) == (mine.results, mine.as_of, mine.kind, mine.total)
    literal = SearchQuestion(query="put(1)", mode=QueryKind.LITERAL, path_globs=("app.py",))
    assert remote.search(literal) == engine.search(literal)
    place = DefinitionsQuestion(place=Place("app.py", 3, 1))
    assert remote.definitions(place) == engine.definitions(place)
    uses = UsagesQuestion(symbol="write", kinds=("call",))
    assert remote.usages(uses) == engine.usages(uses)
    assert len(remote.usages(uses).results) > 120
    grep = GrepQuestion(pattern=r"put\(\d\)", regex=True)
    assert remote.grep(grep) == engine.grep(grep)
    context = ContextQuestion(query="Store.save", max_tokens=500)
    assert remote.context(context) == engine.context(context)
    shape = StructuralQuestion(words="calls to `write`", limit=50)
    assert len(remote.structural(shape).results) == 50
    assert msgspec.json.encode(remote.structural(shape)) == msgspec.json.encode(engine.structural(shape))
    assert remote.freshness(FreshnessQuestion()) == engine.freshness(FreshnessQuestion())
    assert remote.views(FreshnessQuestion()) == engine.views(FreshnessQuestion())


def test_errors_keep_their_kind_and_reason(engine: Engine, remote: RemoteAsker) -> None:
    with pytest.raises(NotFoundError) as unknown:
        remote.usages(UsagesQuestion(symbol="wriite"))
    assert unknown.value.reason == "UNKNOWN_SYMBOL"
    with pytest.raises(NotFoundError) as mine:
        engine.usages(UsagesQuestion(symbol="wriite"))
    assert unknown.value.suggestions == mine.value.suggestions
    with pytest.raises(InvalidQuestionError) as wrong:
        remote.grep(GrepQuestion(pattern="(", regex=True))
    assert (wrong.value.reason, wrong.value.field) == ("BAD_PATTERN", "pattern")


def test_a_service_that_is_not_there_is_unavailable() -> None:
    with RemoteAsker("127.0.0.1:9") as asker, pytest.raises(QueryError) as error:
        asker.search(SearchQuestion(query="x", timeout_s=5))
    assert isinstance(error.value, UnavailableError)
