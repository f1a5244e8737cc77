"""`headwater files`: what became of each tracked file."""

import argparse

from headwater.cli.asking import with_engine
from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json, say
from headwater.cli.selection import selection
from headwater.domain.answer import FileState
from headwater.domain.question import FilesQuestion


def run(arguments: argparse.Namespace) -> int:
    """Prints a FilesAnswer. For people, --why leaves out the files that are indexed and explains the others."""
    question = FilesQuestion(path=arguments.file.strip("/"), **selection(arguments))
    answer = with_engine(lambda engine: engine.files(question))
    if arguments.json:
        print_json(answer)
        return ExitStatus.OK if answer.files else ExitStatus.NOT_FOUND
    for file in answer.files:
        if not arguments.why or file.status != "indexed" or arguments.file.strip("/") == file.path:
            say(_line(file, arguments.why))
    if answer.next_page_token:
        say(f"({len(answer.files)} of {answer.total}; more with --page {answer.next_page_token})")
    return ExitStatus.OK if answer.files else ExitStatus.NOT_FOUND


def _line(file: FileState, why: bool) -> str:
    reason = f" ({file.reason})" if file.reason else ""
    explanation = f": {file.explanation}" if why and file.explanation else ""
    return f"{file.repo}:{file.path}  {file.status}{reason}{explanation}"
