"""`headwater serve`: answer over gRPC, and follow the refs of indexed repositories if asked to."""

import argparse
import os
from collections.abc import Callable
from contextlib import ExitStack, closing

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.following import follow_moves
from headwater.cli.output import print_json, say
from headwater.cli.worktrees import Worktrees, keep_looking
from headwater.deployment.stopping import SPARE_S, Stopping
from headwater.deployment.web_page import web_page
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.query.administration import Operations
from headwater.query.caller import allow_all
from headwater.query.identity.compose import AccessControl, access_control
from headwater.query.identity.settings import AccessSettings
from headwater.query.server import QueryServer, ServerSettings
from headwater.settings import SettingsError, load_settings
from headwater.tracing.start import tracing


def run(arguments: argparse.Namespace) -> int:
    """Prints {"address", "web"} once it answers; SIGTERM and Ctrl-C stop it gracefully, within 15 seconds."""
    with (
        Stopping(ServerSettings().longest_stop_s + SPARE_S) as stop,
        Product(Home.default()) as product,
        closing(engine(product)) as opened,
        ExitStack() as servers,
    ):
        servers.enter_context(tracing("serve", os.environ))
        access = _access(arguments.address, product)
        settings = ServerSettings(address=arguments.address, credentials=access.credentials)
        try:
            own = Operations(catalog=lambda: product.catalog, collect=lambda: product.collect(thorough=True))
            server = QueryServer(opened, settings, access.authorise or allow_all, audit=access.audit, operations=own)
            page = web_page(opened, arguments.web, access) if arguments.web is not None else None
        except OSError as error:
            raise CommandError(str(error), ExitStatus.USAGE, "ADDRESS") from error
        for started in (server, page):
            if started is not None:
                servers.enter_context(started)
        servers.enter_context(opened.preparer())
        _announce(arguments, server.port, page.port if page else 0)
        _work(stop, arguments, product)
    return ExitStatus.OK


def _access(address: str, product: Product) -> AccessControl:
    """Raises CommandError when the settings are wrong or leave an open address without callers."""
    try:
        settings = load_settings(AccessSettings, "access", os.environ)
        return access_control(settings, address, lambda: [r.name for r in product.catalog.repositories()])
    except SettingsError as error:
        raise CommandError(str(error), ExitStatus.USAGE, "SETTINGS") from error


def _announce(arguments: argparse.Namespace, port: int, web_port: int) -> None:
    address = _with_port(arguments.address, port)
    web = f"http://{_with_port(arguments.web, web_port)}/" if arguments.web is not None else ""
    if arguments.json:
        print_json({"address": address, "web": web})
        return
    say(f"answering on {address}{f' and {web}' if web else ''}")


def _with_port(address: str, port: int) -> str:
    return f"{address.rpartition(':')[0]}:{port}"


def _work(stop: Stopping, arguments: argparse.Namespace, product: Product) -> None:
    """Until stopped."""
    look: Callable[[], None] = (
        (lambda: follow_moves(product, (), arguments.json)) if arguments.watch else (lambda: None)
    )
    with ExitStack() as opened:
        worktrees = Worktrees(product, arguments.worktree, arguments.owner, opened)
        keep_looking(look, worktrees, arguments.interval, arguments.json, stop.wait)
