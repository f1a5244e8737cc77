"""The static model behind Triton gives what it gives in process, and a server that is away or full is survived."""

import socket
import threading
from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("tritonclient")

from headwater.clients.embedding_model import ChunkText, ModelUnavailableError
from headwater.clients.static_model import StaticModel
from headwater.clients.triton_model import TritonModel, TritonSettings
from headwater.domain.version import PipelineVersion
from headwater.metrics import Metrics
from headwater.stack import Running

CHUNKS = [
    ChunkText(f"src/pump{n}.py", ("Pump", f"run{n}"), "Moves water.", ("valve",), f"def run{n}(self):\n    open(valve)")
    for n in range(150)
]


@pytest.fixture
def model(triton: Running) -> Iterator[TritonModel]:
    made = TritonModel(TritonSettings(address=triton.address("grpc")), StaticModel().version, Metrics())
    yield made
    made.close()


def test_vectors_equal_those_in_process(model: TritonModel) -> None:
    model.check()
    here = StaticModel()
    assert np.array_equal(model.embed_chunks(CHUNKS), here.embed_chunks(CHUNKS))
    assert np.array_equal(model.embed_query("open the valve"), here.embed_query("open the valve"))
    assert model.embed_chunks([]).shape == (0, here.version.dimensions)


def test_queries_at_once_are_batched_and_answered(triton: Running) -> None:
    settings = TritonSettings(address=triton.address("grpc"), requests=32, query_deadline_s=20)
    model, here = TritonModel(settings, StaticModel().version, Metrics()), StaticModel()
    wrong: list[str] = []

    def ask(n: int) -> None:
        query = f"pump {n} opens valve"
        if not np.array_equal(model.embed_query(query), here.embed_query(query)):
            wrong.append(query)

    askers = [threading.Thread(target=ask, args=(n,)) for n in range(32)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    model.close()
    assert wrong == []


def test_f7_a_thousand_at_once_are_answered_or_refused_and_a_lone_later_one_is_answered(triton: Running) -> None:
    settings = TritonSettings(address=triton.address("grpc"), requests=8, query_deadline_s=20)
    metrics = Metrics()
    model = TritonModel(settings, StaticModel().version, metrics)
    refused: list[str] = []

    def ask(n: int) -> None:
        try:
            model.embed_query(f"pump {n}")
        except ModelUnavailableError as error:
            refused.append(str(error))

    askers = [threading.Thread(target=ask, args=(n,)) for n in range(1_000)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert all("8 requests are under way" in text for text in refused)
    assert model.embed_query("valve").any()
    waiting = metrics.registry.get_sample_value("headwater_model_queue_requests", {"model": settings.query_model})
    assert waiting == 0
    model.close()


def test_e9_another_dimension_is_refused(triton: Running) -> None:
    model = TritonModel(TritonSettings(address=triton.address("grpc")), PipelineVersion("other", 768), Metrics())
    with pytest.raises(ValueError, match="gives 256 dimensions, configured are 768"):
        model.check()
    model.close()


def test_f6_a_server_that_never_answers_meets_the_deadline_and_opens_the_breaker() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        settings = TritonSettings(address=address, query_deadline_s=0.1, breaker_failures=2, breaker_cool_down_s=60)
        model = TritonModel(settings, StaticModel().version, Metrics())
        for _ in range(2):
            with pytest.raises(ModelUnavailableError):
                model.embed_query("valve")
        with pytest.raises(ModelUnavailableError, match="breaker is open"):
            model.embed_query("valve")
        model.close()
