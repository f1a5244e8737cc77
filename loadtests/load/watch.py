"""Sees, as a reader does, when which commit became searchable."""

import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple, Self

import grpc

from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import query_service_pb2_grpc

POLL_S = 0.02


class Seen(NamedTuple):
    """A commit at the first instant (epoch seconds) at which a reader saw it."""

    at: float
    commit: str
    vector_complete: bool
    published_at: float


class Watch:
    """Asks for the freshness of one repository on a thread of its own."""

    def __init__(self, address: str, repo: str) -> None:
        self._stub = query_service_pb2_grpc.QueryServiceStub(grpc.insecure_channel(address))
        self._repo, self._stop = repo, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.seen: list[Seen] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=10)

    def wait_for(self, commit: str, seconds: float) -> Seen | None:
        """Both indexes show this commit; None when they don't in time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = next((s for s in self.seen if s.commit == commit and s.vector_complete), None)
            if found is not None:
                return found
            time.sleep(POLL_S)
        return None

    def searchable(self, commits: Sequence[str], wanted: str) -> Seen | None:
        """When this commit, or a later one of its line, was first seen with both indexes complete."""
        newer = set(commits[commits.index(wanted) :])
        return next((s for s in self.seen if s.commit in newer and s.vector_complete), None)

    def _run(self) -> None:
        request = pb.GetFreshnessRequest()
        request.scope.repos.append(self._repo)
        while not self._stop.wait(POLL_S):
            try:
                views = self._stub.GetFreshness(request, timeout=5).views
            except grpc.RpcError:
                continue
            for view in views:
                latest = Seen(time.time(), view.commit, view.vector_complete, view.published_at)
                if not self.seen or self.seen[-1][1:3] != latest[1:3]:
                    self.seen.append(latest)
