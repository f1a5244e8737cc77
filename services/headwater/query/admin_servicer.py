"""AdminService over the administration: converts, asks under the caller's grants, converts back."""

from collections.abc import Callable

import grpc

from headwater.domain.view import ViewKey
from headwater.query.administration import Administration
from headwater.query.calls import Calls
from headwater.rpc.generated import admin_service_pb2 as pb
from headwater.rpc.generated import admin_service_pb2_grpc

SERVICE = pb.DESCRIPTOR.services_by_name["AdminService"].full_name


class AdminServicer(admin_service_pb2_grpc.AdminServiceServicer):
    """One instance serves all threads."""

    def __init__(self, administration: Administration, calls: Calls) -> None:
        self._do, self._calls = administration, calls

    def ListRepositories(
        self, request: pb.ListRepositoriesRequest, context: grpc.ServicerContext
    ) -> pb.ListRepositoriesResponse:
        found = self._calls.reply(context, "ListRepositories", request, self._do.repositories)
        return pb.ListRepositoriesResponse(
            repositories=[pb.Repository(name=r.name, paused=r.paused, views=views) for r, views in found]
        )

    def PauseRepository(
        self, request: pb.PauseRepositoryRequest, context: grpc.ServicerContext
    ) -> pb.PauseRepositoryResponse:
        self._calls.reply(context, "PauseRepository", request, lambda g: self._do.set_paused(g, request.repo, True))
        return pb.PauseRepositoryResponse()

    def ResumeRepository(
        self, request: pb.ResumeRepositoryRequest, context: grpc.ServicerContext
    ) -> pb.ResumeRepositoryResponse:
        self._calls.reply(context, "ResumeRepository", request, lambda g: self._do.set_paused(g, request.repo, False))
        return pb.ResumeRepositoryResponse()

    def RemoveRepository(
        self, request: pb.RemoveRepositoryRequest, context: grpc.ServicerContext
    ) -> pb.RemoveRepositoryResponse:
        views = self._calls.reply(context, "RemoveRepository", request, lambda g: self._do.remove(g, request.repo))
        return pb.RemoveRepositoryResponse(views=views)

    def Collect(self, request: pb.CollectRequest, context: grpc.ServicerContext) -> pb.CollectResponse:
        return pb.CollectResponse(removed=self._calls.reply(context, "Collect", request, self._do.collect))

    def VerifyViews(self, request: pb.VerifyViewsRequest, context: grpc.ServicerContext) -> pb.VerifyViewsResponse:
        proofs = self._calls.reply(
            context, "VerifyViews", request, lambda g: self._do.verify(g, request.repo, tuple(request.refs))
        )
        return pb.VerifyViewsResponse(
            proofs=[
                pb.ViewProof(
                    repo=p.view.repo,
                    ref=p.view.ref,
                    commit=p.commit,
                    tree=p.tree,
                    root=p.root,
                    holds=p.root == p.tree,
                )
                for p in proofs
            ]
        )

    def RepairView(self, request: pb.RepairViewRequest, context: grpc.ServicerContext) -> pb.RepairViewResponse:
        view = ViewKey(request.repo, request.ref)
        self._calls.reply(context, "RepairView", request, lambda g: self._do.repair(g, view, tuple(request.paths)))
        return pb.RepairViewResponse()

    def ListDeadLetters(
        self, request: pb.ListDeadLettersRequest, context: grpc.ServicerContext
    ) -> pb.ListDeadLettersResponse:
        found = self._calls.reply(
            context, "ListDeadLetters", request, lambda g: self._do.letters(g, tuple(request.topics))
        )
        letters = [
            pb.DeadLetter(id=one.id, stage=one.stage, reason=one.reason, attempts=one.attempts, at=one.at)
            for one in found
        ]
        return pb.ListDeadLettersResponse(letters=letters)

    def ReplayDeadLetters(
        self, request: pb.ReplayDeadLettersRequest, context: grpc.ServicerContext
    ) -> pb.ReplayDeadLettersResponse:
        sent = self._calls.reply(
            context, "ReplayDeadLetters", request, lambda g: self._do.replay(g, tuple(request.ids))
        )
        return pb.ReplayDeadLettersResponse(ids=sent)


def admin_service(administration: Administration, calls: Calls) -> Callable[[grpc.Server], tuple[str, ...]]:
    """A `Register` for the query server."""

    def register(server: grpc.Server) -> tuple[str, ...]:
        admin_service_pb2_grpc.add_AdminServiceServicer_to_server(AdminServicer(administration, calls), server)
        return (SERVICE,)

    return register
