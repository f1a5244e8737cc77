"""The query service over a real loopback server."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from headwater.clients.static_model import StaticModel
from headwater.domain.query_error import UnauthenticatedError
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.query.server import LIVENESS, READINESS, SERVICE, QueryServer, ServerSettings
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import result_pb2, scope_pb2
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub
from support.small_index import SmallIndex

FILES = {
    "shop/store.py": "class Store:\n    def save(self, o):\n        return write(o)\n\n\ndef write(x):\n    return x\n",
    "app.py": "from shop.store import write as put\n\nput(1)\nput(2)\n",
}
MODEL = StaticModel()


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, MODEL)
    made.commit(FILES)
    yield made
    made.close()


@pytest.fixture
def channel(index: SmallIndex) -> Iterator[grpc.Channel]:
    engine = Engine(Parts(reader=index.catalog, vectors=VectorSide(index.model, index.vectors)))
    with (
        QueryServer(engine, ServerSettings(address="127.0.0.1:0", grace_s=1)) as server,
        grpc.insecure_channel(f"127.0.0.1:{server.port}") as opened,
    ):
        yield opened
    engine.close()


@pytest.fixture
def stub(channel: grpc.Channel) -> QueryServiceStub:
    return QueryServiceStub(channel)


def _refused(error: grpc.RpcError) -> tuple[grpc.StatusCode, str, error_details_pb2.ErrorInfo]:
    status = rpc_status.from_call(error)
    info = error_details_pb2.ErrorInfo()
    assert status is not None
    assert status.details[0].Unpack(info)
    return error.code(), status.message, info


def test_search_says_what_it_is_as_of(stub: QueryServiceStub, index: SmallIndex) -> None:
    answer = stub.Search(pb.SearchRequest(query="Store.save"))
    view = index.catalog.views()[0]
    assert answer.kind == result_pb2.QUERY_KIND_IDENTIFIER
    assert list(answer.summary.as_of) == [scope_pb2.AsOf(repo="shop", ref="refs/heads/main", commit=view.commit)]
    assert answer.summary.complete
    assert (answer.results[0].path, answer.results[0].range.start_line) == ("shop/store.py", 2)


def test_all_other_questions(stub: QueryServiceStub) -> None:
    usages = [r for part in stub.FindUsages(pb.FindUsagesRequest(symbol="write")) for r in part.results]
    assert {(r.path, r.range.start_line) for r in usages} >= {("shop/store.py", 3), ("app.py", 3), ("app.py", 4)}
    definitions = stub.FindDefinitions(pb.FindDefinitionsRequest(symbol="write")).results
    assert [(r.path, r.range.start_line) for r in definitions] == [("shop/store.py", 6)]
    assert len(stub.Grep(pb.GrepRequest(pattern="put(")).results) == 2
    context = stub.GetContext(pb.GetContextRequest(query="Store.save"))
    assert [(i.reason, i.result.symbol) for i in context.items] == [("hit", "save"), ("callee of save", "write")]
    files = stub.GetFileStatus(pb.GetFileStatusRequest(path="shop")).files
    assert [(f.path, f.status) for f in files] == [("shop/store.py", "indexed")]
    assert stub.GetFreshness(pb.GetFreshnessRequest()).satisfied
    assert [v.ref for v in stub.ListViews(pb.ListViewsRequest()).views] == ["refs/heads/main"]
    report = pb.ReportOutcomeRequest(query="q", outcome=pb.OUTCOME_ACCEPTED)
    assert stub.ReportOutcome(report).recorded is False


def test_d3_an_empty_query_is_invalid_and_says_what_to_do(stub: QueryServiceStub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.Search(pb.SearchRequest(query="  "))
    code, message, info = _refused(caught.value)
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert "type a name" in message
    assert info.metadata["field"] == "query"


def test_an_unknown_symbol_is_not_found(stub: QueryServiceStub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        list(stub.FindUsages(pb.FindUsagesRequest(symbol="Store.sav")))
    code, _, info = _refused(caught.value)
    assert code is grpc.StatusCode.NOT_FOUND
    assert (info.domain, info.reason) == ("headwater", "UNKNOWN_SYMBOL")
    assert "save" in info.metadata["suggestions"]


def test_d6_a_forged_page_token_is_invalid(stub: QueryServiceStub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.Search(pb.SearchRequest(query="Store", page=scope_pb2.Page(page_token="AAAA")))
    assert _refused(caught.value)[0] is grpc.StatusCode.INVALID_ARGUMENT


def test_d8_a_200_kb_query_is_answered(stub: QueryServiceStub) -> None:
    assert stub.Search(pb.SearchRequest(query="at shop.Store.save\n" * 11_000), timeout=10).query_truncated


def test_min_commit_is_refused_when_the_deadline_passes(stub: QueryServiceStub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.GetFreshness(pb.GetFreshnessRequest(scope=scope_pb2.Scope(min_commit="f" * 40)), timeout=0.5)
    code, message, info = _refused(caught.value)
    assert code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert info.reason == "COMMIT_NOT_SEARCHABLE"
    assert "shop refs/heads/main is at" in message


def test_a_service_that_is_not_ready_is_still_live_and_still_answers(index: SmallIndex) -> None:
    engine = Engine(Parts(reader=index.catalog))
    with (
        QueryServer(engine, ServerSettings(address="127.0.0.1:0", grace_s=1)) as server,
        grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        states = health_pb2.HealthCheckResponse
        ask = health_pb2_grpc.HealthStub(channel).Check
        assert ask(health_pb2.HealthCheckRequest(service=READINESS)).status == states.SERVING
        server.show_ready(False)
        assert ask(health_pb2.HealthCheckRequest(service=READINESS)).status == states.NOT_SERVING
        for name in ("", LIVENESS, SERVICE):
            assert ask(health_pb2.HealthCheckRequest(service=name)).status == states.SERVING
        server.show_ready(True)
        assert ask(health_pb2.HealthCheckRequest(service=READINESS)).status == states.SERVING
    engine.close()


def test_health_and_reflection(channel: grpc.Channel) -> None:
    health = health_pb2_grpc.HealthStub(channel)
    for name in ("", SERVICE):
        answer = health.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    listed = next(reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(iter([request])))
    assert SERVICE in [s.name for s in listed.list_services_response.service]


def test_requests_have_a_limit(stub: QueryServiceStub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stub.Search(pb.SearchRequest(query="x" * (2 << 20)))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_authorisation_decides_before_the_engine(index: SmallIndex) -> None:
    def deny(_context: grpc.ServicerContext) -> None:
        raise UnauthenticatedError("NO_IDENTITY", "send a token")

    engine = Engine(Parts(reader=index.catalog))
    settings = ServerSettings(address="127.0.0.1:0", grace_s=1)
    with (
        QueryServer(engine, settings, deny) as server,  # type: ignore[arg-type]
        grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel,
        pytest.raises(grpc.RpcError) as caught,
    ):
        QueryServiceStub(channel).Search(pb.SearchRequest(query="Store"))
    assert _refused(caught.value)[0] is grpc.StatusCode.UNAUTHENTICATED
    engine.close()


def test_a_taken_address_is_an_error(index: SmallIndex) -> None:
    engine = Engine(Parts(reader=index.catalog))
    with (
        QueryServer(engine, ServerSettings(address="127.0.0.1:0", grace_s=1)) as server,
        pytest.raises(OSError, match="choose another address"),
    ):
        QueryServer(engine, ServerSettings(address=f"127.0.0.1:{server.port}"))
    engine.close()
