"""`headwater defs`: where a symbol is defined."""

import argparse

from headwater.cli.asking import ask
from headwater.cli.selection import selection, subject
from headwater.domain.question import DefinitionsQuestion


def run(arguments: argparse.Namespace) -> int:
    """Prints an Answer."""
    question = DefinitionsQuestion(**subject(arguments.symbol), **selection(arguments))
    return ask(arguments, lambda engine: engine.definitions(question))
