"""Builds flow graphs in a process of its own, for the one that answers questions: see `ahead.py`."""

import contextlib
import os
import sys

import msgspec

from headwater.runtime.channel import Channel
from headwater.structural.flowgraph.cache import made

_NICENESS = 10


def serve(channel: Channel) -> None:
    """Answers lists of (language, content) with lists of packed graphs, for ever. Raises EOFError, ConnectionError."""
    asked = msgspec.msgpack.Decoder(list[tuple[str, bytes]])
    while True:
        files = asked.decode(channel.recv_bytes())
        channel.send_bytes(msgspec.msgpack.encode([made(name, content) for name, content in files]))


if __name__ == "__main__":
    os.nice(_NICENESS)
    with contextlib.suppress(EOFError, ConnectionError):  # the parent has what it wanted
        serve(Channel.inherited(int(sys.argv[1])))
