"""`headwater index`: bring the index to the refs' commits."""

import argparse
from pathlib import Path

import msgspec

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json, say, warn
from headwater.cli.progress import Bar
from headwater.cli.worktrees import take_in_now
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.embedded.report import IndexReport, ViewReport


def run(arguments: argparse.Namespace) -> int:
    """Prints an IndexReport."""
    if not arguments.paths and not arguments.worktree:
        raise CommandError("name a repository, or a working copy with --worktree", ExitStatus.USAGE, "INVALID_FIELD")
    if arguments.name and len(arguments.paths) > 1:
        raise CommandError("--name names one repository: give one PATH", ExitStatus.USAGE, "INVALID_FIELD")
    targets = [Target(Path(path), tuple(arguments.ref), arguments.name) for path in arguments.paths]
    with Product(Home.default()) as product, Bar("indexing", not arguments.json) as bar:
        report = index(product, targets, bar)
        copies = tuple(take_in_now(product, folder, arguments.owner, bar) for folder in arguments.worktree)
    report = msgspec.structs.replace(report, views=report.views + copies)
    if arguments.json:
        print_json(report)
    else:
        _print(report)
    for problem in report.problems:
        warn(f"headwater: {problem}")
    return ExitStatus.FAILED if report.problems else ExitStatus.OK


def _print(report: IndexReport) -> None:
    for view in report.views:
        say(_line(view))
    for gone in report.deleted:
        say(f"{gone.repo} {gone.ref}: deleted, no longer searchable")
    for name in report.empty:
        say(f"{name}: empty, its first push will be indexed")


def _line(view: ViewReport) -> str:
    proof = "tree proven" if view.tree_proven else "TREE NOT PROVEN"
    files = f"{view.files.indexed} files indexed, {view.files.skipped} skipped, {view.files.parked} parked"
    chunks = f"{view.chunks.embedded} of {view.chunks.total} chunks embedded"
    return f"{view.repo} {view.ref} at {view.commit[:12]} ({proof}): {files}; {chunks}; {view.seconds:.2f} s"
