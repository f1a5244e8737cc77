"""Callers who wait, read slowly or ask much, over a real server: nobody else notices, and all of it ends."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from headwater.clients.static_model import StaticModel
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.query_error import UnauthenticatedError
from headwater.limits import limits
from headwater.query.caller import Authorise, Caller, allow_all
from headwater.query.engine import Engine, Parts
from headwater.query.server import LIVENESS, QueryServer, ServerSettings
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import scope_pb2
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub
from support.small_index import SmallIndex

FILES = {"a.py": "def shown():\n    return 1\n"}
NEVER = pb.GetFreshnessRequest(scope=scope_pb2.Scope(min_commit="f" * 40))
LONG_S = 60.0  # no test comes near it


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, StaticModel())
    made.commit(FILES)
    yield made
    made.close()


@contextmanager
def _served(
    index: SmallIndex, authorise: Authorise = allow_all, grace_s: float = 1.0
) -> Iterator[tuple[QueryServer, grpc.Channel]]:
    engine = Engine(Parts(reader=index.catalog))
    settings = ServerSettings(address="127.0.0.1:0", threads=2, grace_s=grace_s)
    with (
        QueryServer(engine, settings, authorise) as server,
        grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        yield server, channel
    engine.close()


def _waiting(channel: grpc.Channel, callers: int, request: pb.GetFreshnessRequest = NEVER) -> list[grpc.Future]:
    return [QueryServiceStub(channel).GetFreshness.future(request, timeout=LONG_S) for _ in range(callers)]


def _publish(index: SmallIndex) -> None:
    (state,) = index.catalog.views()
    assert index.catalog.publish(state.view, state.opened, True, time.time())


def _code(call: grpc.Future) -> grpc.StatusCode:
    error = call.exception(LONG_S)
    assert isinstance(error, grpc.RpcError)
    code: grpc.StatusCode = error.code()
    return code


def test_s4_64_callers_that_wait_hold_back_nobody(index: SmallIndex) -> None:
    with _served(index) as (_, channel):
        waiting = _waiting(channel, 64)
        stub, health = QueryServiceStub(channel), health_pb2_grpc.HealthStub(channel)
        for _ in range(20):
            assert stub.Search(pb.SearchRequest(query="shown"), timeout=LONG_S).results
            live = health.Check(health_pb2.HealthCheckRequest(service=LIVENESS), timeout=LONG_S)
            assert live.status == health_pb2.HealthCheckResponse.SERVING
        assert not any(call.done() for call in waiting)
        for call in waiting:
            call.cancel()


def test_s4_who_waits_for_a_commit_gets_it_when_it_comes(index: SmallIndex) -> None:
    with _served(index) as (_, channel):
        first = index.catalog.views()[0].commit
        commit = index.commit({**FILES, "b.py": "x = 1\n"}, publish=False)
        scope = scope_pb2.Scope(min_commit=commit)
        waiting = _waiting(channel, 8, pb.GetFreshnessRequest(scope=scope))
        search = QueryServiceStub(channel).Search.future(pb.SearchRequest(query="shown", scope=scope), timeout=LONG_S)
        usages = QueryServiceStub(channel).FindUsages(pb.FindUsagesRequest(symbol="shown", scope=scope), timeout=LONG_S)
        assert index.catalog.views()[0].commit == first
        assert not any(call.done() for call in waiting)
        _publish(index)
        assert {call.result(LONG_S).views[0].commit for call in waiting} == {commit}
        assert search.result(LONG_S).summary.as_of[0].commit == commit
        assert next(usages).summary.as_of[0].commit == commit


def test_s4_waiters_are_capped_and_those_that_cancel_make_room(
    index: SmallIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWATER_LIMITS_WAITING_CALLERS_EACH", "4")
    limits.cache_clear()
    with _served(index) as (_, channel):
        waiting = _waiting(channel, 5)
        refused = threading.Event()
        for call in waiting:
            call.add_done_callback(lambda _done: refused.set())
        assert refused.wait(LONG_S)
        (error,) = [call.exception() for call in waiting if call.done()]
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        status, retry = rpc_status.from_call(error), error_details_pb2.RetryInfo()
        assert any(detail.Unpack(retry) for detail in status.details)
        assert retry.retry_delay.seconds > 0
        for call in waiting:
            call.cancel()
        last = QueryServiceStub(channel).GetFreshness
        while True:  # the server hears of a cancelled call a moment later
            with pytest.raises(grpc.RpcError) as caught:
                last(NEVER, timeout=0.2)
            if caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                break
    limits.cache_clear()


def test_s4_stopping_sends_away_all_who_wait(index: SmallIndex) -> None:
    with ExitStack() as opened:
        server, channel = opened.enter_context(_served(index, grace_s=LONG_S))
        waiting = _waiting(channel, 64)
        QueryServiceStub(channel).Search(pb.SearchRequest(query="shown"), timeout=LONG_S)
        server.stop()
        assert {_code(call) for call in waiting} == {grpc.StatusCode.UNAVAILABLE}
        assert server.ended_in_time


class _Revoked:
    """An `Authorise` that lets a caller in until it is revoked."""

    def __init__(self, then: Grants | None) -> None:
        self.then, self.revoked = then, False
        self.waiting = threading.Semaphore(0)  # released by each call that has begun to wait
        self._asked: Counter[str | bytes] = Counter()

    def __call__(self, caller: Caller) -> Grants:
        number = dict(caller.invocation_metadata())["number"]
        self._asked[number] += 1
        if self._asked[number] == 2:
            self.waiting.release()
        if not self.revoked:
            return ALLOW_ALL
        if self.then is None:
            raise UnauthenticatedError("BAD_TOKEN", "it has expired")
        return self.then


@pytest.mark.parametrize(
    ("then", "code"),
    [
        (None, grpc.StatusCode.UNAUTHENTICATED),
        (Grants(repos=frozenset()), grpc.StatusCode.PERMISSION_DENIED),
        (Grants(repos=frozenset({"other"})), grpc.StatusCode.PERMISSION_DENIED),
    ],
)
def test_s10_who_is_revoked_while_waiting_gets_nothing(
    index: SmallIndex, then: Grants | None, code: grpc.StatusCode
) -> None:
    authorise = _Revoked(then)
    with _served(index, authorise) as (_, channel):
        commit = index.commit({**FILES, "b.py": "x = 1\n"}, publish=False)
        scope = scope_pb2.Scope(min_commit=commit)
        stub = QueryServiceStub(channel)
        asked = (
            (stub.GetFreshness, pb.GetFreshnessRequest(scope=scope)),
            (stub.Search, pb.SearchRequest(query="shown", scope=scope)),
            (stub.Grep, pb.GrepRequest(pattern="shown", scope=scope)),
        )
        calls = [
            ask.future(request, timeout=LONG_S, metadata=[("number", str(number))])
            for number, (ask, request) in enumerate(asked)
        ]
        for _ in calls:
            assert authorise.waiting.acquire(timeout=LONG_S)
        authorise.revoked = True
        _publish(index)
        assert {_code(call) for call in calls} == {code}


def test_s4_readers_of_streams_who_take_nothing_hold_back_nobody(index: SmallIndex) -> None:
    lines = "".join(f"shown({number}, '{'x' * 300}')\n" for number in range(6_000))
    index.commit({**FILES, "b.py": f"from a import shown\n{lines}"})
    narrow = [
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.lookahead_bytes", 65_536),
        ("grpc.use_local_subchannel_pool", 1),
    ]
    with ExitStack() as opened:
        server, channel = opened.enter_context(_served(index))
        address = f"127.0.0.1:{server.port}"
        streams = []
        for _ in range(8):  # four times as many as there are threads, each on a connection of its own
            own = opened.enter_context(grpc.insecure_channel(address, narrow))
            streams.append(QueryServiceStub(own).FindUsages(pb.FindUsagesRequest(symbol="shown"), timeout=LONG_S))
            next(streams[-1])
        assert QueryServiceStub(channel).Search(pb.SearchRequest(query="shown"), timeout=LONG_S).results
        server.stop()
        assert server.ended_in_time
