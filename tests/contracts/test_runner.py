"""The contract of runners: order by key, redelivery, dead letters, retry and back-pressure under each of them."""

import threading
from collections.abc import Callable, Iterable, Sequence

import pytest

from headwater.events import ChunkChanged, FileChanged
from headwater.streaming.errors import InvalidEventError, NotNowError, RetryableError
from headwater.streaming.stage import Outgoing
from support.runners import RUNNERS, Bench

PATHS = ("a.py", "b.py", "c.py")


def file_changed(path: str, generation: int) -> FileChanged:
    return FileChanged(
        repo="acme/pumps", ref="refs/heads/main", generation=generation, path=path, mode=0o100644, blob="0" * 40,
        pushed_at=1.0,
    )  # fmt: skip


def chunk_of(event: FileChanged) -> Outgoing:
    chunk = ChunkChanged(
        repo=event.repo, ref=event.ref, generation=event.generation, content_hash=f"{event.generation:032x}",
        path=event.path, text="x", pushed_at=event.pushed_at, lane=event.lane,
    )  # fmt: skip
    return Outgoing("chunk-changed", chunk.content_hash, chunk)


class Recorder:
    """A stage named as the chunker that keeps what it is given; `fault` may raise for an event."""

    name = "ast-chunker"

    def __init__(self, fault: Callable[[FileChanged], None] = lambda _event: None) -> None:
        self._fault = fault
        self.seen: list[FileChanged] = []
        self.attempts: dict[int, int] = {}
        self.changed = threading.Condition()

    def handle(self, batch: Sequence[FileChanged]) -> Iterable[Outgoing]:
        for event in batch:
            self.attempts[event.generation] = self.attempts.get(event.generation, 0) + 1
            self._fault(event)
        with self.changed:
            self.seen += batch
            self.changed.notify_all()
        return [chunk_of(event) for event in batch]

    def generations(self) -> set[int]:
        return {event.generation for event in self.seen}


@pytest.fixture(params=RUNNERS, ids=lambda runner: runner.__name__)
def bench(request: pytest.FixtureRequest) -> Iterable[Bench]:
    made = request.param(request)
    yield made
    made.close()


EVENTS = [file_changed(PATHS[n % 3], n) for n in range(1, 61)]


def test_every_event_is_handled_and_its_output_produced(bench: Bench) -> None:
    stage = Recorder()
    bench.run(stage, EVENTS)
    assert stage.generations() == set(range(1, 61))
    produced = [e.generation for e in bench.produced() if isinstance(e, ChunkChanged)]
    assert set(produced) == set(range(1, 61))


def test_events_of_one_key_keep_their_order(bench: Bench) -> None:
    stage = Recorder()
    bench.run(stage, EVENTS)
    for path in PATHS:
        order = [e.generation for e in stage.seen if e.path == path]
        first_seen = list(dict.fromkeys(order))
        assert first_seen == sorted(first_seen)


def test_only_the_invalid_event_becomes_a_dead_letter(bench: Bench) -> None:
    def fault(event: FileChanged) -> None:
        if event.generation == 17:
            raise InvalidEventError("no such mode")

    stage = Recorder(fault)
    bench.run(stage, EVENTS)
    assert stage.generations() == set(range(1, 61)) - {17}
    assert bench.dead_letters() == [(17, "no such mode")]


def test_a_retryable_event_comes_again_until_it_succeeds(bench: Bench) -> None:
    def fault(event: FileChanged) -> None:
        if event.generation == 9 and stage.attempts[9] < 4:
            raise RetryableError("the catalog restarts")

    stage = Recorder(fault)
    bench.run(stage, EVENTS)
    assert stage.generations() == set(range(1, 61))
    assert stage.attempts[9] >= 4
    assert bench.dead_letters() == []


def test_back_pressure_loses_nothing_and_is_no_failure(bench: Bench) -> None:
    refused = 0

    def fault(_event: FileChanged) -> None:
        nonlocal refused
        refused += 1
        if refused <= 3:
            raise NotNowError("the model is down")

    stage = Recorder(fault)
    bench.run(stage, EVENTS)
    assert stage.generations() == set(range(1, 61))
    assert bench.dead_letters() == []


def test_redelivery_of_everything_reaches_the_stage_again(bench: Bench) -> None:
    stage = Recorder()
    bench.run(stage, EVENTS)
    bench.run(stage, EVENTS)
    assert all(count >= 2 for count in stage.attempts.values())
    assert bench.dead_letters() == []


def test_an_unexpected_error_ends_the_run(bench: Bench) -> None:
    def fault(event: FileChanged) -> None:
        if event.generation == 5:
            raise ZeroDivisionError("a defect")

    with pytest.raises(ZeroDivisionError):
        bench.run(Recorder(fault), EVENTS)
