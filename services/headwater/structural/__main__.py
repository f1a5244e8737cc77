"""Makes pairs from a folder of code, or answers a question over one: python -m headwater.structural."""

import argparse
import sys
from pathlib import Path

import msgspec

from headwater.structural.compose import StructuralSettings, chat_of
from headwater.structural.engine import StructuralSearch
from headwater.structural.generate.corpus import Corpus
from headwater.structural.generate.pairs import STYLES, make_pairs, write_pairs
from headwater.structural.semgrep.program import SemgrepProgram, find_program
from headwater.structural.source import FolderSources
from headwater.structural.translate.chat import Chat
from headwater.structural.translate.model import ChatModel
from headwater.structural.translate.retrieve import shipped_pairs


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    written = _generate(options) if options.command == "generate" else _ask(options)
    sys.stdout.buffer.write(written)
    return 0


def _generate(options: argparse.Namespace) -> bytes:
    corpus = Corpus(FolderSources(options.folder))
    return write_pairs(make_pairs(corpus, options.engine, options.number, options.seed))


def _ask(options: argparse.Namespace) -> bytes:
    chat = _chat(options)
    program = find_program(options.semgrep) if options.semgrep else None
    search = StructuralSearch(
        FolderSources(options.folder),
        pairs=shipped_pairs(),
        model=ChatModel(chat) if chat is not None else None,
        semgrep=SemgrepProgram(program) if program is not None else None,
    )
    answer = search.ask(options.question, exact=options.exact, limit=options.limit)
    return msgspec.json.format(msgspec.json.encode(answer)) + b"\n"


def _chat(options: argparse.Namespace) -> Chat | None:
    record, replay = (str(path or "") for path in (options.record, options.replay))
    return chat_of(StructuralSettings(model_url=options.model_url, model=options.model, record=record, replay=replay))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="headwater structural", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    generate = commands.add_parser("generate", help="make verified pairs of question and query, as JSON lines")
    generate.add_argument("folder", type=Path)
    generate.add_argument("--engine", choices=sorted(STYLES), default="flowgraph")
    generate.add_argument("--number", type=int, default=100)
    generate.add_argument("--seed", type=int, default=1)
    ask = commands.add_parser("ask", help="answer a question over a folder of code")
    ask.add_argument("question")
    ask.add_argument("folder", type=Path)
    ask.add_argument("--exact", action="store_true", help="let Semgrep itself answer")
    ask.add_argument("--limit", type=int, default=1000)
    ask.add_argument("--semgrep", type=Path, help="the environment that Semgrep is installed in")
    ask.add_argument("--model-url", default="", help="base address of an OpenAI-compatible endpoint")
    ask.add_argument("--model", default="default")
    ask.add_argument("--record", type=Path, help="keep the conversations with the model in this file")
    ask.add_argument("--replay", type=Path, help="answer from recorded conversations")
    return parser


if __name__ == "__main__":
    sys.exit(main())
