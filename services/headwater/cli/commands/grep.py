"""`headwater grep`: text as written."""

import argparse

from headwater.cli.asking import ask
from headwater.cli.selection import selection
from headwater.domain.question import GrepQuestion


def run(arguments: argparse.Namespace) -> int:
    """Prints an Answer."""
    question = GrepQuestion(
        pattern=arguments.pattern,
        regex=arguments.regex,
        ignore_case=arguments.ignore_case,
        multiline=arguments.multiline,
        **selection(arguments),
    )
    return ask(arguments, lambda engine: engine.grep(question))
