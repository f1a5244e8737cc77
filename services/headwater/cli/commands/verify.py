"""`headwater verify`: prove every view, every vector and every row of the catalog."""

import argparse
import shlex

import msgspec

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.verification import VectorVerdict, Verdict, verify, verify_vectors


def run(arguments: argparse.Namespace) -> int:
    """Prints {"ok", "views": [Verdict], "vectors": VectorVerdict}; status 3 when something doesn't hold."""
    with Product(Home.default()) as product:
        vectors = verify_vectors(product)
        verdicts = list(verify(product, against_fresh=not arguments.roots_only))
        locations = {r.name: r.location for r in product.catalog.repositories()}
    ok = vectors.holds and all(v.holds for v in verdicts)
    repositories = {
        *vectors.repositories,
        *(locations[v.repo] for v in verdicts if not v.holds and v.repo in locations),
    }
    if arguments.json:
        views = [{**msgspec.to_builtins(v), "holds": v.holds} for v in verdicts]
        print_json({"ok": ok, "views": views, "vectors": {**msgspec.to_builtins(vectors), "holds": vectors.holds}})
    else:
        for verdict in verdicts:
            _print(verdict)
        _print_vectors(vectors)
        for repository in sorted(repositories):
            print(f"to repair: headwater index {shlex.quote(repository)}")
    return ExitStatus.OK if ok else ExitStatus.FAILED


def _print(verdict: Verdict) -> None:
    root = "root proven" if verdict.tree_proven else f"ROOT {verdict.root} IS NOT {verdict.tree}"
    fresh = "" if verdict.differing is None else f", {verdict.differing} differences from a fresh index"
    print(f"{verdict.repo} {verdict.ref} at {verdict.commit[:12]}: {root}{fresh}")
    for line in verdict.differences:
        print(f"    {line}")


def _print_vectors(vectors: VectorVerdict) -> None:
    lost = ", ".join(f"{count} {kind.upper()}" for kind, count in vectors.lost.items()) or "all as they were written"
    print(f"vectors: {lost} of {vectors.compared}" if vectors.lost else f"vectors: {vectors.compared}, {lost}")
