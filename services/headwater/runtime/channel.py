"""Whole messages between this process and a child of its own, over a socket that ends with either."""

import select
import socket
import struct
import subprocess
from collections.abc import Collection, Sequence

from headwater.runtime.child_process import Child

_LENGTH = struct.Struct("!i")


class Channel:
    """One end. Not thread-safe."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    @staticmethod
    def inherited(descriptor: int) -> "Channel":
        """A child's end, by the number that its parent told it."""
        return Channel(socket.socket(fileno=descriptor))

    def fileno(self) -> int:
        return self._end.fileno()

    def send_bytes(self, message: bytes) -> None:
        """Raises ConnectionError when the other end is gone."""
        self._end.sendall(_LENGTH.pack(len(message)) + message)

    def recv_bytes(self) -> bytes:
        """The next message. Raises EOFError, ConnectionError when the other end is gone."""
        (size,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        return self._exactly(size)

    def poll(self, seconds: float) -> bool:
        """Whether a message has begun to arrive, or the other end is gone, within so long."""
        return bool(readable([self], seconds))

    def close(self) -> None:
        self._end.close()

    def _exactly(self, size: int) -> bytes:
        got = bytearray()
        while len(got) < size:
            part = self._end.recv(min(size - len(got), 1 << 20))
            if not part:
                raise EOFError
            got += part
        return bytes(got)


def readable(channels: Collection[Channel], seconds: float) -> list[Channel]:
    """Those that have a message or whose other end is gone; [] after so long."""
    waiting = select.poll()
    by_number = {channel.fileno(): channel for channel in channels}
    for number in by_number:
        waiting.register(number, select.POLLIN)
    return [by_number[number] for number, _ in waiting.poll(seconds * 1000)]


def start_worker(command: Sequence[str]) -> tuple[Child, Channel]:
    """A child that gets the number of its end of a channel as its last argument. Raises OSError."""
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        child = Child([*command, str(number)], pass_fds=[number], stdout=subprocess.DEVNULL)
    return child, Channel(ours)
