"""A parse worker: a process that analyses one file after another, so that its parent can kill a parser that hangs."""

import contextlib
import gc
import math
import resource
import sys
import time

import msgspec

from headwater.ast_chunker.analyser import FileTask, file_result
from headwater.ast_chunker.languages.registry import all_languages
from headwater.ast_chunker.process import analyse_file
from headwater.domain.treatment import ContentRules
from headwater.domain.version import PipelineVersion
from headwater.runtime.channel import Channel

READY = b"ready"


class WorkerSetup(msgspec.Struct, frozen=True, array_like=True):
    """What a worker is told at its start."""

    version: PipelineVersion
    rules: ContentRules
    seconds: int = 0  # of processor time a file may take; 0: any


def _allow_more(seconds: int) -> None:
    """So much processor time from now on, then the system ends this process with SIGXCPU, whatever it is doing."""
    if seconds:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + seconds, hard))


def serve(connection: Channel) -> None:
    """Answer tasks for ever. Raises EOFError, ConnectionError when the parent is gone; on any error it falls back."""
    setup = msgspec.msgpack.decode(connection.recv_bytes(), type=WorkerSetup)
    tasks = msgspec.msgpack.Decoder(FileTask)
    results = msgspec.msgpack.Encoder()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    all_languages()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)  # documents hold no cycles: collecting often only costs time
    connection.send_bytes(READY)
    while True:
        task = tasks.decode(connection.recv_bytes())
        _allow_more(setup.seconds)
        rules = task.rules or setup.rules
        found = analyse_file(task.path, task.mode, task.blob, task.content, setup.version, rules)
        connection.send_bytes(results.encode(file_result(*found, rules)))


if __name__ == "__main__":
    with contextlib.suppress(EOFError, ConnectionError):  # the parent has stopped
        serve(Channel.inherited(int(sys.argv[1])))
