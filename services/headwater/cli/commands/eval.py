"""`headwater eval`: golden questions through the service, and the gate against a baseline."""

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json, say_code
from headwater.embedded.ablation import Vary, as_served, variants, without_expansion
from headwater.embedded.answering import parts
from headwater.embedded.facts import corpus_of
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.evaluation.asker import Asker, AskError
from headwater.evaluation.companion import read_beside
from headwater.evaluation.corpora import Corpus, folders_of, lay_out, needed, read_corpora
from headwater.evaluation.gate import find_falls
from headwater.evaluation.golden import Span, read_golden
from headwater.evaluation.grpc_asker import GrpcAsker
from headwater.evaluation.harness import ask_contexts, sample
from headwater.evaluation.harness import run as ask_all
from headwater.evaluation.helpers import Helpers
from headwater.evaluation.mining import mine, read_outcomes, review_lines
from headwater.evaluation.report import context_means, format_ablation, format_report
from headwater.evaluation.scopes import CorpusScope, read_scopes
from headwater.query.engine import Engine
from headwater.query.server import QueryServer, ServerSettings


def run(arguments: argparse.Namespace) -> int:
    """Prints the report; status 1 when a slice fell below the baseline's interval."""
    if arguments.action == "mine":
        return _mine(arguments)
    if not arguments.golden or not arguments.corpora:
        raise CommandError("give --golden FILE and --corpora DIR", ExitStatus.USAGE, "INVALID_FIELD")
    bench = _Bench(arguments)
    with tempfile.TemporaryDirectory(prefix="headwater-eval-") as scratch:
        home = Path(arguments.home or scratch)
        with Product(Home(home / "index")) as product:
            index(product, bench.targets(home / "repositories"))
            bench.learn_helpers(product)
            if arguments.ablate:
                chosen = variants(Path(scratch) / "headless")
                return _print_ablation(arguments, {name: bench.ask(product, vary) for name, vary in chosen.items()})
            report = bench.ask(product, as_served)
            report["context"] |= {"not expanded": bench.ask_contexts(product, without_expansion)}
    if arguments.json:
        print_json(report)
    else:
        say_code(format_report(report))
    return _gate(arguments.gate, report)


def _print_ablation(arguments: argparse.Namespace, reports: dict[str, dict[str, Any]]) -> int:
    if arguments.json:
        print_json({"variants": reports})
    else:
        say_code(format_ablation(reports))
    return ExitStatus.OK


def _mine(arguments: argparse.Namespace) -> int:
    """Writes the review file and prints {"candidates"}."""
    log = Home.default().outcomes
    lines = log.read_bytes().splitlines() if log.is_file() else []
    candidates = mine(read_outcomes(lines))
    if arguments.review:
        Path(arguments.review).write_text(review_lines(candidates), "utf-8")
    elif not arguments.json:
        say_code(review_lines(candidates).removesuffix("\n"))
    if arguments.json:
        print_json({"candidates": candidates})
    return ExitStatus.OK


class _Bench:
    """The questions, their corpora and scopes, as the command line names them."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        files = [Path(f) for f in arguments.golden]
        given = Path(arguments.corpora)
        beside = [*(f.parent for f in files), given, given.parent]
        self._corpora = given / "corpora" if (given / "corpora").is_dir() else given
        self._golden = sample(read_golden(files), arguments.every)
        self._scopes: dict[str, CorpusScope] = read_beside(beside, "scopes.json", read_scopes)
        self._known = needed(self._golden.corpora(), read_beside(beside, "corpora.json", read_corpora))
        self._helpers: dict[str, list[Span]] = {}

    def learn_helpers(self, product: Product) -> None:
        """What the primary answer of each natural-language question calls, by question."""
        for corpus in self._known:
            asked = [q for q in self._golden.retrieval if q.slice == "nl" and q.corpus == corpus.name]
            helpers = Helpers(corpus_of(product, corpus.name)) if asked else None
            self._helpers |= {q.id: helpers.of(q.expected[0]) for q in asked if helpers is not None}

    def targets(self, repositories: Path) -> list[Target]:
        """The corpora as repositories, laid out where they aren't yet."""
        try:
            return [Target(self._lay_out(corpus, repositories), (), corpus.name) for corpus in self._known]
        except FileNotFoundError as error:
            raise CommandError(str(error), ExitStatus.USAGE, "CORPUS") from error

    def _lay_out(self, corpus: Corpus, repositories: Path) -> Path:
        folders = folders_of(corpus, self._scopes.get(corpus.name, CorpusScope(under=())))
        return lay_out(self._corpora, corpus, folders, repositories)

    def ask(self, product: Product, vary: Vary) -> dict[str, Any]:
        """The report of every question asked of one engine through its gRPC service."""
        with self._asker(product, vary) as asker:
            report = ask_all(self._golden, asker, self._scopes)
            return report | {"context": {"as served": self._contexts(asker)}}

    def ask_contexts(self, product: Product, vary: Vary) -> dict[str, Any]:
        """Only how much of what answers call is in the contexts."""
        with self._asker(product, vary) as asker:
            return self._contexts(asker)

    def _contexts(self, asker: Asker) -> dict[str, Any]:
        return context_means(ask_contexts(self._golden, asker, self._helpers))

    @contextmanager
    def _asker(self, product: Product, vary: Vary) -> Iterator[Asker]:
        opened = Engine(vary(parts(product)))
        globs = {c.name: c.globs() for c in self._known}
        try:
            with (
                QueryServer(opened, ServerSettings(address="127.0.0.1:0")) as server,
                GrpcAsker(f"127.0.0.1:{server.port}", globs) as asker,
            ):
                yield asker
        except AskError as error:
            raise CommandError(f"the service didn't answer {error}") from error
        finally:
            opened.close()


def _gate(baseline: str | None, report: dict[str, Any]) -> int:
    if baseline is None:
        return ExitStatus.OK
    falls = find_falls(msgspec.json.decode(Path(baseline).read_bytes()), report)
    if not falls:
        return ExitStatus.OK
    raise CommandError("fell below the baseline: " + "; ".join(map(str, falls)), ExitStatus.NOT_FOUND, "GATE")
