"""`headwater context`: code for an agent's prompt."""

import argparse

from headwater.cli.asking import with_engine
from headwater.cli.command_error import ExitStatus
from headwater.cli.output import flat, print_json, say, say_code
from headwater.cli.selection import selection
from headwater.domain.question import ContextQuestion


def run(arguments: argparse.Namespace) -> int:
    """Prints a ContextAnswer."""
    question = ContextQuestion(query=arguments.query, max_tokens=arguments.max_tokens, **selection(arguments))
    answer = with_engine(lambda engine: engine.context(question))
    if arguments.json:
        print_json(flat(answer))
    else:
        for item in answer.items:
            say(f"--- {item.result.path}:{item.result.range.start_line} ({item.reason}, {item.tokens} tokens)")
            say_code(item.result.snippet)
    return ExitStatus.OK if answer.items else ExitStatus.NOT_FOUND
