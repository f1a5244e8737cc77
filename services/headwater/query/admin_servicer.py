"""AdminService over the administration, as a table: messages in, operations under the caller's grants, messages out."""

from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message

from headwater.domain.grants import Grants
from headwater.domain.view import ViewKey
from headwater.query.administration import Administration
from headwater.query.method import Method
from headwater.query.servicer import one
from headwater.rpc.generated import admin_service_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["AdminService"].full_name


def admin_methods(do: Administration) -> tuple[Method, ...]:
    """In the order of the proto file. They take as long as they take, and few run at once."""
    return (
        _method(
            "ListRepositories",
            pb.ListRepositoriesRequest,
            lambda _m, g: do.repositories(g),
            lambda found: pb.ListRepositoriesResponse(
                repositories=[pb.Repository(name=r.name, paused=r.paused, views=views) for r, views in found]
            ),
        ),
        _method(
            "PauseRepository",
            pb.PauseRepositoryRequest,
            lambda m, g: do.set_paused(g, m.repo, True),
            lambda _done: pb.PauseRepositoryResponse(),
        ),
        _method(
            "ResumeRepository",
            pb.ResumeRepositoryRequest,
            lambda m, g: do.set_paused(g, m.repo, False),
            lambda _done: pb.ResumeRepositoryResponse(),
        ),
        _method(
            "RemoveRepository",
            pb.RemoveRepositoryRequest,
            lambda m, g: do.remove(g, m.repo),
            lambda views: pb.RemoveRepositoryResponse(views=views),
        ),
        _method(
            "Collect",
            pb.CollectRequest,
            lambda _m, g: do.collect(g),
            lambda removed: pb.CollectResponse(removed=removed),
        ),
        _method("VerifyViews", pb.VerifyViewsRequest, lambda m, g: do.verify(g, m.repo, tuple(m.refs)), _proofs),
        _method(
            "RepairView",
            pb.RepairViewRequest,
            lambda m, g: do.repair(g, ViewKey(m.repo, m.ref), tuple(m.paths)),
            lambda _done: pb.RepairViewResponse(),
        ),
        _method(
            "ListDeadLetters", pb.ListDeadLettersRequest, lambda m, g: do.letters(g, tuple(m.topics)), _dead_letters
        ),
        _method(
            "ReplayDeadLetters",
            pb.ReplayDeadLettersRequest,
            lambda m, g: do.replay(g, tuple(m.ids)),
            lambda sent: pb.ReplayDeadLettersResponse(ids=sent),
        ),
    )


def _method(
    name: str, request: type[Message], ask: Callable[[Any, Grants], Any], reply: Callable[[Any], Message]
) -> Method:
    return Method(
        name=name,
        request=request,
        question=lambda message, _left: message,
        ask=ask,
        replies=one(reply),
        lane="operations",
    )


def _proofs(proofs: Any) -> pb.VerifyViewsResponse:
    return pb.VerifyViewsResponse(
        proofs=[
            pb.ViewProof(
                repo=p.view.repo, ref=p.view.ref, commit=p.commit, tree=p.tree, root=p.root, holds=p.root == p.tree
            )
            for p in proofs
        ]
    )


def _dead_letters(found: Any) -> pb.ListDeadLettersResponse:
    letters = [
        pb.DeadLetter(id=one.id, stage=one.stage, reason=one.reason, attempts=one.attempts, at=one.at) for one in found
    ]
    return pb.ListDeadLettersResponse(letters=letters)
