"""A process that is asked to end does so, even when something in it doesn't."""

import os
import signal
import threading

from headwater.deployment.stopping import Stopping


def test_s4_what_does_not_end_is_left_behind() -> None:
    left = threading.Event()
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    try:
        with Stopping(0.0, lambda status: (left.set(), status)) as stopping:
            assert not stopping.wait(0.0)
            os.kill(os.getpid(), signal.SIGTERM)
            assert stopping.wait(10)
            assert left.wait(10)
    finally:
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGINT, before[1])
