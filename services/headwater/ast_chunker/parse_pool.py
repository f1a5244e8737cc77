"""A pool of parse workers, so much processor time a file: a parser that hangs or crashes costs one file its syntax."""

import os
import signal
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

import msgspec

from headwater.ast_chunker.analyser import FileResult, FileTask, file_result
from headwater.ast_chunker.parse_worker import READY, WorkerSetup
from headwater.ast_chunker.process import DEFAULT_RULES, analyse_file_by_lines
from headwater.domain.treatment import ContentRules
from headwater.domain.version import PipelineVersion
from headwater.metrics import METRICS
from headwater.runtime.channel import Channel, readable, start_worker
from headwater.runtime.child_process import python_command
from headwater.streaming.errors import RetryableError

PROCESSOR_SECONDS = 60  # many times what the costliest syntax within `max_parse_steps` takes
STALLED_SECONDS = 1_800.0  # of any time: only for a worker that doesn't run at all
MOST_STALLS = 3
START_SECONDS = 60.0
FILES_A_WORKER = 16
TIMED_OUT = "the parser was stopped after {} s of processor time: chunked by lines"
CRASHED = "the parser crashed: chunked by lines"


class WorkerStartError(Exception):
    """A worker did not come up: the installation is broken or the machine is out of memory."""


class WorkerStalledError(RetryableError):
    """Workers do not run: nothing is known of the file, which is to be tried again."""


class ParsePool:
    """Implements `Analyser`. Not thread-safe: one pool a consumer."""

    def __init__(
        self,
        version: PipelineVersion,
        workers: int = 0,
        seconds: int = PROCESSOR_SECONDS,
        stalled: float = STALLED_SECONDS,
        rules: ContentRules = DEFAULT_RULES,
        command: Sequence[str] = python_command("-m", "headwater.ast_chunker.parse_worker"),
    ) -> None:
        """`workers` 0 means one a core, each started once there is work for it.

        A file may take `seconds` of processor time.
        A worker that has not answered `stalled` seconds later is replaced and the file tried again.
        """
        self._version, self._seconds, self._rules, self._command = version, seconds, rules, command
        self._stalled, self._stalls = stalled, 0
        self._decoder = msgspec.msgpack.Decoder(FileResult)
        setup = WorkerSetup(version, rules, seconds)
        self._setup = msgspec.msgpack.encode(setup)
        self._size = workers or os.cpu_count() or 1
        self._workers: list[_Worker] = []

    def analyse(self, tasks: Sequence[FileTask]) -> list[FileResult]:
        """One result a task, in order. Files are dealt to whichever worker is free. Raises WorkerStalledError."""
        results: list[FileResult | None] = [None] * len(tasks)
        pending = deque(range(len(tasks)))
        self._staff(len(tasks))
        idle = list(self._workers)
        busy: dict[Channel, _Job] = {}
        while pending or busy:
            while pending and idle:
                worker, number = idle.pop(), pending.popleft()
                busy[worker.connection] = _Job(worker, number, worker.give(tasks[number], self._stalled))
            for job in self._finished(busy):
                if job.answered:
                    results[job.number] = self._take(job, tasks[job.number], idle)
                else:
                    self._try_again(job)
                    pending.append(job.number)
                    idle.append(self._workers[-1])
        return [result for result in results if result is not None]

    def _staff(self, tasks: int) -> None:
        """A start costs as much as some hundred files: few files share one worker."""
        wanted = min(self._size, -(-tasks // FILES_A_WORKER))
        while len(self._workers) < wanted:
            self._workers.append(_Worker(self._command, self._setup))

    def close(self) -> None:
        """Stop every worker."""
        for worker in self._workers:
            worker.stop()
        self._workers = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _finished(self, busy: "dict[Channel, _Job]") -> "list[_Job]":
        """Wait until an answer, a crash or a deadline; those jobs leave `busy`."""
        soonest = min(job.due for job in busy.values())
        ready = readable(busy, max(0.0, soonest - time.monotonic()))
        done = [busy.pop(connection) for connection in list(busy) if connection in ready]
        for job in done:
            job.answered = True
        now = time.monotonic()
        late = [connection for connection, job in busy.items() if job.due <= now]
        return done + [busy.pop(connection) for connection in late]

    def _take(self, job: "_Job", task: FileTask, idle: "list[_Worker]") -> FileResult:
        answer = job.worker.answer()
        if answer is not None:
            idle.append(job.worker)
            result = self._decoder.decode(answer)
            seconds = time.monotonic() - (job.due - self._stalled)
            METRICS.observe("headwater_ast_chunker_parse_seconds", seconds, language=result.document.facts.language)
            return result
        ended = self._replace(job.worker)
        idle.append(self._workers[-1])
        warning = TIMED_OUT.format(self._seconds) if ended == -signal.SIGXCPU else CRASHED
        rules = task.rules or self._rules
        found = analyse_file_by_lines(task.path, task.mode, task.blob, task.content, self._version, rules, warning)
        return file_result(*found, rules)

    def _try_again(self, job: "_Job") -> None:
        self._replace(job.worker)
        self._stalls += 1
        if self._stalls >= MOST_STALLS:
            self._stalls = 0
            raise WorkerStalledError("parse workers do not run: see what holds them up, then index again")

    def _replace(self, worker: "_Worker") -> int:
        """How it ended."""
        ended = worker.stop()
        self._workers.remove(worker)
        self._workers.append(_Worker(self._command, self._setup))
        return ended


class _Job:
    def __init__(self, worker: "_Worker", number: int, due: float) -> None:
        self.worker, self.number, self.due, self.answered = worker, number, due, False


class _Worker:
    """One process and the socket to it."""

    def __init__(self, command: Sequence[str], setup: bytes) -> None:
        self._process, self.connection = start_worker(command)
        self.connection.send_bytes(setup)
        if not self.connection.poll(START_SECONDS) or self.answer() != READY:
            self.stop()
            raise WorkerStartError(f"'{' '.join(command)}' did not start: see its messages on standard error")

    def give(self, task: FileTask, stalled: float) -> float:
        """Hand over a task; when it is due (monotonic seconds). A dead worker shows when its answer is read."""
        with suppress(ConnectionError):
            self.connection.send_bytes(msgspec.msgpack.encode(task))
        return time.monotonic() + stalled

    def answer(self) -> bytes | None:
        """The next message, None when the process is gone."""
        try:
            return self.connection.recv_bytes()
        except (EOFError, ConnectionError):
            return None

    def stop(self) -> int:
        """Its exit status."""
        self.connection.close()
        self._process.kill()  # changes nothing of how one that is already ending ends
        return self._process.wait()
