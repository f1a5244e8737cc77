"""The static model: shapes, quantisation, fields, unknown words, and that batching changes nothing."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from headwater.clients.embedding_model import ChunkText
from headwater.clients.static_model import FIELDS, WEIGHTS, StaticModel, chunk_fields, quantise
from headwater.domain.version import PipelineVersion

TERMS = ("send", "request", "retry", "cert", "file", "verify", "proxy", "timeout")
DIMENSIONS = 16


@pytest.fixture
def model(tmp_path: Path) -> StaticModel:
    rng = np.random.default_rng(7)
    fields = dict(zip(FIELDS, (3.0, 1.0, 1.5, 0.5, 1.0), strict=True))
    card = {"model": "test-static", "dimensions": DIMENSIONS, "fields": fields}
    (tmp_path / "card.json").write_bytes(msgspec.json.encode(card))
    (tmp_path / "terms.txt").write_text("\n".join(TERMS))
    np.save(tmp_path / "vectors.npy", rng.integers(-127, 128, (len(TERMS), DIMENSIONS), np.int8))
    np.save(tmp_path / "term_weights.npy", rng.uniform(0.5, 2, (2, len(TERMS))).astype(np.float32))
    return StaticModel(tmp_path)


def chunk(text: str, name: str = "", doc: str = "", path: str = "") -> ChunkText:
    return ChunkText(path, (name,) if name else (), doc, (), text)


def cosine(left: np.ndarray, right: np.ndarray) -> float:
    a, b = left.astype(float), right.astype(float)
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def test_version_comes_from_the_card(model: StaticModel) -> None:
    assert model.version == PipelineVersion("test-static", DIMENSIONS)


def test_shapes_and_types(model: StaticModel) -> None:
    chunks = model.embed_chunks([chunk("send request"), chunk("retry")])
    assert (chunks.shape, chunks.dtype) == ((2, DIMENSIONS), np.int8)
    query = model.embed_query("send it again")
    assert (query.shape, query.dtype) == ((DIMENSIONS,), np.int8)


def test_no_chunks_give_no_rows(model: StaticModel) -> None:
    assert model.embed_chunks([]).shape == (0, DIMENSIONS)


def test_rows_are_127_times_a_unit_vector(model: StaticModel) -> None:
    norms = np.linalg.norm(model.embed_chunks([chunk("send request"), chunk("verify proxy")]).astype(float), axis=1)
    assert norms == pytest.approx([127, 127], abs=DIMENSIONS**0.5 / 2)


def test_quantise_rounds_and_keeps_zero_rows() -> None:
    rows = quantise(np.array([[3, 4], [0, 0]], np.float32))
    assert rows.tolist() == [[76, 102], [0, 0]]


def test_unknown_words_are_zeros(model: StaticModel) -> None:
    assert not model.embed_chunks([chunk("zzgl qqx 漢字"), chunk("")]).any()
    assert not model.embed_query("zzgl qqx 漢字").any()
    assert not model.embed_query("").any()


def test_the_same_input_gives_the_same_bytes(model: StaticModel) -> None:
    chunks = [chunk("send request verify", name="retryProxy"), chunk("timeout")]
    assert model.embed_chunks(chunks).tobytes() == model.embed_chunks(chunks).tobytes()


def test_a_batch_equals_its_chunks_one_by_one(model: StaticModel) -> None:
    texts = [f"{TERMS[i % 8]} {TERMS[i * 3 % 8]} unknown{i} {TERMS[i // 7 % 8]}" for i in range(2100)]
    chunks = [chunk(text, name=TERMS[i % 5]) for i, text in enumerate(texts)]
    batch = model.embed_chunks(chunks)
    for i in (0, 1, 1000, 2047, 2048, 2099):
        assert np.array_equal(batch[i], model.embed_chunks([chunks[i]])[0])


def test_fields_come_in_the_order_of_their_weights() -> None:
    text = ChunkText("a/b.py", ("Outer", "Inner", "run"), "Runs it.", ("import os", "import re"), "def run(): ...")
    assert FIELDS == ("name", "place", "doc", "imports", "body")
    assert chunk_fields(text) == ("run", "a/b.py Outer Inner", "Runs it.", "import os import re", "def run(): ...")


def test_a_chunk_without_scopes_has_no_name() -> None:
    assert chunk_fields(ChunkText("a.py", (), "", (), "x")) == ("", "a.py", "", "", "x")


def test_the_name_weighs_more_than_the_body(model: StaticModel) -> None:
    only_proxy, only_retry = model.embed_chunks([chunk("proxy"), chunk("retry")])
    both = model.embed_chunks([chunk("retry", name="proxy")])[0]
    swapped = model.embed_chunks([chunk("proxy", name="retry")])[0]
    assert cosine(both, only_proxy) > cosine(swapped, only_proxy)
    assert cosine(swapped, only_retry) > cosine(both, only_retry)


@pytest.mark.parametrize(
    ("written", "known"),
    [("certfile", "cert file"), ("CertFile", "cert file"), ("retrys", "retry"), ("requesting", "request")],
)
def test_words_out_of_the_vocabulary_fall_back_to_their_parts(model: StaticModel, written: str, known: str) -> None:
    assert np.array_equal(model.embed_query(written), model.embed_query(known))


def test_the_shipped_weights_bring_other_words_for_the_same_thing_together() -> None:
    model = StaticModel()
    wanted = chunk("def remove_directory(path):\n    shutil.rmtree(path)", name="remove_directory", path="fs/paths.py")
    other = chunk("def parse_header(line):\n    return line.split(':')", name="parse_header", path="http/headers.py")
    query = model.embed_query("delete a folder and everything in it")
    asked, unrelated = (cosine(row, query) for row in model.embed_chunks([wanted, other]))
    assert asked > unrelated + 0.1


def test_the_shipped_weights_agree_with_each_other_and_stay_small() -> None:
    terms = (WEIGHTS / "terms.txt").read_text("utf-8").split("\n")
    assert len(terms) == len(set(terms))
    assert np.load(WEIGHTS / "vectors.npy", mmap_mode="r").shape == (len(terms), StaticModel().version.dimensions)
    assert np.load(WEIGHTS / "term_weights.npy").shape == (2, len(terms))
    assert sum(file.stat().st_size for file in WEIGHTS.iterdir()) <= 11_000_000


def test_a_question_map_turns_questions_and_leaves_chunks_alone(tmp_path: Path, model: StaticModel) -> None:
    turned = np.roll(np.eye(DIMENSIONS, dtype=np.float32), 1, axis=1)
    np.save(tmp_path / "question_map.npy", turned.astype(np.float16))
    mapped = StaticModel(tmp_path)
    assert mapped.embed_query("send it").tolist() == np.roll(model.embed_query("send it"), 1).tolist()
    assert mapped.embed_chunks([chunk("send it")]).tolist() == model.embed_chunks([chunk("send it")]).tolist()
    plain = StaticModel(tmp_path, np.eye(DIMENSIONS, dtype=np.float32))
    assert plain.embed_query("send it").tolist() == model.embed_query("send it").tolist()
