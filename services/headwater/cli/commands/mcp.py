"""`headwater mcp`: answer agents over the Model Context Protocol."""

import argparse
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import anyio
import grpc

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json, warn
from headwater.cli.worktrees import here
from headwater.domain.address import AddressError, parse_address
from headwater.domain.asking import Asker
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.mcp_server.server import mcp_server, serve_http, serve_stdio
from headwater.rpc.asking import Metadata, RemoteAsker
from headwater.tracing.start import tracing

TOKEN, HOST_TOKEN = "HEADWATER_TOKEN", "HEADWATER_HOST_TOKEN"


def run(arguments: argparse.Namespace) -> int:
    """On stdio until the client closes it; over HTTP until stopped, after printing {"url"} to say that it answers."""
    with tracing("mcp", os.environ), _asker(arguments) as asker:
        server = mcp_server(asker)
        if arguments.http is None:
            anyio.run(serve_stdio, server)
            return ExitStatus.OK
        with _listening(arguments.http) as listening:
            _announce(arguments, listening)
            anyio.run(serve_http, server, listening)
    return ExitStatus.OK


@contextmanager
def _asker(arguments: argparse.Namespace) -> Iterator[Asker]:
    """The query service, under the tokens of the environment if there are any; else the home's engine."""
    if arguments.server is not None:
        _check_server(arguments.server)
        credentials = grpc.ssl_channel_credentials() if arguments.tls else None
        with RemoteAsker(arguments.server, caller_metadata(os.environ), credentials) as remote:
            yield remote
        return
    with Product(Home.default()) as product:
        copy = here(product.home)
        opened = engine(product, copy.view if copy else None, by_path=arguments.http is None)
        try:
            yield opened
        finally:
            opened.close()


def _check_server(address: str) -> None:
    """Raises CommandError."""
    try:
        parse_address(address)
    except AddressError as error:
        raise CommandError(f"--server {error}", ExitStatus.USAGE, "ADDRESS") from error


def caller_metadata(environ: Mapping[str, str]) -> Metadata:
    """What says who asks: the bearer token, and the git host's own."""
    token, host_token = environ.get(TOKEN, ""), environ.get(HOST_TOKEN, "")
    bearer: Metadata = (("authorization", f"Bearer {token}"),) if token else ()
    return (*bearer, ("x-git-token", host_token)) if host_token else bearer


def _listening(address: str) -> socket.socket:
    """Raises CommandError for an address that is taken, malformed, or open to other machines."""
    try:
        at = parse_address(address)
    except AddressError as error:
        raise CommandError(f"--http {error}", ExitStatus.USAGE, "ADDRESS") from error
    if not at.is_loopback:
        message = f"--http {address}: give a loopback address, 127.0.0.1:PORT; for others put a proxy in front"
        raise CommandError(message, ExitStatus.USAGE, "ADDRESS")
    family = socket.AF_INET6 if ":" in at.host else socket.AF_INET
    try:
        return socket.create_server(("127.0.0.1" if at.host == "localhost" else at.host, at.port), family=family)
    except OSError as error:
        raise CommandError(f"can't listen on {address}: {error}", ExitStatus.USAGE, "ADDRESS") from error


def _announce(arguments: argparse.Namespace, listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"
    if arguments.json:
        print_json({"url": url})
    else:
        warn(f"answering on {url}")
