"""What only the Faust runner can get wrong: its lag, and an agent that is no more."""

import time
from collections.abc import Iterable
from pathlib import Path

import pytest

pytest.importorskip("faust")

from confluent_kafka import Producer
from prometheus_client import CollectorRegistry

from headwater.events import FileChanged
from headwater.metrics import Metrics
from headwater.stack import Running
from headwater.streaming.codec import encode_event
from headwater.streaming.faust import AgentEndedError, FaustRunner
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.runner_settings import RunnerSettings
from headwater.streaming.stage import Outgoing
from headwater.topology import StageSpec
from support.kafka_topics import renew_topics
from support.runners import CHUNKER, RunnerThread


class Slow:
    """Takes its time and produces nothing."""

    name = "ast-chunker"

    def handle(self, batch: object) -> Iterable[Outgoing]:
        time.sleep(0.3)
        return ()


@pytest.fixture
def connection(kafka: Running) -> Connection:
    made = Connection(kafka.address("broker"))
    renew_topics(made, ("file-changed",))
    return made


def runner_of(connection: Connection, group: str, data: Path, metrics: Metrics) -> FaustRunner:
    spec = StageSpec(group, CHUNKER.consumes, CHUNKER.produces)
    return FaustRunner(connection, spec, Slow(), data, RunnerSettings(batch=16), metrics)


def publish_in_a_transaction(connection: Connection, number: int) -> None:
    producer = Producer(connection.producer("a-differ"))
    producer.init_transactions(30)
    producer.begin_transaction()
    for n in range(number):
        event = FileChanged(
            repo="r", ref="x", generation=n, path=f"{n % 7}.py", mode=0o100644, blob="0" * 40, pushed_at=1.0
        )
        producer.produce("file-changed", encode_event(event), f"{n % 7}".encode())
    producer.commit_transaction(30)


def lag(registry: CollectorRegistry) -> list[float]:
    return [
        sample.value
        for family in registry.collect()
        for sample in family.samples
        if sample.name == "headwater_stage_lag_events" and sample.labels["topic"] == "file-changed"
    ]


def test_f5_a_drained_topic_has_no_lag_though_its_messages_came_in_transactions(
    connection: Connection, tmp_path: Path
) -> None:
    metrics = Metrics()
    publish_in_a_transaction(connection, 300)
    thread = RunnerThread(runner_of(connection, "ast-chunker-lag", tmp_path, metrics).run)
    shown: list[float] = []

    def drained(wait_s: float) -> bool:
        time.sleep(wait_s / 4)
        shown.append(sum(lag(metrics.registry)))
        return len(lag(metrics.registry)) == 2 and max(shown) > 0 and shown[-1] == 0

    thread.until(drained, 60)


def test_f3_liveness_fails_when_an_agent_ends(connection: Connection, tmp_path: Path) -> None:
    runner = runner_of(connection, "ast-chunker-agent", tmp_path, Metrics())
    thread = RunnerThread(runner.run)
    deadline = time.monotonic() + 60
    while runner.not_ready():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert runner.live()
    for agent in runner._app.agents.values():
        runner._app.loop.call_soon_threadsafe(agent.cancel)
    while not thread.ended:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert not runner.live()
    with pytest.raises(AgentEndedError):
        thread.join()
