"""Pages join without gap or repeat."""

import pytest

from headwater.domain.query_error import InvalidQuestionError, PageExpiredError
from headwater.domain.question import FilesQuestion, GrepQuestion, SearchQuestion, UsagesQuestion
from headwater.query.engine import Engine, Parts
from support.small_index import SmallIndex

FIFTY = {f"d{i:02}/same.py": f"def handler_{i:02}():\n    return shared_value\n" for i in range(50)}


def _walk(engine: Engine, question: SearchQuestion | GrepQuestion) -> list[tuple[str, int, int]]:
    seen: list[tuple[str, int, int]] = []
    token = ""
    while True:
        fields = {"limit": 10, "page_token": token}
        if isinstance(question, SearchQuestion):
            answer = engine.search(SearchQuestion(query=question.query, repos=question.repos, **fields))  # type: ignore[arg-type]
        else:
            answer = engine.grep(GrepQuestion(pattern=question.pattern, repos=question.repos, **fields))  # type: ignore[arg-type]
        assert len(answer.results) <= 10
        seen += [(r.path, r.range.start_line, r.range.start_col) for r in answer.results]
        token = answer.next_page_token
        if not token:
            return seen


@pytest.mark.parametrize("query", ["handler", "what returns the shared value"])
def test_d6_the_union_of_pages_has_no_gap_or_repeat(engine: Engine, index: SmallIndex, query: str) -> None:
    index.commit(FIFTY, repo="many")
    walks = [_walk(engine, SearchQuestion(query=query, repos=("many",))) for _ in range(3)]
    assert walks[0] == walks[1] == walks[2]
    assert len(set(walks[0])) == len(walks[0]) == 50


def test_d6_grep_pages(engine: Engine, index: SmallIndex) -> None:
    index.commit(FIFTY, repo="many")
    seen = _walk(engine, GrepQuestion(pattern="e", repos=("many",)))
    assert len(seen) == len(set(seen)) == sum(text.count("e") for text in FIFTY.values())
    assert seen == sorted(seen)


def test_d6_ranked_pages_stay_at_their_generation(engine: Engine, index: SmallIndex) -> None:
    index.commit(FIFTY, repo="many")
    first = engine.search(SearchQuestion(query="handler", repos=("many",), limit=10))
    index.commit({}, repo="many")
    second = engine.search(SearchQuestion(query="handler", repos=("many",), limit=10, page_token=first.next_page_token))
    assert second.as_of == first.as_of
    assert len({r.path for r in (*first.results, *second.results)}) == 20


def test_d6_a_page_that_can_not_be_continued_says_so(engine: Engine, index: SmallIndex) -> None:
    index.commit(FIFTY, repo="many")
    token = engine.grep(GrepQuestion(pattern="e", repos=("many",), limit=1)).next_page_token
    index.commit({"a.py": "x = 1\n"}, repo="many")
    with pytest.raises(PageExpiredError, match="has moved on since the first page"):
        engine.grep(GrepQuestion(pattern="e", repos=("many",), limit=1, page_token=token))


def test_d6_a_token_of_another_question_is_invalid(engine: Engine) -> None:
    token = engine.files(FilesQuestion(limit=1)).next_page_token
    with pytest.raises(InvalidQuestionError):
        engine.usages(UsagesQuestion(symbol="add", limit=1, page_token=token))
    with pytest.raises(InvalidQuestionError, match="page token"):
        engine.files(FilesQuestion(limit=1, page_token="AAAA"))


@pytest.mark.parametrize("limit", [-1, 501])
def test_limits_are_checked(engine: Engine, limit: int) -> None:
    with pytest.raises(InvalidQuestionError, match=r"limit.*give"):
        engine.search(SearchQuestion(query="x", limit=limit))


def test_another_replica_continues_with_the_shared_secret(engine: Engine, index: SmallIndex) -> None:
    index.commit(FIFTY, repo="many")
    first = engine.search(SearchQuestion(query="handler", repos=("many",), limit=30))
    other = Engine(Parts(reader=index.catalog, page_secret=b"s"))
    rest = other.search(SearchQuestion(query="handler", repos=("many",), limit=30, page_token=first.next_page_token))
    assert {r.path for r in (*first.results, *rest.results)} == FIFTY.keys()
    other.close()
