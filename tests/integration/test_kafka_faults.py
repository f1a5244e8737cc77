"""A stage on the real broker through kill -9, a second worker, poison, a stopped broker, slow work and bulk loads."""

import itertools
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("confluent_kafka")

from confluent_kafka import Producer

from headwater.events import ChunkChanged, FileChanged, Lane
from headwater.stack import Running
from headwater.stack.process import free_ports
from headwater.streaming.codec import decode_event, encode_event
from headwater.streaming.dead_letters import LetterId, list_letters, replay_letters, show_letter
from headwater.streaming.kafka import Publisher, read_to_end
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.message import ToSend
from support.footprint import Footprint
from support.kafka_topics import GroupProgress, renew_topics, wait_group_empty
from support.stage_process import StageProcess

PARENTS = ("file-changed", "chunk-changed")
Starter = Callable[..., StageProcess]


@pytest.fixture
def connection(kafka: Running) -> Connection:
    made = Connection(kafka.address("broker"))
    renew_topics(made, PARENTS)
    return made


@pytest.fixture
def start(connection: Connection, tmp_path: Path) -> Iterator[Starter]:
    started: list[StageProcess] = []

    def process(instance: str = "a", **settings: object) -> StageProcess:
        port = free_ports(("health",))["health"]
        started.append(StageProcess(tmp_path, connection.brokers, instance, port, **settings))
        return started[-1]

    yield process
    for one in started:
        if one.running:
            one.kill()


def publish(connection: Connection, generations: range, lane: Lane = Lane.LIVE) -> None:
    Publisher(connection).publish(messages(generations, lane))


def messages(generations: range, lane: Lane = Lane.LIVE) -> list[ToSend]:
    topic = "file-changed-bulk" if lane is Lane.BULK else "file-changed"
    made = []
    for n in generations:
        path = f"src/{n % 7}.py"
        event = FileChanged(
            repo="r", ref="x", generation=n, path=path, mode=0o100644, blob="0" * 40, pushed_at=1.0, lane=lane
        )
        made.append(ToSend(topic, path.encode(), encode_event(event)))
    return made


def produced(connection: Connection) -> Counter[int]:
    events = [decode_event(m.partition.topic, m.value) for m in read_to_end(connection, ["chunk-changed"])]
    return Counter(e.generation for e in events if isinstance(e, ChunkChanged))


def drained(connection: Connection, topics: tuple[str, ...] = ("file-changed",), group: str = "ast-chunker") -> bool:
    progress = GroupProgress(connection, group, topics)
    try:
        return progress.wait_drained(60)
    finally:
        progress.close()


def once(generations: range) -> Counter[int]:
    return Counter(generations)


def test_kill_9_in_a_batch_loses_and_repeats_nothing_that_was_committed(connection: Connection, start: Starter) -> None:
    publish(connection, range(400))
    for handled in (60, 220):
        stage = start(TEST_DELAY_S=0.004)
        stage.wait_handled(handled)
        stage.kill()
    start(TEST_DELAY_S=0.001)
    assert drained(connection)
    assert produced(connection) == once(range(400))


def test_without_transactions_kill_9_loses_nothing(connection: Connection, start: Starter) -> None:
    publish(connection, range(300))
    stage = start(TEST_DELAY_S=0.004, AST_CHUNKER_TRANSACTIONS="false")
    stage.wait_handled(100)
    stage.kill()
    start(AST_CHUNKER_TRANSACTIONS="false")
    assert drained(connection)
    assert produced(connection).keys() == once(range(300)).keys()


def test_under_faust_kill_9_loses_nothing_and_sigterm_ends_well(connection: Connection, start: Starter) -> None:
    pytest.importorskip("faust")
    wait_group_empty(connection, "ast-chunker")
    publish(connection, range(300))
    stage = start("faust", TEST_DELAY_S=0.004, AST_CHUNKER_RUNNER="faust")
    stage.wait_handled(100)
    stage.kill()
    again = start("faust", AST_CHUNKER_RUNNER="faust")
    assert drained(connection)
    assert again.terminate() == 0
    assert produced(connection).keys() == once(range(300)).keys()
    wait_group_empty(connection, "ast-chunker")


def test_sigterm_ends_after_the_batch_under_way(connection: Connection, start: Starter) -> None:
    publish(connection, range(300))
    stage = start(TEST_DELAY_S=0.01)
    stage.wait_handled(80)
    assert stage.terminate() == 0
    assert produced(connection) == Counter(stage.handled())


def test_f1_of_three_workers_on_one_partition_the_idle_ones_are_healthy_and_take_over(
    connection: Connection, start: Starter
) -> None:
    renew_topics(connection, PARENTS, partitions=1)
    workers = [start(name, TEST_DELAY_S=0.005) for name in ("a", "b", "c")]
    for worker in workers:
        worker.wait_answer("/readyz", 200)
    publish(connection, range(200))
    while not any(worker.handled() for worker in workers):
        time.sleep(0.02)
    busy = next(worker for worker in workers if worker.handled())
    for idle in [worker for worker in workers if worker is not busy]:
        assert idle.get("/livez") == (200, "live\n")
        assert idle.get("/readyz") == (200, "ready\n")
    busy.kill()
    assert drained(connection)
    assert produced(connection) == once(range(200))


def test_a_worker_that_joins_in_the_middle_shares_the_work_and_repeats_nothing(
    connection: Connection, start: Starter
) -> None:
    publish(connection, range(600))
    first = start("a", TEST_DELAY_S=0.01, AST_CHUNKER_BATCH=16)
    first.wait_handled(40)
    second = start("b", TEST_DELAY_S=0.01, AST_CHUNKER_BATCH=16)
    assert drained(connection)
    assert second.handled()
    assert produced(connection) == once(range(600))


def test_f1_an_event_slower_than_session_and_poll_limit_is_handled_once_and_moves_no_partition(
    connection: Connection, start: Starter
) -> None:
    """Of two workers; the session is 10 s."""
    wait_group_empty(connection, "ast-chunker")  # a member that another test killed is missed in the middle, else
    workers = [start(name, TEST_SLOW=5, TEST_SLOW_S=13, TEST_POLL_MS=11_000, AST_CHUNKER_BATCH=4) for name in "ab"]
    for worker in workers:
        worker.wait_answer("/readyz", 200)
    publish(connection, range(20))
    assert drained(connection)
    assert Counter(workers[0].handled()) + Counter(workers[1].handled()) == once(range(20))
    for worker in workers:
        assert worker.get("/livez")[0] == 200


def test_f1_under_faust_a_slow_event_is_handled_once(connection: Connection, start: Starter) -> None:
    pytest.importorskip("faust")
    wait_group_empty(connection, "ast-chunker")
    publish(connection, range(20))
    stage = start("faust", TEST_SLOW=5, TEST_SLOW_S=13, AST_CHUNKER_RUNNER="faust", AST_CHUNKER_BATCH=4)
    assert drained(connection)
    assert Counter(stage.handled()) == once(range(20))
    assert stage.get("/livez")[0] == 200
    assert stage.terminate() == 0
    wait_group_empty(connection, "ast-chunker")


@pytest.mark.parametrize("runner", ["kafka", "faust"])
def test_f17_thousands_of_events_in_batches_of_16_and_7_under_a_low_handle_limit_leave_it_flat(
    connection: Connection, start: Starter, runner: str
) -> None:
    if runner == "faust":
        pytest.importorskip("faust")
        wait_group_empty(connection, "ast-chunker")
    stage = start(runner, AST_CHUNKER_RUNNER=runner, TEST_HANDLES=96)
    stage.wait_answer("/readyz", 200)
    soak(connection, stage, range(500))
    before = Footprint.of(stage.pid)
    soak(connection, stage, range(500, 4_000))
    assert Footprint.of(stage.pid).grown_beyond(before, handles=4, threads=2, megabytes=24) == ""
    shown = re.search(r"^headwater_process_open_handles (\d+)", stage.get("/metrics")[1], re.MULTILINE)
    assert shown is not None
    assert abs(int(shown[1].split(".")[0]) - before.handles) <= 8
    assert stage.terminate() == 0
    wait_group_empty(connection, "ast-chunker")


def soak(connection: Connection, stage: StageProcess, generations: range) -> None:
    """A batch of 16, then one of 7, again and again, each handled before the next."""
    publisher, at, sizes = Publisher(connection), generations.start, itertools.cycle((16, 7))
    while at < generations.stop:
        size = min(next(sizes), generations.stop - at)
        publisher.publish(messages(range(at, at + size)))
        at += size
        stage.wait_handled(at)


def test_f3_poisoned_events_are_set_aside_listed_shown_and_replayed(connection: Connection, start: Starter) -> None:
    publish(connection, range(20))
    garbage = ToSend("file-changed", b"k", b"\xff not JSON", (("traceparent", b"00-ab"),))
    wrong_type = ToSend("file-changed", b"k", b'{"repo": 7}')
    Publisher(connection).publish([garbage, wrong_type])
    publish(connection, range(20, 40))
    stage = start()
    assert drained(connection)
    assert produced(connection) == once(range(40))
    letters = list(list_letters(connection, ["file-changed"]))
    assert [letter.letter.reason[:20] for letter in letters] == ["not JSON: JSON is ma", "not a valid event: E"]
    assert letters[0].letter.headers == {"traceparent": b"00-ab"}
    assert letters[0].letter.attempts == 1
    assert show_letter(connection, LetterId.parse(str(letters[0].id))) == letters[0]
    assert [letter.id for letter in replay_letters(connection, [letters[1].id])] == [letters[1].id]
    assert drained(connection)
    assert len(list(list_letters(connection, ["file-changed"]))) == 3
    assert (
        'headwater_stage_dead_letters_total{stage="ast-chunker",topic="file-changed"} 3.0' in stage.get("/metrics")[1]
    )


def test_a_bad_deploy_stops_at_the_dead_letter_limit(connection: Connection, start: Starter) -> None:
    Publisher(connection).publish([ToSend("file-changed", b"k", b"{}")] * 40)
    stage = start(AST_CHUNKER_DEAD_LETTERS=10, AST_CHUNKER_BATCH=4)
    assert stage.wait_end() == 1
    assert "more than 10 dead letters within 300 s" in stage.log.read_text("utf-8")
    assert len(list(list_letters(connection, ["file-changed"]))) <= 10


def test_a_broker_that_stops_and_starts_again_costs_nothing(
    kafka: Running, connection: Connection, start: Starter
) -> None:
    stage = start(TEST_DELAY_S=0.002)
    publish(connection, range(150))
    stage.wait_handled(40)
    kafka.stop()
    assert stage.wait_answer("/readyz", 503).strip()
    assert stage.get("/livez")[0] == 200
    time.sleep(3)
    kafka.restart()
    publish(connection, range(150, 300))
    supervised = supervise(stage, lambda: start("a", TEST_DELAY_S=0.002), connection)
    supervised.wait_answer("/readyz", 200)
    assert produced(connection) == once(range(300))


def supervise(stage: StageProcess, again: Callable[[], StageProcess], connection: Connection) -> StageProcess:
    """Start the stage again whenever it has ended, as a supervisor does, until its topic is drained."""
    progress = GroupProgress(connection, "ast-chunker", ("file-changed",))
    deadline = time.monotonic() + 120
    while not progress.wait_drained(1):
        assert time.monotonic() < deadline, stage.log.read_text("utf-8")[-3000:]
        if not stage.running:
            stage = again()
    progress.close()
    return stage


@pytest.mark.parametrize("hours", [-30, 30])
def test_what_a_clock_that_is_hours_off_has_stamped_is_taken(
    connection: Connection, start: Starter, hours: int
) -> None:
    producer = Producer(connection.producer())
    refused: list[object] = []
    for message in messages(range(20)):
        stamp = int((time.time() + hours * 3_600) * 1_000)
        taken = {"timestamp": stamp, "on_delivery": lambda error, _message: refused.append(error)}
        producer.produce(message.topic, message.value, message.key, **taken)
    assert producer.flush(30) == 0
    assert refused == [None] * 20
    start()
    assert drained(connection)
    assert produced(connection) == once(range(20))


def test_a_live_event_overtakes_a_bulk_load(connection: Connection, start: Starter) -> None:
    publish(connection, range(1_000, 1_400), Lane.BULK)
    stage = start(TEST_DELAY_S=0.005)
    stage.wait_handled(20)
    publish(connection, range(1))
    assert drained(connection, ("file-changed-bulk",), "ast-chunker-bulk")
    order = stage.handled()
    assert order.index(0) < 250
    assert set(order) == {0, *range(1_000, 1_400)}


def test_f5_a_drained_topic_has_no_lag_though_its_messages_came_in_transactions(
    connection: Connection, start: Starter
) -> None:
    from headwater.metrics import Metrics
    from headwater.streaming.kafka_runner import KafkaRunner
    from headwater.streaming.service_runner import stage_spec
    from support.runners import RunnerThread

    class Swallow:
        name = "embedder"

        def handle(self, batch: object) -> tuple[()]:
            return ()

    publish(connection, range(50))
    start()
    runner = RunnerThread(KafkaRunner(connection, stage_spec("embedder"), Swallow(), metrics=Metrics()).run)
    assert drained(connection)
    assert drained(connection, ("chunk-changed",), "embedder")
    runner.join()
