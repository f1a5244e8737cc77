"""`headwater usages`: every use of a symbol."""

import argparse

from headwater.cli.asking import ask
from headwater.cli.selection import selection, subject
from headwater.domain.question import UsagesQuestion


def run(arguments: argparse.Namespace) -> int:
    """Prints an Answer."""
    question = UsagesQuestion(**subject(arguments.symbol), **selection(arguments))
    return ask(arguments, lambda engine: engine.usages(question))
