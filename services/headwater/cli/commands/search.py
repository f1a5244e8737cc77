"""`headwater search`: anything a person or an agent types."""

import argparse

from headwater.cli.asking import ask
from headwater.cli.selection import selection
from headwater.domain.answer import QueryKind
from headwater.domain.question import GrepQuestion, SearchQuestion, UsagesQuestion

MODES = {"auto": None, "nl": QueryKind.NATURAL_LANGUAGE, "identifier": QueryKind.IDENTIFIER}


def run(arguments: argparse.Namespace) -> int:
    """Prints an Answer."""
    query, shared = arguments.query, selection(arguments)
    if arguments.mode == "grep":
        return ask(arguments, lambda engine: engine.grep(GrepQuestion(pattern=query, **shared)))
    if arguments.mode == "usages":
        return ask(arguments, lambda engine: engine.usages(UsagesQuestion(symbol=query, **shared)))
    mode = MODES[arguments.mode]
    return ask(arguments, lambda engine: engine.search(SearchQuestion(query=query, mode=mode, **shared)))
