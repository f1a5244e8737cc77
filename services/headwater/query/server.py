"""The gRPC server of the query plane: its services, health and reflection, bounded work, and a stop in stated time."""

import logging
import sys
from types import TracebackType
from typing import Self

import grpc
import msgspec
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from headwater.domain.address import AddressError, parse_address
from headwater.limits import limits
from headwater.query import admin_servicer
from headwater.query.admin_servicer import admin_methods
from headwater.query.administration import Administration, Operations
from headwater.query.caller import Authorise, allow_all
from headwater.query.calls import Calls
from headwater.query.engine import Engine
from headwater.query.event_loop import on_loop
from headwater.query.identity.audit import AuditLog
from headwater.query.servicer import SERVICE, query_methods
from headwater.query.workers import Workers

LIVENESS, READINESS = "liveness", "readiness"  # what an orchestrator's two gRPC probes ask the health service for
END_S = 2.0  # what still works after the grace period has this long to notice that nobody waits for it
TURN_S = 0.001  # how long one thread keeps the interpreter from the others, the event loop's among them
LOG = logging.getLogger(__name__)


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the server listens and how much it takes on."""

    address: str = "127.0.0.1:7070"  # port 0 takes a free one
    threads: int = 16
    max_concurrent: int = 64  # calls of a kind; those beyond it are refused with RESOURCE_EXHAUSTED at once
    max_request_bytes: int = 1 << 20
    max_reply_bytes: int = 64 << 20
    grace_s: float = 10.0
    credentials: grpc.ServerCredentials | None = None  # None: plain text, for loopback or behind a proxy

    @property
    def longest_stop_s(self) -> float:
        return self.grace_s + END_S


class QueryServer:
    """Started by `start`, stopped by `stop`; a context manager does both."""

    def __init__(
        self,
        engine: Engine,
        settings: ServerSettings | None = None,
        authorise: Authorise = allow_all,
        audit: AuditLog | None = None,
        operations: Operations | None = None,
    ) -> None:
        """Operators' calls are served where there are `operations`. Raises OSError for an address that won't do."""
        self._settings = settings or ServerSettings()
        self._services = {SERVICE: query_methods(engine)}
        if operations is not None:
            self._services[admin_servicer.SERVICE] = admin_methods(Administration(operations))
        self.ended_in_time = True
        on_loop(self._built(engine, authorise, audit))

    async def _built(self, engine: Engine, authorise: Authorise, audit: AuditLog | None) -> None:
        of = self._settings
        self._workers = Workers(of.threads, limits().calls_waiting_elsewhere)
        self._calls = Calls(engine, self._workers, of.threads, of.max_concurrent, authorise, audit)
        options = [
            ("grpc.max_receive_message_length", of.max_request_bytes),
            ("grpc.max_send_message_length", of.max_reply_bytes),
            ("grpc.so_reuseport", 0),
        ]
        self._server = grpc.aio.server(options=options)
        for service, methods in self._services.items():
            handlers = {method.name: self._calls.handler(method) for method in methods}
            self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server
        )
        self.port = self._listen()

    def start(self) -> None:
        sys.setswitchinterval(TURN_S)
        on_loop(self._started())

    async def _started(self) -> None:
        await self._server.start()
        for name in ("", LIVENESS, READINESS, *self._services):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    def show_ready(self, ready: bool) -> None:
        """Whether new callers should come here; what is asked all the same is answered as well as it can be."""
        status = health_pb2.HealthCheckResponse
        on_loop(self._health.set(READINESS, status.SERVING if ready else status.NOT_SERVING))

    def stop(self) -> None:
        """Refuse new calls, send away who waits, let running calls finish within the grace period.

        Takes at most `grace_s` + END_S; `ended_in_time` is False when work goes on even then.
        """
        on_loop(self._stopped())
        self.ended_in_time = self._workers.stop(END_S)
        if not self.ended_in_time:
            LOG.warning("some answers are still being worked on: they are left behind")

    async def _stopped(self) -> None:
        await self._health.enter_graceful_shutdown()
        self._calls.stop()
        try:
            await self._server.stop(self._settings.grace_s)
        finally:
            self._calls.abandon()

    def _listen(self) -> int:
        """Raises OSError when the address is none, taken or not ours."""
        credentials = self._settings.credentials
        try:
            address = str(parse_address(self._settings.address))
        except AddressError as error:
            raise OSError(str(error)) from error
        try:
            if credentials is None:
                return int(self._server.add_insecure_port(address))
            return int(self._server.add_secure_port(address, credentials))
        except RuntimeError as error:
            raise OSError(f"can't listen on {address}: choose another address ({error})") from error

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
