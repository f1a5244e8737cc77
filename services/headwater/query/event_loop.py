"""The event loop of this process's gRPC servers, on a thread of its own: nothing on it may take long."""

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

Given = TypeVar("Given")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Runs until the process ends: gRPC's completion queue belongs to the process, too."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="grpc", daemon=True).start()
    return loop


def on_loop(work: Coroutine[Any, Any, Given]) -> Given:
    """What it gives, from any other thread."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()
