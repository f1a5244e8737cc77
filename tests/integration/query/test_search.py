"""Search over a real catalog: names, prose, paths, quotes, errors."""

import pytest

from headwater.domain.answer import QueryKind
from headwater.domain.grants import Grants
from headwater.domain.query_error import InvalidQuestionError, NotFoundError
from headwater.domain.question import FilesQuestion, SearchQuestion
from headwater.query.engine import Engine
from support.small_index import SmallIndex


def _paths(engine: Engine, query: str, **more: object) -> list[str]:
    return [r.path for r in engine.search(SearchQuestion(query=query, **more)).results]  # type: ignore[arg-type]


def test_a_name_finds_its_definition_first(engine: Engine, index: SmallIndex) -> None:
    answer = engine.search(SearchQuestion(query="Store.save"))
    first = answer.results[0]
    assert (first.path, first.range.start_line, first.qualified, first.kind) == (
        "shop/store.py",
        9,
        "shop.store.Store.save",
        "method",
    )
    assert first.snippet.startswith("def save(self, order):")
    assert answer.as_of[0].commit == index.catalog.views()[0].commit == first.commit
    assert answer.complete
    assert answer.degraded == ()


def test_prose_uses_both_retrievers(engine: Engine) -> None:
    answer = engine.search(SearchQuestion(query="where are orders saved to disk"))
    assert answer.kind is QueryKind.NATURAL_LANGUAGE
    assert answer.results[0].path == "shop/store.py"
    assert answer.results[0].retrievers == ("vector", "lexical")


_ODD = ["std::vector", "https://host/x?q=1&r=2", "foo(", "(sym:foo)", '"', "f:", "\\", "%_'; --", "*", "["]
_ODDER = ["repo:", "( OR )", "NEAR(", "a AND NOT b", 'say "', "^$", "🎉", "sym:🎉"]


@pytest.mark.parametrize("query", [*_ODD, *_ODDER])
def test_d1_no_query_is_a_server_error(engine: Engine, query: str) -> None:
    assert engine.search(SearchQuestion(query=query)).as_of


@pytest.mark.parametrize("query", ["a\x00b", "\ud800"])
def test_d1_what_is_no_text_is_refused(engine: Engine, query: str) -> None:
    with pytest.raises(InvalidQuestionError, match="query"):
        engine.search(SearchQuestion(query=query))


@pytest.mark.parametrize("query", ["lang:python", "-path:x", "repo:shop ref:main"])
def test_d1_fields_alone_ask_nothing(engine: Engine, query: str) -> None:
    with pytest.raises(InvalidQuestionError, match="type a name"):
        engine.search(SearchQuestion(query=query))


def test_d1_quotes_find_text_as_written(engine: Engine) -> None:
    answer = engine.search(SearchQuestion(query='"order.a, order.b"'))
    assert [(r.path, r.range.start_line, r.range.start_col) for r in answer.results] == [("shop/store.py", 10, 22)]


@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_d3_an_empty_query_says_what_to_do(engine: Engine, query: str) -> None:
    with pytest.raises(InvalidQuestionError, match="type a name"):
        engine.search(SearchQuestion(query=query))


def test_d3_short_words_and_cjk(engine: Engine) -> None:
    assert "notes.txt" in _paths(engine, "漢字")
    assert "notes.txt" in _paths(engine, "検索")
    assert "shop/store.py" in _paths(engine, "at Store saving orders")


def test_d5_whole_names_first_then_parts_never_scattered_ones(engine: Engine, index: SmallIndex) -> None:
    names = [
        "OvertimeService",
        "OvertimeServiceTest",
        "HTTPSConnection",
        "HCA060T",
        "connection_https",
        "parse_order_id",
    ]
    index.commit({"n.py": "".join(f"class {n}:\n    pass\n\n\n" for n in names)}, repo="names")

    def found(query: str) -> list[str]:
        return [r.symbol for r in engine.search(SearchQuestion(query=query, repos=("names",))).results if r.symbol]

    assert found("OvertimeService")[:2] == ["OvertimeService", "OvertimeServiceTest"]
    assert found("overtime_service")[0] == "OvertimeService"
    assert found("HTTPSConnection") == ["HTTPSConnection"]
    assert found("https-connection")[0] == "HTTPSConnection"
    assert found("HCA060T") == ["HCA060T"]
    assert found("order_id") == ["parse_order_id"]
    assert found("parseOrderId") == ["parse_order_id"]


def test_d8_a_huge_query_is_answered_and_flagged(engine: Engine) -> None:
    answer = engine.search(SearchQuestion(query="at shop.Store.save(Store.java:10)\n" * 6000, timeout_s=5))
    assert answer.query_truncated


def test_d7_path_filters(engine: Engine, index: SmallIndex) -> None:
    index.commit(
        {"app/[id]/page.py": "def page():\n    pass\n", "app/i/page.py": "def page():\n    pass\n"}, repo="web"
    )
    assert _paths(engine, "page", repos=("web",), path_globs=("**/\\[id\\]/*",)) == ["app/[id]/page.py"]
    assert _paths(engine, "page", repos=("web",), path_globs=("**/[id]/*",)) == ["app/i/page.py"]
    assert _paths(engine, "sym:page path:*.java") == []


def test_d10_odd_paths_are_found_exactly(engine: Engine, index: SmallIndex) -> None:
    odd = ["it's.py", "back\\", "new\nline.py", 'quo"te.py', "a%b_.py"]
    index.commit({p: f"def odd_{i}():\n    pass\n" for i, p in enumerate(odd)}, repo="odd")
    for path in odd:
        files = engine.files(FilesQuestion(path=path, repos=("odd",))).files
        assert [f.path for f in files] == [path]


def test_near_duplicates_fold_with_a_count(engine: Engine, index: SmallIndex) -> None:
    body = "def ship_parcel(parcel):\n    check(parcel)\n    label = weigh(parcel)\n    return send(label)\n"
    index.commit({f"copy{i}/ship.py": body for i in range(4)}, repo="copies")
    results = engine.search(SearchQuestion(query="how does one ship a parcel", repos=("copies",))).results
    assert [(r.path.partition("/")[2], r.duplicates) for r in results] == [("ship.py", 3)]  # paths are embedded, too


def test_grants_come_before_everything(engine: Engine, index: SmallIndex) -> None:
    index.commit({"secret.py": "class StoreKeeper:\n    pass\n"}, repo="hidden")
    mine = Grants(repos=frozenset({"shop"}), path_rule=lambda _repo, path: not path.startswith("tests/"))
    answer = engine.search(SearchQuestion(query="Store", refs=("*",)), mine)
    assert {r.repo for r in answer.results} == {"shop"}
    assert answer.total == len(answer.results)
    assert all(not f.path.startswith("tests/") for f in engine.files(FilesQuestion(), mine).files)
    with pytest.raises(NotFoundError) as caught:
        engine.search(SearchQuestion(query="Store", repos=("hidden",)), mine)
    assert caught.value.suggestions == ()


def test_f11_all_that_few_grants_allow_is_found(engine: Engine, index: SmallIndex) -> None:
    files = {f"m{i:03}/w.py": f"def weigh_parcel_{i:03}(parcel):\n    return scale(parcel) + {i}\n" for i in range(300)}
    index.commit(files, repo="big")
    few = Grants(path_rule=lambda _repo, path: path.startswith("m00"))
    for query in ("weigh_parcel", "how heavy is a parcel on the scale"):
        answer = engine.search(SearchQuestion(query=query, repos=("big",)), few)
        assert {r.path for r in answer.results} == {f"m00{i}/w.py" for i in range(10)}
        assert answer.total == 10


def test_nothing_indexed_says_so(engine: Engine) -> None:
    with pytest.raises(NotFoundError, match="nothing is indexed that you may read"):
        engine.search(SearchQuestion(query="x"), Grants(repos=frozenset()))
