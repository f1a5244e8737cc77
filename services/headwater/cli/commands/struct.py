"""`headwater struct`: which code has a shape, asked in words or as a query."""

import argparse
import os

from headwater.cli.asking import with_engine
from headwater.cli.command_error import ExitStatus
from headwater.cli.output import flat, print_json, say, warn
from headwater.cli.selection import selection
from headwater.domain.answer import StructuralReport
from headwater.domain.question import StructuralQuestion
from headwater.query.deadline import MAX_SECONDS


def run(arguments: argparse.Namespace) -> int:
    """Prints a StructuralReport."""
    question = StructuralQuestion(
        words=arguments.words,
        query=arguments.query,
        flowgraph=arguments.flowgraph,
        semgrep=arguments.semgrep,
        exact=arguments.exact,
        timeout_s=MAX_SECONDS,
        **selection(arguments),
    )
    for name in ("record", "replay"):
        if getattr(arguments, name):
            os.environ[f"HEADWATER_STRUCTURAL_{name.upper()}"] = getattr(arguments, name)
    report = with_engine(lambda engine: engine.structural(question))
    if arguments.json:
        print_json(flat(report))
    else:
        _print(report)
    return ExitStatus.OK if report.results else ExitStatus.NOT_FOUND


def _print(report: StructuralReport) -> None:
    if report.rendered:
        say(f"# {report.rendered}  ({report.engine})")
    for result in report.results:
        first = result.snippet.split("\n", 1)[0].strip()
        say(f"{result.repo}:{result.path}:{result.range.start_line}:{result.range.start_col}  {first}")
    if report.not_understood:
        warn(f"(not understood: {', '.join(report.not_understood)})")
    for problem in report.problems:
        warn(f"({problem})")
    if not report.complete:
        warn("(partial)")
