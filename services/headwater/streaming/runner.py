"""The runner port: what a process that runs one stage of its own asks of whatever reads and writes the messages."""

import threading
from typing import Protocol


class Runner(Protocol):
    """Implementations: KafkaRunner and FaustRunner (InProcessRunner runs all stages in one process, by submission)."""

    def run(self, stop: threading.Event) -> None:
        """Until `stop` is set and what is under way is durable. Raises what ends the process."""
        ...

    def live(self) -> bool:
        """Whether to keep the process; never a matter of lag."""
        ...

    def not_ready(self) -> str:
        """Why it can't take events now, "" when it can."""
        ...


class StuckError(Exception):
    """The client library doesn't come back; only another process can go on."""
