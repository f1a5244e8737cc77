"""`headwater remove`: take a repository out of the index."""

import argparse

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json
from headwater.embedded.home import Home
from headwater.embedded.product import Product


def run(arguments: argparse.Namespace) -> int:
    """Prints {"removed": name}."""
    with Product(Home.default()) as product:
        names = [r.name for r in product.catalog.repositories()]
        if arguments.repo not in names:
            known = ", ".join(names) or "none"
            raise CommandError(
                f"no repository '{arguments.repo}' here; known: {known}", ExitStatus.NOT_FOUND, "NOT_FOUND"
            )
        product.catalog.remove_repository(arguments.repo)
        product.collect(thorough=True)
    if arguments.json:
        print_json({"removed": arguments.repo})
    else:
        print(f"{arguments.repo} removed")
    return ExitStatus.OK
