"""`headwater serve`: answer over gRPC, and follow the refs of indexed repositories if asked to."""

import argparse
import signal
import threading
from collections.abc import Callable

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.following import follow_moves
from headwater.cli.output import print_json
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.query.server import QueryServer, ServerSettings


def run(arguments: argparse.Namespace) -> int:
    """Prints {"address"} once it answers; SIGTERM and Ctrl-C stop it gracefully."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda _signal, _frame: stop.set())
    signal.signal(signal.SIGINT, lambda _signal, _frame: stop.set())
    with Product(Home.default()) as product:
        opened = engine(product)
        try:
            server = QueryServer(opened, ServerSettings(address=arguments.address))
        except OSError as error:
            raise CommandError(f"can't listen on {arguments.address}: {error}", ExitStatus.USAGE, "ADDRESS") from error
        with server:
            _announce(arguments, server.port)
            _work(stop, arguments, product)
        opened.close()
    return ExitStatus.OK


def _announce(arguments: argparse.Namespace, port: int) -> None:
    address = f"{arguments.address.rpartition(':')[0]}:{port}"
    if arguments.json:
        print_json({"address": address})
    else:
        print(f"answering on {address}", flush=True)


def _work(stop: threading.Event, arguments: argparse.Namespace, product: Product) -> None:
    """Until stopped."""
    look: Callable[[], None] = (
        (lambda: follow_moves(product, (), arguments.json)) if arguments.watch else (lambda: None)
    )
    while True:
        look()
        if stop.wait(arguments.interval):
            return
