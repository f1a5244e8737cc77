"""The threads that answer: so many work at once, and one that waits for somebody else lets another have its turn."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from headwater.domain.query_error import ExhaustedError
from headwater.limits import count_reached

Given = TypeVar("Given")


class Lane:
    """Calls of a kind: `at_once` of them work, `most` are taken on."""

    def __init__(self, at_once: int, most: int) -> None:
        self.turns, self._most, self._taken = asyncio.Semaphore(at_once), most, 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Among those that are taken on. Raises ExhaustedError."""
        if self._taken >= self._most:
            raise ExhaustedError("BUSY", f"{self._most} such calls are under way already: try again in a second")
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1


class Workers:
    """Made and asked on the event loop's thread."""

    def __init__(self, threads: int, most_elsewhere: int) -> None:
        self._loop, self._turns = asyncio.get_running_loop(), asyncio.Semaphore(threads)
        self._threads = ThreadPoolExecutor(threads + most_elsewhere, "query")
        self._elsewhere = _Elsewhere(most_elsewhere)
        self._running: set[Future[Any]] = set()

    async def run(self, work: Callable[[], Given], lane: Lane | None = None) -> Given:
        """What `work` gives. Cancelled, it goes on in its thread, and in its turn, until it notices."""
        turns = [lane.turns, self._turns] if lane is not None else [self._turns]
        await _acquire(turns)
        turn = _Turn(self._loop, turns, self._elsewhere)
        future = self._threads.submit(turn.work, work)
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        future.add_done_callback(lambda _done: turn.release())
        return await asyncio.wrap_future(future)

    def stop(self, seconds: float) -> bool:
        """Whether all work has ended within this time. Called from another thread; no work may come any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        return not wait(list(self._running), seconds).not_done


_CURRENT: ContextVar["_Turn | None"] = ContextVar("turn", default=None)


@contextmanager
def waiting_elsewhere() -> Iterator[None]:
    """Around a wait for a git host or an issuer: another call has this thread's turn meanwhile."""
    turn = _CURRENT.get()
    if turn is None or not turn.give_up():
        yield
        return
    try:
        yield
    finally:
        turn.take_again()


class _Elsewhere:
    """How many threads wait for somebody else."""

    def __init__(self, most: int) -> None:
        self._most, self._now, self._lock = most, 0, threading.Lock()

    def enter(self) -> bool:
        with self._lock:
            if self._now >= self._most:
                count_reached("calls_waiting_elsewhere")
                return False
            self._now += 1
            return True

    def leave(self) -> None:
        with self._lock:
            self._now -= 1


class _Turn:
    """One thread's right to work."""

    def __init__(self, loop: asyncio.AbstractEventLoop, turns: list[asyncio.Semaphore], elsewhere: _Elsewhere) -> None:
        self._loop, self._turns, self._elsewhere = loop, turns, elsewhere

    def work(self, work: Callable[[], Given]) -> Given:
        token = _CURRENT.set(self)
        try:
            return work()
        finally:
            _CURRENT.reset(token)

    def give_up(self) -> bool:
        if not self._elsewhere.enter():
            return False
        self.release()
        return True

    def take_again(self) -> None:
        self._elsewhere.leave()
        asyncio.run_coroutine_threadsafe(_acquire(self._turns), self._loop).result()

    def release(self) -> None:
        for turns in self._turns:
            self._loop.call_soon_threadsafe(turns.release)


async def _acquire(turns: list[asyncio.Semaphore]) -> None:
    """All of them, or none when it is cancelled."""
    taken: list[asyncio.Semaphore] = []
    try:
        for each in turns:
            await each.acquire()
            taken.append(each)
    except asyncio.CancelledError:
        for each in taken:
            each.release()
        raise
