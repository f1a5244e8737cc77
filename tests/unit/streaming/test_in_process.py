"""The in-process runner: downstream first, bounded queues, four kinds of errors, stages that run ahead."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from headwater.events import ChunkChanged, CommitReceived, Event, FileChanged, IndexApplied
from headwater.events.index_applied import Index
from headwater.streaming.errors import InvalidEventError, RetryableError
from headwater.streaming.in_process import InProcessRunner, PipelineStalledError
from headwater.streaming.stage import Outgoing

Handle = Callable[[Sequence[Event]], Iterable[Outgoing]]


class FakeStage:
    """A stage made of a function, which remembers its batches."""

    def __init__(self, name: str, handle: Handle) -> None:
        self.name, self._handle = name, handle
        self.batches: list[list[Event]] = []

    def handle(self, batch: Sequence[Event]) -> Iterable[Outgoing]:
        self.batches.append(list(batch))
        return self._handle(batch)


def commit(after: str = "a" * 40) -> CommitReceived:
    return CommitReceived(repo="r", ref="refs/heads/main", after=after, pushed_at=0, cause="command")


def file(path: str) -> FileChanged:
    return FileChanged(repo="r", ref="refs/heads/main", generation=1, path=path, mode=0o100644, blob="b", pushed_at=0)


def applied(n: int) -> IndexApplied:
    return IndexApplied(index=Index.LEXICAL, repo=str(n), ref="x", generation=1, pushed_at=0)


def files(count: int) -> Handle:
    return lambda _batch: (Outgoing("file-changed", str(i), file(str(i))) for i in range(count))


def swallow(_batch: Sequence[Event]) -> Iterable[Outgoing]:
    return ()


def test_events_flow_along_the_topology() -> None:
    chunker = FakeStage("ast-chunker", swallow)
    runner = InProcessRunner({"merkle-differ": FakeStage("merkle-differ", files(3)), "ast-chunker": chunker})
    runner.submit("commit-received", [commit()])
    runner.drain()
    assert [e.path for batch in chunker.batches for e in batch if isinstance(e, FileChanged)] == ["0", "1", "2"]


def test_a_full_queue_is_worked_off_while_its_producer_is_still_yielding() -> None:
    produced = 0
    ahead = []

    def differ(_batch: Sequence[Event]) -> Iterable[Outgoing]:
        nonlocal produced
        for produced in range(1, 101):
            yield Outgoing("file-changed", "k", file(str(produced)))

    def chunker(batch: Sequence[Event]) -> Iterable[Outgoing]:
        ahead.append(produced)
        return ()

    runner = InProcessRunner(
        {"merkle-differ": FakeStage("merkle-differ", differ), "ast-chunker": FakeStage("ast-chunker", chunker)},
        batches={"ast-chunker": 10},
    )
    runner.submit("commit-received", [commit()])
    runner.drain()
    assert ahead == list(range(10, 101, 10))


def test_an_invalid_event_is_set_aside_and_its_neighbours_are_handled() -> None:
    handled: list[str] = []

    def chunker(batch: Sequence[Event]) -> Iterable[Outgoing]:
        for event in batch:
            assert isinstance(event, FileChanged)
            if event.path == "1":
                raise InvalidEventError("bad field")
        handled.extend(e.path for e in batch if isinstance(e, FileChanged))
        return ()

    stages = {"merkle-differ": FakeStage("merkle-differ", files(3)), "ast-chunker": FakeStage("ast-chunker", chunker)}
    runner = InProcessRunner(stages)
    runner.submit("commit-received", [commit()])
    runner.drain()
    assert handled == ["0", "2"]
    assert [(d.stage, d.reason) for d in runner.dead_letters] == [("ast-chunker", "bad field")]


def test_a_retryable_error_is_tried_again_with_growing_pauses() -> None:
    failures = iter([True, True, False])
    pauses: list[float] = []

    def flaky(_batch: Sequence[Event]) -> Iterable[Outgoing]:
        if next(failures):
            raise RetryableError("not yet")
        return ()

    runner = InProcessRunner({"merkle-differ": FakeStage("merkle-differ", flaky)}, pause=pauses.append)
    runner.submit("commit-received", [commit()])
    runner.drain()
    assert pauses == [0.1, 0.2]


def test_a_stage_that_never_recovers_stops_the_run_with_its_reason() -> None:
    def broken(_batch: Sequence[Event]) -> Iterable[Outgoing]:
        raise RetryableError("disk full")

    runner = InProcessRunner({"merkle-differ": FakeStage("merkle-differ", broken)}, attempts=2)
    runner.submit("commit-received", [commit()])
    with pytest.raises(PipelineStalledError, match="merkle-differ: disk full"):
        runner.drain()


def test_anything_else_is_a_crash() -> None:
    def crash(_batch: Sequence[Event]) -> Iterable[Outgoing]:
        raise ZeroDivisionError

    runner = InProcessRunner({"merkle-differ": FakeStage("merkle-differ", crash)})
    runner.submit("commit-received", [commit()])
    with pytest.raises(ZeroDivisionError):
        runner.drain()


def test_a_stage_in_an_executor_runs_ahead_and_keeps_the_order() -> None:
    def chunk(batch: Sequence[Event]) -> Iterable[Outgoing]:
        return [
            Outgoing("chunk-changed", "k", ChunkChanged(
                repo="r", ref="x", generation=1, content_hash=e.path, path=e.path, text="", pushed_at=0))
            for e in batch if isinstance(e, FileChanged)
        ]  # fmt: skip

    embedder = FakeStage("embedder", swallow)
    with ThreadPoolExecutor(2) as pool:
        runner = InProcessRunner(
            {
                "merkle-differ": FakeStage("merkle-differ", files(50)),
                "ast-chunker": FakeStage("ast-chunker", chunk),
                "embedder": embedder,
            },
            batches={"ast-chunker": 4},
            executors={"ast-chunker": (pool, 3)},
        )
        runner.submit("commit-received", [commit()])
        runner.drain()
    order = [e.path for batch in embedder.batches for e in batch if isinstance(e, ChunkChanged)]
    assert order == [str(i) for i in range(50)]


def test_a_cycle_through_the_reconciler_ends_when_it_has_nothing_to_repair() -> None:
    repairs = iter([True, False])

    def reconcile(_batch: Sequence[Event]) -> Iterable[Outgoing]:
        return [Outgoing("commit-received", "k", commit())] if next(repairs) else []

    def differ(_batch: Sequence[Event]) -> Iterable[Outgoing]:
        return [Outgoing("index-applied", "r", applied(1))]

    stages = {
        "merkle-differ": FakeStage("merkle-differ", differ),
        "reconciler": FakeStage("reconciler", reconcile),
    }
    runner = InProcessRunner(stages)
    runner.submit("commit-received", [commit()])
    runner.drain()
    assert len(stages["merkle-differ"].batches) == 2
