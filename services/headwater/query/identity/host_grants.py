"""What the git host lets a caller's own token read, remembered for a stated time; unknown or failed means no."""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from headwater.clients.git_host import GitHost
from headwater.query.workers import waiting_elsewhere

MAX_ANSWERS = 200_000
THREADS = 16

_Key = tuple[bytes, str]  # digest of the token, repository


class HostGrants:
    """Answers count from when they were asked for, so that a revocation shows within `ttl_s` + `wait_s`."""

    def __init__(
        self, host: GitHost, ttl_s: float = 45.0, wait_s: float = 5.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._host, self._ttl_s, self._wait_s, self._clock = host, ttl_s, wait_s, clock
        self._answers: OrderedDict[_Key, tuple[float, bool]] = OrderedDict()
        self._asked: dict[_Key, Future[bool]] = {}
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "git-host")

    def readable(self, token: str, repositories: Iterable[str]) -> frozenset[str]:
        """Those that the host says the token reads. Waits for what isn't known, at most `wait_s` in all."""
        caller = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
        known: dict[str, bool] = {}
        pending: dict[str, Future[bool]] = {}
        with self._lock:
            for repo in repositories:
                answer = self._answers.get((caller, repo))
                if answer is not None and self._clock() - answer[0] < self._ttl_s:
                    known[repo] = answer[1]
                else:
                    pending[repo] = self._ask((caller, repo), token)
        if pending:
            with waiting_elsewhere():
                wait(pending.values(), self._wait_s)
        known |= {repo: _says_yes(future) for repo, future in pending.items()}
        return frozenset(repo for repo, reads in known.items() if reads)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _ask(self, key: _Key, token: str) -> Future[bool]:
        """One question at a time for a token and repository, whoever waits for it."""
        if key not in self._asked:
            self._asked[key] = self._threads.submit(self._answer, key, token)
        return self._asked[key]

    def _answer(self, key: _Key, token: str) -> bool:
        asked_at, reads = self._clock(), False
        try:
            reads = self._host.reads(token, key[1], self._wait_s)
        finally:
            with self._lock:
                self._asked.pop(key, None)
                self._answers[key] = (asked_at, reads)
                self._answers.move_to_end(key)
                while len(self._answers) > MAX_ANSWERS:
                    self._answers.popitem(last=False)
        return reads


def _says_yes(answer: Future[bool]) -> bool:
    return answer.done() and not answer.cancelled() and answer.exception() is None and answer.result()
