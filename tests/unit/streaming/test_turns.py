"""Runners one after another: each with the credentials of its start, and the cause in words while there is none."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from headwater.streaming.broker_access import BrokerAccess
from headwater.streaming.kafka_connection import Access, Connection
from headwater.streaming.turns import Turns


class Scripted:
    """A runner that runs until it is stopped, or ends with an error."""

    def __init__(self, connection: Connection, error: Exception | None = None, trouble: str = "") -> None:
        self.connection, self._error, self._trouble = connection, error, trouble

    def run(self, stop: threading.Event) -> None:
        if self._error is not None:
            raise self._error
        stop.wait(20)

    def live(self) -> bool:
        return True

    def not_ready(self) -> str:
        return self._trouble


class Broker:
    """Takes clients with the right password."""

    def __init__(self, password: str) -> None:
        self.password = password

    def refusal(self, access: Access) -> str:
        given = access.connection().properties.get("sasl.password")
        return "" if given == self.password else f"{given} is not the password"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "kafka.properties"
    made.write_text("sasl.password=one\n", "utf-8")
    return made


def until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)


def test_renewed_credentials_end_the_turn_and_the_next_one_has_them(file: Path) -> None:
    runners: list[Scripted] = []

    def make(connection: Connection) -> Scripted:
        runners.append(Scripted(connection))
        return runners[-1]

    broker, stop = Broker("one"), threading.Event()
    turns = Turns(make, BrokerAccess("k:1", str(file)), broker.refusal, look_s=0.01)
    thread = threading.Thread(target=turns.run, args=(stop,))
    thread.start()
    until(lambda: turns.not_ready() == "")
    file.write_text("sasl.password=two\n", "utf-8")
    until(lambda: turns.not_ready() == "two is not the password")
    assert turns.live()
    broker.password = "two"
    until(lambda: len(runners) == 2)
    stop.set()
    thread.join(20)
    assert [r.connection.properties["sasl.password"] for r in runners] == ["one", "two"]


def test_a_runner_that_fails_ends_the_turns(file: Path) -> None:
    broken = ZeroDivisionError("a defect")
    turns = Turns(lambda c: Scripted(c, broken), BrokerAccess("k:1", str(file)), Broker("one").refusal, look_s=0.01)
    with pytest.raises(ZeroDivisionError):
        turns.run(threading.Event())


def test_the_cause_of_a_runners_trouble_is_looked_for(file: Path) -> None:
    broker, stop = Broker("one"), threading.Event()
    turns = Turns(
        lambda c: Scripted(c, trouble="brokers are down"), BrokerAccess("k:1", str(file)), broker.refusal, look_s=0.01
    )
    thread = threading.Thread(target=turns.run, args=(stop,))
    thread.start()
    until(lambda: turns.not_ready() == "brokers are down")
    broker.password = "two"
    until(lambda: turns.not_ready() == "one is not the password")
    stop.set()
    thread.join(20)


def test_a_certificate_that_is_replaced_is_another_access(file: Path, tmp_path: Path) -> None:
    certificate = tmp_path / "client.pem"
    certificate.write_text("old", "utf-8")
    file.write_text(f"ssl.certificate.location={certificate}\n", "utf-8")
    access = BrokerAccess("k:1", str(file))
    before = access.fingerprint()
    assert access.fingerprint() == before
    certificate.write_text("new", "utf-8")
    assert access.fingerprint() != before
    file.unlink()
    assert access.fingerprint() != before
