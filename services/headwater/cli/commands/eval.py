"""`headwater eval`: golden questions through the service, and the gate against a baseline."""

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.evaluation.asker import AskError
from headwater.evaluation.corpora import folders_of, lay_out, needed, read_corpora
from headwater.evaluation.gate import find_falls
from headwater.evaluation.golden import GoldenSet, read_golden
from headwater.evaluation.grpc_asker import GrpcAsker
from headwater.evaluation.harness import run as ask_all
from headwater.evaluation.harness import sample
from headwater.evaluation.mining import mine, read_outcomes, review_lines
from headwater.evaluation.report import format_report
from headwater.evaluation.scopes import CorpusScope, read_scopes
from headwater.query.server import QueryServer, ServerSettings


def run(arguments: argparse.Namespace) -> int:
    """Prints the report; status 1 when a slice fell below the baseline's interval."""
    if arguments.action == "mine":
        return _mine(arguments)
    if not arguments.golden or not arguments.corpora:
        raise CommandError("give --golden FILE and --corpora DIR", ExitStatus.USAGE, "INVALID_FIELD")
    files = [Path(f) for f in arguments.golden]
    golden = sample(read_golden(files), arguments.every)
    scopes = _beside(files, "scopes.json", read_scopes, {})
    with tempfile.TemporaryDirectory(prefix="headwater-eval-") as scratch:
        home = Path(arguments.home or scratch)
        report = _measure(golden, Path(arguments.corpora), files, scopes, home)
    if arguments.json:
        print_json(report)
    else:
        print(format_report(report))
    return _gate(arguments.gate, report)


def _mine(arguments: argparse.Namespace) -> int:
    """Writes the review file and prints {"candidates"}."""
    log = Home.default().outcomes
    lines = log.read_bytes().splitlines() if log.is_file() else []
    candidates = mine(read_outcomes(lines))
    if arguments.review:
        Path(arguments.review).write_text(review_lines(candidates), "utf-8")
    elif not arguments.json:
        print(review_lines(candidates), end="")
    if arguments.json:
        print_json({"candidates": candidates})
    return ExitStatus.OK


def _measure(
    golden: GoldenSet, corpora: Path, files: list[Path], scopes: dict[str, CorpusScope], home: Path
) -> dict[str, Any]:
    known = needed(golden.corpora(), _beside(files, "corpora.json", read_corpora, {}))
    targets = []
    for corpus in known:
        folders = folders_of(corpus, scopes.get(corpus.name, CorpusScope(under=())))
        try:
            repository = lay_out(corpora, corpus, folders, home / "repositories")
        except FileNotFoundError as error:
            raise CommandError(str(error), ExitStatus.USAGE, "CORPUS") from error
        targets.append(Target(repository, (), corpus.name))
    with Product(Home(home / "index")) as product:
        index(product, targets)
        opened = engine(product)
        globs = {c.name: c.globs() for c in known}
        with QueryServer(opened, ServerSettings(address="127.0.0.1:0")) as server:
            report = _ask(golden, GrpcAsker(f"127.0.0.1:{server.port}", globs), scopes)
        opened.close()
    return report


def _ask(golden: GoldenSet, asker: GrpcAsker, scopes: dict[str, CorpusScope]) -> dict[str, Any]:
    try:
        with asker:
            return ask_all(golden, asker, scopes)
    except AskError as error:
        raise CommandError(f"the service didn't answer {error}") from error


def _beside(files: Iterable[Path], name: str, read: Any, default: Any) -> Any:
    """The companion file next to the first golden file that has one."""
    found = next((f.parent / name for f in files if (f.parent / name).is_file()), None)
    return default if found is None else read(found)


def _gate(baseline: str | None, report: dict[str, Any]) -> int:
    if baseline is None:
        return ExitStatus.OK
    falls = find_falls(msgspec.json.decode(Path(baseline).read_bytes()), report)
    if not falls:
        return ExitStatus.OK
    raise CommandError("fell below the baseline: " + "; ".join(map(str, falls)), ExitStatus.NOT_FOUND, "GATE")
