"""`headwater structural generate`: verified pairs of question and structural query, reproducibly."""

import argparse
import sys
from pathlib import Path

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json
from headwater.structural.generate.corpus import Corpus
from headwater.structural.generate.pairs import make_pairs, write_pairs
from headwater.structural.source import FolderSources


def run(arguments: argparse.Namespace) -> int:
    """Prints one pair a line as JSON; with --json one object {"pairs": […]}."""
    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise CommandError(f"{folder} is no folder: give one with source files", ExitStatus.USAGE, "INVALID_FIELD")
    pairs = list(make_pairs(Corpus(FolderSources(folder)), arguments.engine, arguments.number, arguments.seed))
    if arguments.json:
        print_json({"pairs": pairs})
    else:
        sys.stdout.buffer.write(write_pairs(iter(pairs)))
    return ExitStatus.OK if pairs else ExitStatus.NOT_FOUND
