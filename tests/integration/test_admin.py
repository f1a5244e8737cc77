"""Operations over a real server: for admins alone, each on record, and none tells others what there is."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message
from grpc_status import rpc_status

from headwater.clients.static_model import StaticModel
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.view import private_ref
from headwater.events import CommitReceived
from headwater.query.administration import Letter, Operations
from headwater.query.engine import Engine, Parts
from headwater.query.identity.audit import JsonLinesAuditLog
from headwater.query.identity.compose import access_control
from headwater.query.identity.settings import AccessSettings
from headwater.query.server import QueryServer, ServerSettings
from headwater.rpc.generated import admin_service_pb2 as pb
from headwater.rpc.generated.admin_service_pb2_grpc import AdminServiceStub
from support.loopback import Issuer, http_server
from support.small_index import MAIN, SmallIndex

FILES = {"a.py": "def shown():\n    return 1\n"}
ADMIN = Grants(principal="user:root", repos=frozenset(), admin=True)
CALLS: dict[str, Message] = {
    "ListRepositories": pb.ListRepositoriesRequest(),
    "PauseRepository": pb.PauseRepositoryRequest(repo="app"),
    "ResumeRepository": pb.ResumeRepositoryRequest(repo="app"),
    "RemoveRepository": pb.RemoveRepositoryRequest(repo="app"),
    "Collect": pb.CollectRequest(),
    "VerifyViews": pb.VerifyViewsRequest(repo="app"),
    "RepairView": pb.RepairViewRequest(repo="app", ref=MAIN, paths=["a.py"]),
    "ListDeadLetters": pb.ListDeadLettersRequest(topics=["file-changed"]),
    "ReplayDeadLetters": pb.ReplayDeadLettersRequest(ids=["file-changed-dlq:0:7"]),
}


class _Letters:
    """One letter, sent again on demand."""

    def list(self, topics: Sequence[str]) -> Sequence[Letter]:
        return [Letter("file-changed-dlq:0:7", "ast-chunker", "not valid", 3, 1.5)] if "file-changed" in topics else []

    def replay(self, ids: Sequence[str]) -> Sequence[str]:
        return ids


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, StaticModel())
    made.commit(FILES, "app")
    made.commit({**FILES, "b.py": "x = 1\n"}, "app")
    made.commit(FILES, "app", private_ref("user:bob", "app-1a2b3c"))
    made.commit(FILES, "lib")
    yield made
    made.close()


@contextmanager
def _served(
    index: SmallIndex, authorise: Callable[[grpc.ServicerContext], Grants], log: Path, sent: list[CommitReceived]
) -> Iterator[AdminServiceStub]:
    engine = Engine(Parts(reader=index.catalog))
    own = Operations(
        catalog=lambda: index.catalog, collect=lambda: index.catalog.collect(1), send=sent.extend, letters=_Letters()
    )
    settings = ServerSettings(address="127.0.0.1:0", grace_s=1)
    with (
        QueryServer(engine, settings, authorise, audit=JsonLinesAuditLog(log), operations=own) as server,
        grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        yield AdminServiceStub(channel)
    engine.close()


def _refusal(stub: AdminServiceStub, method: str, request: Message) -> bytes:
    with pytest.raises(grpc.RpcError) as caught:
        getattr(stub, method)(request)
    assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
    status = rpc_status.from_call(caught.value)
    made: bytes = status.SerializeToString(deterministic=True)
    return made


def test_operations_do_what_they_say_and_are_on_record(index: SmallIndex, tmp_path: Path) -> None:
    sent: list[CommitReceived] = []
    log = tmp_path / "audit.jsonl"
    with _served(index, lambda _context: ADMIN, log, sent) as stub:
        listed = stub.ListRepositories(pb.ListRepositoriesRequest()).repositories
        assert [(r.name, r.paused, r.views) for r in listed] == [("app", False, 1), ("lib", False, 1)]
        stub.PauseRepository(pb.PauseRepositoryRequest(repo="lib"))
        assert {r.name for r in index.catalog.repositories() if r.paused} == {"lib"}
        stub.ResumeRepository(pb.ResumeRepositoryRequest(repo="lib"))
        assert not any(r.paused for r in index.catalog.repositories())
        proofs = stub.VerifyViews(pb.VerifyViewsRequest()).proofs
        assert [(p.repo, p.ref, p.holds) for p in proofs] == [("app", MAIN, True), ("lib", MAIN, True)]
        assert all(p.tree == p.root for p in proofs)
        stub.RepairView(CALLS["RepairView"])
        assert [(e.repo, e.ref, e.cause, e.paths) for e in sent] == [("app", MAIN, "repair", ("a.py",))]
        (letter,) = stub.ListDeadLetters(CALLS["ListDeadLetters"]).letters
        assert (letter.id, letter.attempts) == ("file-changed-dlq:0:7", 3)
        assert list(stub.ReplayDeadLetters(CALLS["ReplayDeadLetters"]).ids) == [letter.id]
        assert stub.RemoveRepository(CALLS["RemoveRepository"]).views == 1
        assert stub.Collect(pb.CollectRequest()).removed > 0
        assert [r.name for r in index.catalog.repositories()] == ["lib"]
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [r["method"] for r in records][-2:] == ["RemoveRepository", "Collect"]
    assert {r["principal"] for r in records} == {"user:root"}
    assert {r["method"]: r.get("object", "") for r in records}["RepairView"] == f"app {MAIN} a.py"


@pytest.mark.parametrize("caller", [ALLOW_ALL, Grants(principal="user:ann")], ids=["no access control", "no admin"])
def test_f14_others_are_refused_alike_whatever_there_is(index: SmallIndex, tmp_path: Path, caller: Grants) -> None:
    log, sent = tmp_path / "audit.jsonl", list[CommitReceived]()
    with _served(index, lambda _context: caller, log, sent) as stub:
        refusals = {_refusal(stub, method, request) for method, request in CALLS.items()}
        for absent in (pb.PauseRepositoryRequest(repo="no such"), pb.RemoveRepositoryRequest(repo="no such")):
            refusals.add(_refusal(stub, type(absent).__name__.removesuffix("Request"), absent))
    assert len(refusals) == 1
    assert sent == []
    assert {r.name for r in index.catalog.repositories()} == {"app", "lib"}
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert {r["code"] for r in records} == {"PERMISSION_DENIED"}
    assert {r["method"] for r in records} == set(CALLS)


def test_the_policy_names_admins(index: SmallIndex, tmp_path: Path) -> None:
    issuer, policy = Issuer(), tmp_path / "policy.yaml"
    policy.write_text('version: 1\ngroups: {ops: ["user:ann"]}\ngrants: []\nadmins: ["group:ops"]\n')
    with http_server(issuer.answer) as issuer.url:
        settings = AccessSettings(oidc_issuer=issuer.url, oidc_audience="headwater", policy=str(policy))
        control = access_control(settings, "127.0.0.1:0", lambda: ())
        assert control.authorise is not None
        with _served(index, control.authorise, tmp_path / "audit.jsonl", []) as stub:
            ann = [("authorization", f"Bearer {issuer.token('ann')}")]
            assert stub.ListRepositories(pb.ListRepositoriesRequest(), metadata=ann).repositories
            for headers, code in (
                ([("authorization", f"Bearer {issuer.token('bob')}")], grpc.StatusCode.PERMISSION_DENIED),
                ([], grpc.StatusCode.UNAUTHENTICATED),
            ):
                with pytest.raises(grpc.RpcError) as caught:
                    stub.ListRepositories(pb.ListRepositoriesRequest(), metadata=headers)
                assert caught.value.code() is code


def test_unknown_names_and_absent_parts_are_said(index: SmallIndex, tmp_path: Path) -> None:
    with _served(index, lambda _context: ADMIN, tmp_path / "audit.jsonl", []) as stub:
        for call, request, code in (
            (stub.PauseRepository, pb.PauseRepositoryRequest(repo="no such"), grpc.StatusCode.NOT_FOUND),
            (stub.VerifyViews, pb.VerifyViewsRequest(repo="no such"), grpc.StatusCode.NOT_FOUND),
            (stub.RepairView, pb.RepairViewRequest(repo="app", ref="main"), grpc.StatusCode.NOT_FOUND),
            (
                stub.RepairView,
                pb.RepairViewRequest(repo="app", ref=private_ref("user:bob", "app-1a2b3c")),
                grpc.StatusCode.NOT_FOUND,
            ),
            (stub.ReplayDeadLetters, pb.ReplayDeadLettersRequest(), grpc.StatusCode.INVALID_ARGUMENT),
        ):
            with pytest.raises(grpc.RpcError) as caught:
                call(request)
            assert caught.value.code() is code
