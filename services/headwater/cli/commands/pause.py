"""`headwater pause`: stop following a repository."""

import argparse

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json, say
from headwater.cli.repositories import set_paused


def run(arguments: argparse.Namespace) -> int:
    """Prints {"paused": name}."""
    name = set_paused(arguments.repo, True)
    if arguments.json:
        print_json({"paused": name})
    else:
        say(f"{name} paused")
    return ExitStatus.OK
