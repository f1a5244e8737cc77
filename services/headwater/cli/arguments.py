"""The command line's grammar: every command, its options and its one-line help."""

import argparse
import sys
from typing import Any, NoReturn

from headwater.cli import values
from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import warn
from headwater.topology import SERVICES


class UsageError(SystemExit):
    """The arguments can't be used, and standard error says so."""

    def __init__(self, message: str) -> None:
        super().__init__(ExitStatus.USAGE)
        self.error = CommandError(message, ExitStatus.USAGE, "INVALID_ARGUMENT")


class Parser(argparse.ArgumentParser):
    """Every argument has to be text unless it says what else; what is wrong is said as JSON as well."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("type", None, values.text)

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        warn(f"{self.prog}: error: {message}")
        raise UsageError(message)


def parser() -> argparse.ArgumentParser:
    """Commands are modules of `cli.commands`, imported only when they run."""
    root: argparse.ArgumentParser = Parser(prog="headwater", description="A code search index that flows with git.")
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _index(commands)
    _search(commands)
    _symbols(commands)
    _grep(commands)
    _struct(commands)
    _structural(commands)
    _context(commands)
    _state(commands)
    _serving(commands)
    _operations(commands)
    _rollout(commands)
    _scip(commands)
    _evaluation(commands)
    return root


Commands = argparse._SubParsersAction  # argparse gives this type no public name


def _command(commands: "Commands[argparse.ArgumentParser]", name: str, text: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text, description=text)
    command.add_argument("--json", action="store_true", help="print one JSON object (docs/api.md has its schema)")
    return command


def _filters(command: argparse.ArgumentParser, limit: int = 20) -> None:
    command.add_argument("--repo", action="append", default=[], help="only this repository (repeatable)")
    command.add_argument(
        "--ref", action="append", default=[], help="this branch, tag or commit instead of the default view; '*' for all"
    )
    command.add_argument(
        "--path",
        type=values.path,
        action="append",
        default=[],
        metavar="GLOB",
        help="only these paths; '!GLOB' excludes",
    )
    command.add_argument("--lang", action="append", default=[], help="only this language (repeatable)")
    command.add_argument(
        "--worktree", type=values.place, metavar="PATH", help="this working copy, as 'index --worktree' took it in"
    )
    command.add_argument(
        "-n", "--limit", type=values.whole(1), default=limit, help=f"at most this many results (default {limit})"
    )
    command.add_argument("--page", default="", metavar="TOKEN", help="go on from a former answer's next_page_token")


def _index(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "index", "Index repositories; later runs do only what changed.")
    command.add_argument(
        "paths", type=values.place, nargs="*", metavar="PATH", help="a git repository (clone, worktree or bare)"
    )
    command.add_argument("--ref", action="append", default=[], help="branch, tag, commit or glob (default HEAD)")
    command.add_argument("--name", help="the repository's name in the index (default: its remote's, else its folder's)")
    _worktrees(command)
    remove = _command(commands, "remove", "Remove a repository or a working copy's view from the index.")
    remove.add_argument("repo", nargs="?", default="", help="its name, see 'headwater status'")
    _worktrees(remove)
    pause = _command(commands, "pause", "Stop following a repository; what is indexed of it stays searchable.")
    pause.add_argument("repo", help="its name, see 'headwater status'")
    resume = _command(commands, "resume", "Follow a paused repository again.")
    resume.add_argument("repo", help="its name, see 'headwater status'")


def _worktrees(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--worktree",
        type=values.place,
        action="append",
        default=[],
        metavar="PATH",
        help="a working copy, as a private view (repeatable)",
    )
    command.add_argument(
        "--owner", default="", metavar="SUBJECT", help="whose view: user:NAME or cert:NAME (default: this home's)"
    )


def _search(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "search", "Search by name, in words, or with fields (repo: path: lang: sym:).")
    command.add_argument("query")
    command.add_argument(
        "--mode", choices=("auto", "nl", "identifier", "usages", "grep"), default="auto", help="how to read the query"
    )
    _filters(command)


def _symbols(commands: "Commands[argparse.ArgumentParser]") -> None:
    for name, text in (("defs", "Where a symbol is defined."), ("usages", "Every use of a symbol, never approximate.")):
        command = _command(commands, name, text)
        command.add_argument("symbol", help="plain or qualified name, or a place PATH:LINE:COL")
        _filters(command, 500)


def _grep(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "grep", "Find text as written.")
    command.add_argument("pattern")
    command.add_argument("--regex", action="store_true", help="the pattern is a regular expression (RE2 syntax)")
    command.add_argument("-i", "--ignore-case", action="store_true")
    command.add_argument("--multiline", action="store_true", help="matches may span lines")
    _filters(command, 100)


def _struct(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "struct", "Which code has this shape: 'calls of close inside a finally block'.")
    command.add_argument("words", nargs="?", default="", help="the question in words")
    command.add_argument(
        "--record",
        type=values.place_or_none,
        default="",
        metavar="FILE",
        help="keep the conversations with the language model",
    )
    command.add_argument(
        "--replay", type=values.place_or_none, default="", metavar="FILE", help="answer from recorded conversations"
    )
    ways = command.add_mutually_exclusive_group()
    ways.add_argument("--query", default="", metavar="JSON", help="the intermediate query, as an answer shows it")
    ways.add_argument("--flowgraph", default="", metavar="JSON", help="a Flowgraph rule")
    ways.add_argument("--semgrep", default="", metavar="YAML", help="Semgrep rules")
    command.add_argument("--exact", action="store_true", help="by the semgrep program, where it is installed")
    _filters(command, 500)


def _structural(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "structural", "Make pairs of question and structural query from a folder of code.")
    command.add_argument("action", choices=("generate",))
    command.add_argument("folder", type=values.place, help="source files, e.g. an unpacked release")
    command.add_argument("--engine", choices=("flowgraph", "semgrep"), default="flowgraph")
    command.add_argument("--number", type=values.whole(1), default=100, help="pairs to make (default 100)")
    command.add_argument(
        "--seed", type=values.whole(0), default=1, help="the same seed makes the same pairs (default 1)"
    )


def _context(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "context", "Code for an agent's prompt: the best answers and what they call.")
    command.add_argument("query")
    command.add_argument("--max-tokens", type=values.whole(1), default=4000)
    _filters(command)


def _state(commands: "Commands[argparse.ArgumentParser]") -> None:
    files = _command(commands, "files", "What became of each tracked file.")
    files.add_argument(
        "file", type=values.path, nargs="?", default="", metavar="PATH", help="a file or folder (default: everything)"
    )
    files.add_argument("--why", action="store_true", help="explain the files that are not searchable")
    _filters(files, 500)
    status = _command(commands, "status", "Every view: head, indexed commit, proof, lag and counts.")
    status.add_argument("--worktree", type=values.place, metavar="PATH", help="only this working copy's view")
    _command(commands, "collect", "Give back the room of old generations and deleted views.")
    verify = _command(commands, "verify", "Recompute the Merkle roots and compare with a fresh index.")
    verify.add_argument("--roots-only", action="store_true", help="leave out the comparison with a fresh index")


def _serving(commands: "Commands[argparse.ArgumentParser]") -> None:
    serve = _command(commands, "serve", "Answer over gRPC and, with --web, on a web page.")
    serve.add_argument("--address", default="127.0.0.1:7070", help="host:port (default 127.0.0.1:7070; port 0: any)")
    serve.add_argument("--web", metavar="HOST:PORT", help="serve the web page there, too (port 0: any)")
    serve.add_argument("--watch", action="store_true", help="follow the refs of indexed repositories as well")
    _worktrees(serve)
    serve.add_argument("--interval", type=values.seconds, default=2.0, help="seconds between looks (default 2)")
    mcp = _command(commands, "mcp", "Answer agents over the Model Context Protocol, on stdio.")
    mcp.add_argument("--http", metavar="HOST:PORT", help="streamable HTTP at /mcp on this loopback address instead")
    mcp.add_argument("--server", metavar="HOST:PORT", help="ask this query service instead of the own index")
    mcp.add_argument("--tls", action="store_true", help="the query service speaks TLS")
    watch = _command(commands, "watch", "Follow the refs of indexed repositories.")
    watch.add_argument("paths", type=values.place, nargs="*", metavar="PATH", help="index these first")
    watch.add_argument("--ref", action="append", default=[], help="refs to follow (default: those indexed)")
    _worktrees(watch)
    watch.add_argument("--interval", type=values.seconds, default=2.0, help="seconds between looks (default 2)")
    watch.add_argument("--once", action="store_true", help="look once and stop")


def _scip(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "scip", "Take a compiler-made index for one commit.")
    command.add_argument("action", choices=("import",))
    command.add_argument("file", type=values.place, metavar="FILE", help="an index in the SCIP format")
    command.add_argument("--repo", required=True, help="the repository's name, see 'headwater status'")
    command.add_argument("--commit", default="", help="the commit it was made of (default: the newest indexed)")


def _operations(commands: "Commands[argparse.ArgumentParser]") -> None:
    up = _command(commands, "up", "Run the whole streaming system on this machine: components and services.")
    up.add_argument(
        "--repo",
        type=values.place,
        action="append",
        default=[],
        metavar="PATH",
        help="follow this path or URL (repeatable)",
    )
    up.add_argument("--ref", action="append", default=[], help="refs to follow: names or globs (default: every branch)")
    up.add_argument("--data", type=values.place, metavar="DIR", help="where everything is kept")
    up.add_argument("--query-port", type=values.port, default=7070, help="port of the query service (default 7070)")
    up.add_argument("--webhook-port", type=values.port, default=8080, help="port for webhooks and hooks (default 8080)")
    service = _command(commands, "service", "Run one service of the streaming system, configured by HEADWATER_….")
    service.add_argument("name", choices=SERVICES)
    service.add_argument("--settings", action="store_true", help="print the variables that configure it")
    dlq = _command(commands, "dlq", "Events that a stage set aside: list them, show them, send them again.")
    dlq.add_argument("action", choices=("list", "show", "replay"))
    dlq.add_argument("which", nargs="*", help="topics to list (default: all), or ids to show or replay")
    dlq.add_argument("--brokers", help="Kafka's addresses (default: HEADWATER_DLQ_BROKERS)")
    dlq.add_argument(
        "--kafka-properties",
        type=values.place_or_none,
        default="",
        metavar="FILE",
        help="further librdkafka properties",
    )


def _rollout(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "rollout", "Replace the index by one of another model, dimension or chunker.")
    command.add_argument("action", choices=("start", "status", "gate", "cutover", "rollback", "release"))
    command.add_argument(
        "--weights",
        type=values.place_or_none,
        default="",
        metavar="DIR",
        help="start: a static model's files (own home)",
    )
    command.add_argument("--model", default="", help="start: the id of the new model")
    command.add_argument("--dimensions", type=values.whole(0), default=0, help="start: of its vectors")
    command.add_argument("--chunker", default="", help="start: the chunker version that this program must have")
    command.add_argument("--chunk-model", default="", help="start: the model server's name of what embeds chunks")
    command.add_argument("--query-model", default="", help="start: the model server's name of what embeds queries")
    command.add_argument(
        "--golden", type=values.place, action="append", default=[], metavar="FILE", help="gate: questions (repeatable)"
    )
    command.add_argument("--every", type=values.whole(1), default=1, metavar="N", help="gate: only every N-th question")
    command.add_argument("--force", default="", metavar="REASON", help="cutover: without a passed gate; kept on record")
    command.add_argument(
        "--wait",
        type=values.seconds,
        default=30.0,
        metavar="S",
        help="cutover, rollback: seconds that it may catch up in",
    )


def _evaluation(commands: "Commands[argparse.ArgumentParser]") -> None:
    command = _command(commands, "eval", "Ask golden questions and measure the answers.")
    command.add_argument(
        "action",
        nargs="?",
        choices=("run", "mine"),
        default="run",
        help="mine: golden candidates from reported outcomes",
    )
    command.add_argument(
        "--review", type=values.place, metavar="FILE", help="mine: where the candidates go (default: standard output)"
    )
    command.add_argument(
        "--golden", type=values.place, action="append", default=[], metavar="FILE", help="JSON lines (repeatable)"
    )
    command.add_argument(
        "--corpora", type=values.place_or_none, default="", metavar="DIR", help="where the corpora are laid out"
    )
    command.add_argument("--ablate", action="store_true", help="a table of what each part of the ranking is worth")
    command.add_argument(
        "--gate", type=values.place, metavar="BASELINE", help="fail when a slice falls below this report's intervals"
    )
    command.add_argument("--every", type=values.whole(1), default=1, metavar="N", help="only every N-th question")
    command.add_argument(
        "--home", type=values.place, metavar="DIR", help="keep the index of the corpora here for the next run"
    )
