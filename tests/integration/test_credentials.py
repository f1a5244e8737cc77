"""Credentials that are renewed, refused or expired while stages run, and offsets that a broker would forget."""

import itertools
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("confluent_kafka")

from headwater.events import ChunkChanged, FileChanged, Lane
from headwater.stack import MissingComponentError
from headwater.stack.process import free_ports
from headwater.streaming.broker_access import BrokerAccess
from headwater.streaming.codec import decode_event, encode_event
from headwater.streaming.kafka import DeliveryError, Publisher, read_to_end
from headwater.streaming.message import ToSend
from support.kafka_topics import GroupProgress, renew_topics, wait_group_empty
from support.secured_kafka import RETENTION_S, SecuredKafka
from support.stage_process import StageProcess

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

Starter = Callable[..., StageProcess]
RUNNERS = ["kafka", "faust"]
_THOUSANDS = itertools.count(1)


class Idle:
    """A stage of the bulk lane that has handled some events and waits for more while the other tests run."""

    def __init__(self, broker: SecuredKafka, folder: Path) -> None:
        self.broker, self.folder = broker, folder
        publish(broker, range(20), Lane.BULK)
        self.stage = self.started()
        self.stage.wait_handled(20)
        self.since = time.monotonic()

    def started(self) -> StageProcess:
        port = free_ports(("health",))["health"]
        return StageProcess(self.folder, self.broker.plain.brokers, "idle", port, AST_CHUNKER_LANES="bulk")


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecuredKafka]:
    try:
        made = SecuredKafka(tmp_path_factory.mktemp("secured") / "broker")
    except MissingComponentError as missing:
        if os.environ.get("HEADWATER_STACK_REQUIRED"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    renew_topics(made.plain, ("file-changed", "chunk-changed"))
    yield made
    made.running.stop()


@pytest.fixture(scope="module", autouse=True)
def idle(broker: SecuredKafka, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Idle]:
    made = Idle(broker, tmp_path_factory.mktemp("idle"))
    yield made
    if made.stage.running:
        made.stage.kill()


@pytest.fixture
def properties(tmp_path: Path) -> Path:
    return tmp_path / "kafka.properties"


@pytest.fixture
def start(broker: SecuredKafka, properties: Path, tmp_path: Path) -> Iterator[Starter]:
    started: list[StageProcess] = []

    def process(runner: str) -> StageProcess:
        own = {"RUNNER": runner, "LANES": "live", "KAFKA_PROPERTIES": properties}
        settings = {f"AST_CHUNKER_{name}": value for name, value in own.items()} | {"TEST_DELAY_S": 0.005}
        port = free_ports(("health",))["health"]
        started.append(StageProcess(tmp_path, broker.secure, runner, port, **settings))
        return started[-1]

    wait_group_empty(broker.plain, "ast-chunker")
    yield process
    for one in started:
        if one.running:
            one.kill()


def fresh(size: int) -> range:
    """Generations that no other test, or run of this one, has."""
    start = next(_THOUSANDS) * 1_000
    return range(start, start + size)


def publish(broker: SecuredKafka, generations: range, lane: Lane = Lane.LIVE) -> None:
    Publisher(broker.plain).publish([changed(n, lane) for n in generations])


def publish_each(publisher: Publisher, generations: range) -> None:
    for n in generations:
        publisher.publish([changed(n)])
        time.sleep(0.2)


def changed(n: int, lane: Lane = Lane.LIVE) -> ToSend:
    event = FileChanged(
        repo="r", ref="x", generation=n, path=f"{n % 7}.py", mode=0o100644, blob="0" * 40, pushed_at=1.0, lane=lane
    )
    return ToSend("file-changed-bulk" if lane is Lane.BULK else "file-changed", b"k%d" % (n % 7), encode_event(event))


def produced(broker: SecuredKafka, generations: range) -> Counter[int]:
    topics = ["chunk-changed", "chunk-changed-bulk"]
    events = [decode_event(m.partition.topic, m.value) for m in read_to_end(broker.plain, topics)]
    return Counter(e.generation for e in events if isinstance(e, ChunkChanged) and e.generation in generations)


class Supervised:
    """Starts the stage again when it has ended, as a supervisor does."""

    def __init__(self, start: Callable[[], StageProcess]) -> None:
        self._start, self.stage = start, start()

    def wait(self, path: str, status: int, said: str = "", wait_s: float = 90) -> None:
        deadline = time.monotonic() + wait_s
        while not ((answer := self.stage.get(path))[0] == status and said in answer[1]):
            assert time.monotonic() < deadline, f"{answer}; {self.stage.log.read_text('utf-8')[-3000:]}"
            if not self.stage.running:
                self.stage = self._start()
            time.sleep(0.2)

    def wait_drained(self, broker: SecuredKafka, wait_s: float = 90) -> None:
        progress = GroupProgress(broker.plain, "ast-chunker", ("file-changed",))
        deadline = time.monotonic() + wait_s
        while not progress.wait_drained(1):
            assert time.monotonic() < deadline, self.stage.log.read_text("utf-8")[-3000:]
            if not self.stage.running:
                self.stage = self._start()
        progress.close()


@pytest.mark.parametrize("runner", RUNNERS)
def test_f13_a_password_changed_live_is_named_while_it_is_refused_and_nothing_is_lost(
    broker: SecuredKafka, start: Starter, properties: Path, runner: str
) -> None:
    mine = fresh(200)
    broker.set_password("headwater", "one")
    broker.write_properties(properties, "headwater", "one")
    supervised = Supervised(lambda: start(runner))
    publish(broker, mine[:100])
    supervised.stage.wait_handled(40)
    broker.set_password("headwater", "two")
    supervised.wait("/readyz", 503, "uthentication")
    assert supervised.stage.get("/livez")[0] == 200
    publish(broker, mine[100:])
    broker.write_properties(properties, "headwater", "two")
    supervised.wait_drained(broker)
    supervised.wait("/readyz", 200)
    assert produced(broker, mine).keys() == set(mine)
    if runner == "kafka":
        assert produced(broker, mine) == Counter(mine)
    supervised.stage.terminate()


@pytest.mark.parametrize("runner", RUNNERS)
def test_f13_credentials_renewed_in_time_are_taken_over_by_the_same_process(
    broker: SecuredKafka, start: Starter, properties: Path, runner: str
) -> None:
    mine = fresh(300)
    broker.set_password("former", "one")
    broker.set_password("later", "two")
    broker.write_properties(properties, "former", "one")
    stage = start(runner)
    publish(broker, mine[:150])
    stage.wait_handled(40)
    broker.write_properties(properties, "later", "two")
    publish(broker, mine[150:])
    deadline = time.monotonic() + 60
    while "going on with the new ones" not in stage.log.read_text("utf-8"):
        assert time.monotonic() < deadline, stage.log.read_text("utf-8")[-3000:]
        time.sleep(0.1)
    broker.set_password("former", "gone")
    stage.wait_handled(len(mine))
    stage.wait_answer("/readyz", 200)
    assert produced(broker, mine) == Counter(mine)
    assert stage.terminate() == 0


def test_f13_a_publisher_says_that_it_is_refused_and_goes_on_with_the_new_password(
    broker: SecuredKafka, properties: Path
) -> None:
    broker.set_password("ingest", "one")
    broker.write_properties(properties, "ingest", "one")
    publisher = Publisher(BrokerAccess(broker.secure, str(properties), own={"message.timeout.ms": "3000"}))
    mine = fresh(100)
    publisher.publish([changed(mine[0])])
    broker.set_password("ingest", "two")
    with pytest.raises(DeliveryError):
        publish_each(publisher, mine[1:99])  # until the connection is believed no more
    broker.write_properties(properties, "ingest", "two")
    publisher.publish([changed(mine[99])])


def test_f5_a_stage_that_idled_past_the_retention_of_offsets_rereads_and_skips_nothing(
    broker: SecuredKafka, idle: Idle
) -> None:
    time.sleep(max(0.0, RETENTION_S + 10 - (time.monotonic() - idle.since)))
    assert idle.stage.terminate() == 0
    idle.stage = idle.started()
    idle.stage.wait_answer("/readyz", 200)
    publish(broker, range(20, 25), Lane.BULK)
    idle.stage.wait_handled(25)
    progress = GroupProgress(broker.plain, "ast-chunker-bulk", ("file-changed-bulk",))
    assert progress.wait_drained(30)
    progress.close()
    assert idle.stage.handled() == list(dict.fromkeys(idle.stage.handled()))
    assert produced(broker, range(25)) == Counter(range(25))


def test_f13_an_expired_certificate_of_the_broker_is_named_until_it_is_renewed(
    broker: SecuredKafka, start: Starter, properties: Path
) -> None:
    mine = fresh(100)
    broker.set_password("headwater", "one")
    broker.write_properties(properties, "headwater", "one")
    supervised = Supervised(lambda: start("kafka"))
    supervised.wait("/readyz", 200)
    broker.restart_with_certificate(-0.5)
    supervised.wait("/readyz", 503, "certificate has expired")
    publish(broker, mine)
    broker.restart_with_certificate(1)
    supervised.wait_drained(broker)
    supervised.wait("/readyz", 200)
    assert produced(broker, mine) == Counter(mine)
    supervised.stage.terminate()
