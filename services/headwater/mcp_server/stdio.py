"""MCP over standard input and output: every request gets one answer, and the process ends when its client goes."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from typing import IO

import anyio
import anyio.to_thread

from headwater.limits import count_reached, limits
from headwater.mcp_server.messages import INVALID_REQUEST, Id, RefusedError, answered_id, cancelled_id, request_id

DRAIN_S = 0.5  # that what was asked for may still be answered in, once no more questions come
_AHEAD = 64  # lines read before they are worked on


class Wire:
    """Both directions, in the form of the files that the SDK reads and writes. Made where the event loop runs."""

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._source, self._sink = source, sink
        self._loop, self._lines = asyncio.get_running_loop(), asyncio.Queue[bytes | RefusedError | None]()
        self._room, self._writing = threading.Semaphore(_AHEAD), anyio.Lock()
        self._open: set[Id | None] = set()
        self._idle = anyio.Event()
        # A thread of its own that the process needn't wait for: nothing else ends a read.
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Messages to work on, until the client closes; the others are answered here."""
        while (line := await self._lines.get()) is not None:
            self._room.release()
            try:
                if isinstance(line, RefusedError):
                    raise line
                yield self._accepted(line)
            except RefusedError as refused:
                await self._put(refused.answer())
        with anyio.move_on_after(DRAIN_S):
            while self._open:
                self._idle = anyio.Event()
                await self._idle.wait()

    async def write(self, text: str) -> None:
        """One message of the server."""
        id = answered_id(text)
        await self._put(text)
        if id is not None:
            self._open.discard(id)
            self._idle.set()

    async def flush(self) -> None:
        """Every line is."""

    def _accepted(self, line: bytes) -> str:
        """Raises RefusedError."""
        id = request_id(line)
        if id is not None:
            if id in self._open:
                raise RefusedError(INVALID_REQUEST, "a request of this id is being worked on: take another", id)
            self._open.add(id)
        self._open.discard(cancelled_id(line))  # nobody answers a request that its client took back
        return line.decode()

    async def _put(self, line: str) -> None:
        async with self._writing:
            await anyio.to_thread.run_sync(self._write, line.rstrip("\n"))

    def _write(self, line: str) -> None:
        try:
            self._sink.write(line.encode() + b"\n")
            self._sink.flush()
        except OSError:  # the client is gone, and with it the end of the input
            self._open.clear()

    def _read(self) -> None:
        most = limits().mcp_message_bytes
        while line := self._source.readline(most + 1):
            said: bytes | RefusedError = line
            if len(line) > most:
                count_reached("mcp_message_bytes")
                said = RefusedError(INVALID_REQUEST, f"a message has at most {most} bytes: send less at once")
                while line and not line.endswith(b"\n"):
                    line = self._source.readline(most)
            elif not line.strip():
                continue
            self._room.acquire()
            if not self._send(said):
                return
        self._send(None)

    def _send(self, said: bytes | RefusedError | None) -> bool:
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, said)
        except RuntimeError:  # the loop is closed: the process ends
            return False
        return True


def standard_wire() -> Wire:
    return Wire(sys.stdin.buffer, sys.stdout.buffer)
