"""A parse worker: a process that analyses one file after another, so that its parent can kill a parser that hangs."""

import gc
import signal
import sys
from multiprocessing.connection import Connection

import msgspec

from headwater.ast_chunker.analyser import FileResult, FileTask
from headwater.ast_chunker.decode import Limits
from headwater.ast_chunker.languages.registry import all_languages
from headwater.ast_chunker.process import analyse_file
from headwater.domain.version import PipelineVersion

READY = b"ready"


class WorkerSetup(msgspec.Struct, frozen=True, array_like=True):
    """What a worker is told at its start."""

    version: PipelineVersion
    parsed_limit: int
    text_limit: int


def serve(connection: Connection) -> None:
    """Answer tasks until the parent closes the connection. An error ends the process: the parent falls back."""
    setup = msgspec.msgpack.decode(connection.recv_bytes(), type=WorkerSetup)
    limits = Limits(setup.parsed_limit, setup.text_limit)
    tasks = msgspec.msgpack.Decoder(FileTask)
    results = msgspec.msgpack.Encoder()
    all_languages()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)  # documents hold no cycles: collecting often only costs time
    connection.send_bytes(READY)
    while True:
        try:
            task = tasks.decode(connection.recv_bytes())
        except (EOFError, ConnectionError):
            return
        result = analyse_file(task.path, task.mode, task.blob, task.content, setup.version, limits)
        try:
            connection.send_bytes(results.encode(FileResult(*result)))
        except ConnectionError:  # the parent has stopped
            return


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    serve(Connection(int(sys.argv[1])))
