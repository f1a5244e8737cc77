"""`headwater resume`: follow a paused repository again."""

import argparse

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json, say
from headwater.cli.repositories import set_paused


def run(arguments: argparse.Namespace) -> int:
    """Prints {"resumed": name}."""
    name = set_paused(arguments.repo, False)
    if arguments.json:
        print_json({"resumed": name})
    else:
        say(f"{name} resumed")
    return ExitStatus.OK
