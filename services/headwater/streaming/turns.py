"""One runner after another for one stage: each with the credentials of its start, until those are renewed."""

import logging
import threading
from collections.abc import Callable

from headwater.streaming.kafka_connection import Access, Connection
from headwater.streaming.runner import Runner

LOOK_S = 2.0

log = logging.getLogger("headwater")


class Turns:
    """A turn begins once the brokers take the client. What ends a runner by itself ends the process, too."""

    def __init__(
        self,
        make: Callable[[Connection], Runner],
        access: Access,
        refusal: Callable[[Access], str],
        look_s: float = LOOK_S,
    ) -> None:
        """`refusal` says why the brokers don't take a client, "" when they do."""
        self._make, self._access, self._refusal, self._look = make, access, refusal, look_s
        self._runner: Runner | None = None
        self._waiting, self._cause = "the brokers have not been reached yet", ""

    def run(self, stop: threading.Event) -> None:
        """Until `stop` is set and what is under way is durable. Raises what ends the process."""
        while not stop.is_set():
            fingerprint = self._access.fingerprint()
            cause = self._refusal(self._access)
            if cause:
                self._wait(cause, stop)
                continue
            self._runner = self._make(self._access.connection())
            self._turn(self._runner, fingerprint, stop)
            self._runner, self._waiting = None, "the credentials for the brokers are being renewed"

    def live(self) -> bool:
        runner = self._runner
        return runner is None or runner.live()

    def not_ready(self) -> str:
        runner = self._runner
        if runner is None:
            return self._waiting
        trouble = runner.not_ready()
        return trouble and (self._cause or trouble)

    def _wait(self, cause: str, stop: threading.Event) -> None:
        if cause != self._waiting:
            log.warning("waiting for the brokers: %s", cause)
        self._waiting = cause
        stop.wait(self._look)

    def _turn(self, runner: Runner, fingerprint: str, stop: threading.Event) -> None:
        over = threading.Event()
        watched = (runner, fingerprint, stop, over)
        threading.Thread(target=self._watch, args=watched, name="credentials", daemon=True).start()
        try:
            runner.run(over)
        finally:
            over.set()

    def _watch(self, runner: Runner, fingerprint: str, stop: threading.Event, over: threading.Event) -> None:
        """Ends the turn when it is to stop or the credentials are others; finds out what troubles the runner."""
        while not stop.wait(self._look) and not over.is_set():
            self._cause = self._refusal(self._access) if runner.not_ready() else ""
            if self._access.fingerprint() != fingerprint:
                log.info("the credentials for the brokers were renewed: going on with the new ones")
                break
        over.set()
