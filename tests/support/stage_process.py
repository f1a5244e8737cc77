"""A stage in a process of its own, run as a service runs it: `python stage_process.py JOURNAL` with its settings set.

It writes the generation of every event that it handles to the journal. HEADWATER_TEST_DELAY_S slows each event,
HEADWATER_TEST_SLOW names one generation that takes HEADWATER_TEST_SLOW_S, HEADWATER_TEST_POLL_MS is the longest time
between two polls, HEADWATER_TEST_HANDLES the most open files.
"""

import http.client
import logging
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from headwater.events import ChunkChanged, FileChanged
from headwater.settings import load_settings
from headwater.streaming import kafka_connection
from headwater.streaming.errors import InvalidEventError
from headwater.streaming.service_runner import StageSettings, run_stage
from headwater.streaming.stage import Outgoing


class JournalStage:
    """Stands in for the ast-chunker."""

    name = "ast-chunker"

    def __init__(self, journal: Path) -> None:
        self._journal = journal.open("a", encoding="utf-8")
        self._delay = float(os.environ.get("HEADWATER_TEST_DELAY_S", "0"))
        self._slow = int(os.environ.get("HEADWATER_TEST_SLOW", "-1"))
        self._slow_s = float(os.environ.get("HEADWATER_TEST_SLOW_S", "0"))

    def handle(self, batch: Sequence[FileChanged]) -> Iterable[Outgoing]:
        for event in batch:
            if event.path == "poison":
                raise InvalidEventError("a poisoned event")
            time.sleep(self._slow_s if event.generation == self._slow else self._delay)
            self._journal.write(f"{event.generation}\n")
            self._journal.flush()
            chunk = ChunkChanged(
                repo=event.repo,
                ref=event.ref,
                generation=event.generation,
                content_hash=f"{event.generation:032x}",
                path=event.path,
                text="x",
                pushed_at=event.pushed_at,
                lane=event.lane,
            )
            yield Outgoing("chunk-changed", chunk.content_hash, chunk)


class StageProcess:
    """A handle on one such process."""

    def __init__(self, folder: Path, brokers: str, instance: str, health_port: int, **settings: object) -> None:
        self.journal, self.log = folder / f"{instance}.journal", folder / f"{instance}.log"
        self.health_port = health_port
        own = {"BROKERS": brokers, "INSTANCE": instance, "HEALTH_PORT": health_port, "DATA": folder / "faust"}
        environ = {f"HEADWATER_AST_CHUNKER_{k}": str(v) for k, v in own.items()}
        environ |= {f"HEADWATER_{name}": str(value) for name, value in settings.items()}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(self.journal)], env={**os.environ, **environ}, stdout=log, stderr=log
            )

    def handled(self) -> list[int]:
        return [int(line) for line in self.journal.read_text("utf-8").split()] if self.journal.exists() else []

    def wait_handled(self, count: int, wait_s: float = 60) -> None:
        deadline = time.monotonic() + wait_s
        while len(self.handled()) < count:
            assert time.monotonic() < deadline, self.log.read_text("utf-8")[-2000:]
            assert self._process.poll() is None, self.log.read_text("utf-8")[-2000:]
            time.sleep(0.02)

    def get(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.health_port, timeout=5)
        try:
            connection.request("GET", path)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        except OSError as error:
            return 0, str(error)
        finally:
            connection.close()

    def wait_answer(self, path: str, status: int, wait_s: float = 60) -> str:
        deadline = time.monotonic() + wait_s
        while (answer := self.get(path))[0] != status:
            assert time.monotonic() < deadline, f"{answer}; {self.log.read_text('utf-8')[-2000:]}"
            time.sleep(0.1)
        return answer[1]

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_end(self, wait_s: float = 60) -> int:
        return self._process.wait(wait_s)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def terminate(self) -> int:
        self._process.terminate()
        return self.wait_end()

    @property
    def running(self) -> bool:
        return self._process.poll() is None


def main() -> int:
    logging.basicConfig(level=logging.INFO)
    if handles := int(os.environ.get("HEADWATER_TEST_HANDLES", "0")):
        resource.setrlimit(resource.RLIMIT_NOFILE, (handles, handles))
    kafka_connection.SLOWEST_WORK_MS = int(os.environ.get("HEADWATER_TEST_POLL_MS", kafka_connection.SLOWEST_WORK_MS))
    return run_stage(JournalStage(Path(sys.argv[1])), load_settings(StageSettings, "ast-chunker", os.environ))


if __name__ == "__main__":
    sys.exit(main())
