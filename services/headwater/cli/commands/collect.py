"""`headwater collect`: give back the room of what no view shows any more."""

import argparse

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json, say
from headwater.embedded.home import Home
from headwater.embedded.product import Product


def run(arguments: argparse.Namespace) -> int:
    """Prints {"removed": rows}."""
    with Product(Home.default()) as product:
        removed = product.collect(thorough=True)
    if arguments.json:
        print_json({"removed": removed})
    else:
        say(f"{removed} rows removed")
    return ExitStatus.OK
