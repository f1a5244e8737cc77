"""Opens the home, asks one question of the engine, and prints the answer."""

import argparse
from collections.abc import Callable
from typing import TypeVar

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import answer_json, print_json, print_results
from headwater.cli.worktrees import here, warn_if_behind
from headwater.domain.answer import Answer
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.query.engine import Engine

T = TypeVar("T")


def ask(arguments: argparse.Namespace, question: Callable[[Engine], Answer]) -> int:
    """Exit status 1 when there is no result. Raises QueryError."""
    answer = with_engine(question)
    if arguments.json:
        print_json(answer_json(answer))
    else:
        print_results(answer)
    return ExitStatus.OK if answer.results else ExitStatus.NOT_FOUND


def with_engine(work: Callable[[Engine], T]) -> T:
    """Run `work` on the home's engine: inside a working copy, its view is the repository's default.

    Raises CommandError when nothing is indexed.
    """
    with Product(Home.default()) as product:
        if not product.catalog.repositories():
            raise CommandError("nothing indexed yet: run 'headwater index PATH'", ExitStatus.USAGE, "NOTHING_INDEXED")
        copy = here(product.home)
        if copy is not None:
            warn_if_behind(product, copy)
        opened = engine(product, copy.view if copy else None, by_path=True)
        try:
            return work(opened)
        finally:
            opened.close()
