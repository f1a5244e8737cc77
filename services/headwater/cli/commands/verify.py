"""`headwater verify`: prove every view, every vector and every row of the catalog."""

import argparse
import shlex

import msgspec

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json, say
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.verification import (
    RowsVerdict,
    VectorVerdict,
    Verdict,
    leave_word,
    verify,
    verify_rows,
    verify_vectors,
)


def run(arguments: argparse.Namespace) -> int:
    """Prints {"ok", "views": [Verdict], "rows": RowsVerdict, "vectors": VectorVerdict}; status 3 when one fails."""
    with Product(Home.default()) as product:
        vectors = verify_vectors(product)
        rows = verify_rows(product)
        verdicts = list(verify(product, against_fresh=rows.holds and not arguments.roots_only))
        if not all(v.holds for v in verdicts):
            leave_word(product)
        locations = {r.name: r.location for r in product.catalog.repositories()}
    ok = rows.holds and vectors.holds and all(v.holds for v in verdicts)
    bad = {v.repo for v in verdicts if not (v.holds and rows.holds)}
    repositories = {*vectors.repositories, *(locations[name] for name in bad if name in locations)}
    if arguments.json:
        views = [_shown(v) for v in verdicts]
        others = {"rows": _shown(rows), "vectors": _shown(vectors)}
        print_json({"ok": ok, "views": views, **others})
    else:
        for verdict in verdicts:
            _print(verdict)
        _print_rows(rows)
        _print_vectors(vectors)
        for repository in sorted(repositories):
            say(f"to repair: headwater index {shlex.quote(repository)}")
    return ExitStatus.OK if ok else ExitStatus.FAILED


def _print(verdict: Verdict) -> None:
    root = "root proven" if verdict.tree_proven else f"ROOT {verdict.root} IS NOT {verdict.tree}"
    fresh = "" if verdict.differing is None else f", {verdict.differing} differences from a fresh index"
    say(f"{verdict.repo} {verdict.ref} at {verdict.commit[:12]}: {root}{fresh}")
    for line in verdict.differences:
        say(f"    {line}")


def _shown(verdict: Verdict | RowsVerdict | VectorVerdict) -> dict[str, object]:
    return {**msgspec.to_builtins(verdict), "holds": verdict.holds}


def _print_rows(rows: RowsVerdict) -> None:
    damaged = ", ".join(f"{count} DAMAGED in {table}" for table, count in rows.damaged.items())
    say(f"catalog: {rows.documents} documents, {damaged or 'every row as it follows from them'}")
    for path in rows.paths:
        say(f"    {path}")


def _print_vectors(vectors: VectorVerdict) -> None:
    lost = ", ".join(f"{count} {kind.upper()}" for kind, count in vectors.lost.items()) or "all as they were written"
    say(f"vectors: {lost} of {vectors.compared}" if vectors.lost else f"vectors: {vectors.compared}, {lost}")
