"""The reranker: what its features say, that they are finite, and that scores follow the weights."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from headwater.clients.rerank_features import FEATURES, feature_matrix
from headwater.clients.reranker import StaticReranker
from headwater.clients.static_model import FIELDS, StaticModel

TERMS = ("send", "request", "retry", "cert", "file", "verify", "proxy", "timeout")


class Found(msgspec.Struct, frozen=True):
    text: str
    path: str = "src/http/client.py"
    kind: str = "function"
    scopes: tuple[str, ...] = ()
    doc: str = ""
    lexical_score: float = 0.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    card = {"model": "test-static", "dimensions": 8, "fields": dict.fromkeys(FIELDS, 1.0)}
    (tmp_path / "card.json").write_bytes(msgspec.json.encode(card))
    (tmp_path / "terms.txt").write_text("\n".join(TERMS))
    np.save(tmp_path / "vectors.npy", (127 * np.eye(8)).astype(np.int8))
    np.save(tmp_path / "term_weights.npy", np.ones((2, 8), np.float32))
    return tmp_path


@pytest.fixture
def model(folder: Path) -> StaticModel:
    return StaticModel(folder)


def features(model: StaticModel, query: str, *found: Found) -> dict[str, list[float]]:
    matrix = feature_matrix(model, query, found)
    assert matrix.shape == (len(found), len(FEATURES))
    assert np.isfinite(matrix).all()
    return {name: matrix[:, i].tolist() for i, name in enumerate(FEATURES)}


def test_coverage_is_the_share_of_the_question_that_a_field_meets(model: StaticModel) -> None:
    columns = features(model, "retry request", Found("retry request"), Found("retry file"), Found("proxy"))
    assert columns["body_covers"] == pytest.approx([1, 0.5, 0])
    assert columns["any_covers_exact"] == pytest.approx([1, 0.5, 0])


def test_a_rare_term_counts_more_than_one_that_all_candidates_have(model: StaticModel) -> None:
    columns = features(model, "send proxy", Found("send"), Found("send"), Found("send proxy"), Found("proxy file"))
    rare = columns["any_covers_rare"]
    assert rare[2] == pytest.approx(1)
    assert rare[3] > rare[0]


def test_name_and_documentation_are_told_apart(model: StaticModel) -> None:
    found = Found("file", scopes=("verify",), doc="proxy timeout")
    columns = features(model, "verify timeout", found)
    assert columns["name_covers"] == pytest.approx([0.5])
    assert columns["name_is_asked"] == pytest.approx([1])
    assert columns["doc_covers"] == pytest.approx([0.5])
    assert (columns["has_doc"], columns["has_name"]) == ([1], [1])


def test_the_best_other_candidate_of_a_file_counts(model: StaticModel) -> None:
    columns = features(
        model,
        "cert",
        Found("file", path="a.py"),
        Found("cert", path="a.py"),
        Found("file", path="b.py"),
    )
    assert columns["file_cosine"] == pytest.approx([1, 0, 0], abs=0.01)


def test_words_that_stand_together_make_a_window(model: StaticModel) -> None:
    far = "retry " + "file " * 60 + "proxy"
    columns = features(model, "retry proxy", Found("file retry proxy"), Found(far))
    near, apart = columns["window_covers"]
    assert near > apart


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/test_client.py", 1),
        ("pkg/db_test.go", 1),
        ("a/FooTest.java", 1),
        ("src/latest.py", 0),
        ("src/attest.go", 0),
    ],
)
def test_test_code_is_known_by_its_path(model: StaticModel, path: str, is_test: int) -> None:
    assert features(model, "send", Found("send", path=path))["is_test"] == [is_test]


@pytest.mark.parametrize("query", ["", "漢字", "zzqx"])
def test_a_question_of_unknown_words_gives_finite_features(model: StaticModel, query: str) -> None:
    features(model, query, Found("send request"), Found(""))


def test_scores_follow_the_weights(folder: Path, model: StaticModel) -> None:
    weights = dict.fromkeys(FEATURES, 0.0) | {"body_covers": 2.0}
    (folder / "reranker.json").write_bytes(msgspec.json.encode(weights))
    reranker = StaticReranker(model, folder / "reranker.json")
    scores = reranker.rerank("retry request", [Found("retry request"), Found("retry")], 1.0)
    assert scores == pytest.approx([2, 1])
    assert reranker.rerank("retry", [], 1.0) == []


def test_weights_of_other_features_are_refused(folder: Path, model: StaticModel) -> None:
    (folder / "reranker.json").write_bytes(msgspec.json.encode({"unknown": 1.0}))
    with pytest.raises(LookupError, match="other features"):
        StaticReranker(model, folder / "reranker.json")


def test_the_shipped_weights_prefer_the_answer() -> None:
    reranker = StaticReranker(StaticModel())
    found = (
        Found("def parse(line):\n    return line.split(':')", scopes=("parse",), lexical_score=3.0),
        Found("def send(self):\n    if self.closed:\n        raise Closed\n    self.retry(3)", scopes=("Pool", "send")),
    )
    scores = reranker.rerank("try again when sending a request fails", found, 1.0)
    assert scores[1] > scores[0]
