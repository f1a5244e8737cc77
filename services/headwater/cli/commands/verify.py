"""`headwater verify`: prove every view."""

import argparse

import msgspec

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.verification import Verdict, verify


def run(arguments: argparse.Namespace) -> int:
    """Prints {"ok", "views": [Verdict]}; status 3 when a view doesn't hold."""
    with Product(Home.default()) as product:
        verdicts = list(verify(product, against_fresh=not arguments.roots_only))
    ok = all(v.holds for v in verdicts)
    if arguments.json:
        print_json({"ok": ok, "views": [{**msgspec.to_builtins(v), "holds": v.holds} for v in verdicts]})
    else:
        for verdict in verdicts:
            _print(verdict)
    return ExitStatus.OK if ok else ExitStatus.FAILED


def _print(verdict: Verdict) -> None:
    root = "root proven" if verdict.tree_proven else f"ROOT {verdict.root} IS NOT {verdict.tree}"
    fresh = "" if verdict.differing is None else f", {verdict.differing} differences from a fresh index"
    print(f"{verdict.repo} {verdict.ref} at {verdict.commit[:12]}: {root}{fresh}")
    for line in verdict.differences:
        print(f"    {line}")
