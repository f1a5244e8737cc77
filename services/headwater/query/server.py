"""The gRPC server of the query plane: health, reflection, bounded work, graceful stop."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

import grpc
import msgspec
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from headwater.query.admin_servicer import admin_service
from headwater.query.administration import Administration, Operations
from headwater.query.calls import Authorise, Calls, allow_all
from headwater.query.engine import Engine
from headwater.query.identity.audit import AuditLog
from headwater.query.servicer import QueryServicer
from headwater.rpc.generated import query_service_pb2, query_service_pb2_grpc

SERVICE = query_service_pb2.DESCRIPTOR.services_by_name["QueryService"].full_name
LIVENESS, READINESS = "liveness", "readiness"  # what an orchestrator's two gRPC probes ask the health service for


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the server listens and how much it takes on."""

    address: str = "127.0.0.1:7070"  # port 0 takes a free one
    threads: int = 16
    max_concurrent: int = 64  # calls beyond it are refused with RESOURCE_EXHAUSTED at once
    max_request_bytes: int = 1 << 20
    max_reply_bytes: int = 64 << 20
    grace_s: float = 10.0
    credentials: grpc.ServerCredentials | None = None  # None: plain text, for loopback or behind a proxy


Register = Callable[[grpc.Server], tuple[str, ...]]  # adds a further service; returns its full names for reflection


class QueryServer:
    """Started by `start`, stopped by `stop`; a context manager does both."""

    def __init__(
        self,
        engine: Engine,
        settings: ServerSettings | None = None,
        authorise: Authorise = allow_all,
        register: tuple[Register, ...] = (),
        audit: AuditLog | None = None,
        operations: Operations | None = None,
    ) -> None:
        """Operators' calls are served where there are `operations`."""
        self._settings = settings or ServerSettings()
        self._server = grpc.server(
            ThreadPoolExecutor(self._settings.threads, "grpc"),
            maximum_concurrent_rpcs=self._settings.max_concurrent,
            options=[
                ("grpc.max_receive_message_length", self._settings.max_request_bytes),
                ("grpc.max_send_message_length", self._settings.max_reply_bytes),
                ("grpc.so_reuseport", 0),
            ],
        )
        query_service_pb2_grpc.add_QueryServiceServicer_to_server(QueryServicer(engine, authorise, audit), self._server)
        if operations is not None:
            register = (*register, admin_service(Administration(operations), Calls(authorise, audit)))
        further = tuple(name for add in register for name in add(self._server))
        self._health = health.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE, *further, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self._services = (SERVICE, *further)
        self.port = self._listen()

    def start(self) -> None:
        self._server.start()
        self._set_health(health_pb2.HealthCheckResponse.SERVING)

    def show_ready(self, ready: bool) -> None:
        """Whether new callers should come here; what is asked all the same is answered as well as it can be."""
        status = health_pb2.HealthCheckResponse
        self._health.set(READINESS, status.SERVING if ready else status.NOT_SERVING)

    def stop(self) -> None:
        """Refuse new calls, let running ones finish within the grace period."""
        self._health.enter_graceful_shutdown()
        self._server.stop(self._settings.grace_s).wait()

    def wait(self) -> None:
        """Until stopped."""
        self._server.wait_for_termination()

    def _listen(self) -> int:
        """Raises OSError when the address is taken or not ours."""
        address, credentials = self._settings.address, self._settings.credentials
        try:
            if credentials is None:
                return int(self._server.add_insecure_port(address))
            return int(self._server.add_secure_port(address, credentials))
        except RuntimeError as error:
            raise OSError(f"can't listen on {address}: choose another address ({error})") from error

    def _set_health(self, status: "health_pb2.HealthCheckResponse.ServingStatus") -> None:
        for name in ("", LIVENESS, READINESS, *self._services):
            self._health.set(name, status)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
