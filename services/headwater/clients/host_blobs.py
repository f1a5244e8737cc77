"""Blobs from a git host's API: many at once over a few connections, all under one credential and one deadline."""

import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from concurrent.futures import TimeoutError as FutureTimeoutError
from queue import Empty, SimpleQueue

from headwater.clients.git_host import HttpGitHost
from headwater.clients.http_get import HttpUnreachableError
from headwater.domain.credential import Credential

Blob = tuple[str, str]  # repository, id
AT_ONCE = 8  # connections of one request
THREADS = 32  # of all requests together: what is over that waits, each for its own deadline at most


class HostBlobs:
    """A `BlobHost`. Without a credential there is nothing to be had: the service has none of its own."""

    def __init__(
        self,
        host: HttpGitHost,
        at_once: int = AT_ONCE,
        threads: int = THREADS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host, self._at_once, self._clock = host, at_once, clock
        self._threads = ThreadPoolExecutor(threads, "hydration")

    def blobs(
        self, credential: Credential | None, wanted: Collection[Blob], seconds: float
    ) -> Iterator[tuple[Blob, bytes]]:
        """Each blob that the host gives this caller, as it comes within `seconds`. Never raises."""
        if credential is None or not credential.token or seconds <= 0:
            return
        end = self._clock() + seconds
        left: SimpleQueue[Blob] = SimpleQueue()
        came: SimpleQueue[tuple[Blob, bytes]] = SimpleQueue()
        for blob in wanted:
            left.put(blob)
        workers = [
            self._threads.submit(self._work, credential.token, left, came, end)
            for _ in range(min(self._at_once, len(wanted)))
        ]
        yield from _until(workers, came, seconds)
        for worker in workers:
            worker.cancel()

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _work(self, token: str, left: SimpleQueue[Blob], came: SimpleQueue[tuple[Blob, bytes]], end: float) -> None:
        """Takes blobs until none is left or the time is up; a host that fails twice running is left alone."""
        session, failures = self._host.session(), 0
        try:
            while (seconds := end - self._clock()) > 0 and failures < 2:
                repo, oid = left.get_nowait()
                try:
                    content = self._host.blob(session, token, repo, oid, seconds)
                except HttpUnreachableError:
                    failures += 1
                    left.put((repo, oid))
                    continue
                failures = 0
                if content is not None:
                    came.put(((repo, oid), content))
        except Empty:
            return
        finally:
            session.close()


def _until(
    workers: list[Future[None]], came: SimpleQueue[tuple[Blob, bytes]], seconds: float
) -> Iterator[tuple[Blob, bytes]]:
    """What came while the workers worked, in the time given."""
    try:
        for _ in as_completed(workers, seconds):
            continue
    except FutureTimeoutError:
        pass
    while not came.empty():
        yield came.get()
