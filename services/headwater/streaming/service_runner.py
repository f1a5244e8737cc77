"""What `headwater service NAME` does with a pipeline stage: settings, signals, the health port, and the runner."""

import faulthandler
import logging
import os
import signal
import socket
import threading
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from headwater.events import Lane
from headwater.metrics import METRICS, Metrics
from headwater.streaming.back_off import DeadLetterLimitError
from headwater.streaming.broker_access import BrokerAccess
from headwater.streaming.health import HealthServer
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.runner import Runner, StuckError
from headwater.streaming.runner_settings import RunnerSettings
from headwater.streaming.settlement import Policy
from headwater.streaming.stage import Stage
from headwater.streaming.turns import Turns
from headwater.topology import STAGES, StageSpec

Meta = msgspec.Meta
log = logging.getLogger("headwater")


class StageSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What every stage takes from HEADWATER_<SERVICE>_…; a service with more of its own inherits from this."""

    brokers: Annotated[str, Meta(description="Kafka's bootstrap addresses, host:port with commas", min_length=1)]
    kafka_properties: Annotated[str, Meta(description="file of further librdkafka properties, name=value")] = ""
    instance: Annotated[str, Meta(description="stable name of this process within its service (a pod's)")] = ""
    runner: Annotated[Literal["kafka", "faust"], Meta(description="faust only for the ast-chunker")] = "kafka"
    lanes: Annotated[Literal["both", "live", "bulk"], Meta(description="which lanes this process serves")] = "both"
    batch: Annotated[int, Meta(description="events of the live lane in one batch", ge=1)] = 64
    bulk_batch: Annotated[int, Meta(description="events of the bulk lane in one batch", ge=1)] = 32
    transactions: Annotated[bool, Meta(description="outputs and offsets in one transaction")] = True
    attempts: Annotated[int, Meta(description="failures of one event before it becomes a dead letter", ge=1)] = 40
    dead_letters: Annotated[int, Meta(description="dead letters in a window before the stage stops", ge=0)] = 100
    dead_letter_window_s: Annotated[float, Meta(description="that window in seconds", gt=0)] = 300.0
    health_host: Annotated[str, Meta(description="address of /metrics, /livez and /readyz")] = "127.0.0.1"
    health_port: Annotated[int, Meta(description="their port; 0 takes a free one", ge=0, le=65_535)] = 0
    data: Annotated[str, Meta(description="folder for what Faust keeps")] = "/tmp/headwater"

    def access(self, edition: int = 1) -> BrokerAccess:
        """To the topics of one edition of the index."""
        return BrokerAccess(self.brokers, self.kafka_properties, edition)

    def runner_settings(self) -> RunnerSettings:
        return RunnerSettings(
            instance=self.instance or socket.gethostname(),
            lanes=tuple(Lane) if self.lanes == "both" else (Lane(self.lanes),),
            batch=self.batch,
            bulk_batch=self.bulk_batch,
            transactions=self.transactions,
            policy=Policy(attempts=self.attempts),
            dead_letters=self.dead_letters,
            dead_letter_window_s=self.dead_letter_window_s,
        )


def stage_spec(name: str) -> StageSpec:
    """Raises KeyError."""
    return {spec.name: spec for spec in STAGES}[name]


def make_runner(
    stage: Stage[Any], settings: StageSettings, connection: Connection, metrics: Metrics = METRICS
) -> Runner:
    """The runner that the settings name. Each library is imported only where it is used."""
    spec = stage_spec(stage.name)
    if settings.runner == "faust":
        from headwater.streaming.faust import FaustRunner

        data = Path(settings.data) / connection.wire(f"{stage.name}-{settings.lanes}")
        return FaustRunner(connection, spec, stage, data, settings.runner_settings(), metrics)
    from headwater.streaming.kafka_runner import KafkaRunner

    return KafkaRunner(connection, spec, stage, settings.runner_settings(), metrics)


def run_stage(stage: Stage[Any], settings: StageSettings, edition: int = 1, metrics: Metrics = METRICS) -> int:
    """Run until SIGTERM or SIGINT; gives the exit status. What crashes the stage passes, for the supervisor to see.

    `edition` is the index whose topics the stage reads and writes. While the brokers refuse it, the stage is alive and
    says why it isn't ready. Raises SettingsError.
    """
    from headwater.streaming.refusal import refusal

    stop = threading.Event()
    faulthandler.register(signal.SIGUSR1)  # where every thread is, for a stage that seems to hang
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_signal: stop.set())
    access = settings.access(edition)
    access.connection()
    turns = Turns(lambda connection: make_runner(stage, settings, connection, metrics), access, refusal)
    health = HealthServer(turns.live, turns.not_ready, (settings.health_host, settings.health_port), metrics)
    health.start()
    log.info("%s: health on %s:%d", stage.name, settings.health_host, health.port)
    try:
        turns.run(stop)
    except DeadLetterLimitError as error:
        log.error("%s stopped: %s", stage.name, error)
        return 1
    except StuckError as error:
        log.error("%s ended: %s", stage.name, error)
        os._exit(1)  # the thread that hangs can't be joined
    finally:
        health.stop()
    return 0
