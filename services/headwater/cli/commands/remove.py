"""`headwater remove`: take a repository out of the index."""

import argparse

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json
from headwater.cli.repositories import named_repository
from headwater.embedded.home import Home
from headwater.embedded.product import Product


def run(arguments: argparse.Namespace) -> int:
    """Prints {"removed": name}."""
    with Product(Home.default()) as product:
        product.catalog.remove_repository(named_repository(product, arguments.repo).name)
        product.collect(thorough=True)
    if arguments.json:
        print_json({"removed": arguments.repo})
    else:
        print(f"{arguments.repo} removed")
    return ExitStatus.OK
