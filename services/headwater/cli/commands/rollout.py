"""`headwater rollout`: another model, dimension or chunker without downtime, and the way back."""

import argparse
import time
from pathlib import Path
from typing import Any

import msgspec

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.gating import Questions
from headwater.cli.output import print_json, say
from headwater.cli.rollout_desk import Desk, desk
from headwater.domain.edition import Edition, Gate, Phase
from headwater.rollout.operations import EditionStatus
from headwater.stores.catalog import CatalogUnavailableError
from headwater.stores.vector_store import VectorsUnavailableError
from headwater.streaming.in_process import PipelineStalledError


def run(arguments: argparse.Namespace) -> int:
    """Prints {"indexes": […]} after the step, as `status` does."""
    with desk() as opened:
        opened.rollout.follow()
        return _ACTIONS[arguments.action](arguments, opened)


def _start(arguments: argparse.Namespace, opened: Desk) -> int:
    version, source = opened.wanted(arguments)
    edition = opened.rollout.start(version, source)
    return _done(arguments, opened, f"{edition} is being built", _filled(arguments, opened, edition))


def _status(arguments: argparse.Namespace, opened: Desk) -> int:
    return _done(arguments, opened)


def _gate(arguments: argparse.Namespace, opened: Desk) -> int:
    """Status 1 when the shadow fails."""
    if not arguments.golden:
        raise CommandError("name the golden questions with --golden FILE", ExitStatus.USAGE, "INVALID_FIELD")
    live, shadow = opened.registry.read().live, opened.registry.read().other
    if live is None or shadow is None or shadow.phase is not Phase.BUILDING:
        raise CommandError("no index is being built: 'headwater rollout start' begins one", reason="ROLLOUT_REFUSED")
    questions = Questions([Path(f) for f in arguments.golden], arguments.every, opened.repositories())
    engines = opened.engine(live), opened.engine(shadow)
    try:
        gate = questions.gate(*engines)
    finally:
        for engine in engines:
            engine.close()
    opened.rollout.record(shadow.number, gate)
    _done(arguments, opened, *_gate_lines(gate))
    return ExitStatus.OK if gate.passed else ExitStatus.NOT_FOUND


def _cutover(arguments: argparse.Namespace, opened: Desk) -> int:
    _fill_other(arguments, opened)
    live = opened.rollout.cut_over(arguments.force, arguments.wait)
    return _done(arguments, opened, f"{live} answers now; the former one is kept until 'headwater rollout release'")


def _rollback(arguments: argparse.Namespace, opened: Desk) -> int:
    _fill_other(arguments, opened)
    live = opened.rollout.roll_back(arguments.wait)
    return _done(arguments, opened, f"{live} answers again")


def _release(arguments: argparse.Namespace, opened: Desk) -> int:
    return _done(arguments, opened, f"{opened.rollout.release()} is gone")


_ACTIONS = {
    "start": _start,
    "status": _status,
    "gate": _gate,
    "cutover": _cutover,
    "rollback": _rollback,
    "release": _release,
}


def _fill_other(arguments: argparse.Namespace, opened: Desk) -> None:
    other = opened.registry.read().other
    if other is not None and other.phase in (Phase.BUILDING, Phase.RETAINED):
        _filled(arguments, opened, other)


def _filled(arguments: argparse.Namespace, opened: Desk, edition: Edition) -> str:
    """Where another process writes to the index, such as `headwater watch`, that brings it up to date."""
    try:
        return opened.fill(edition, arguments.json)
    except (PipelineStalledError, CatalogUnavailableError, VectorsUnavailableError) as error:
        return f"this command can't write to it now ({error}); 'headwater rollout status' shows how far it is"


def _done(arguments: argparse.Namespace, opened: Desk, *lines: str) -> int:
    status = opened.rollout.status()
    if arguments.json:
        print_json({"indexes": [_row(one) for one in status]})
        return ExitStatus.OK
    for line in (*filter(None, lines), *map(_line, status)):
        say(line)
    if not status:
        say("nothing is indexed yet: run 'headwater index PATH'")
    return ExitStatus.OK


def _row(status: EditionStatus) -> dict[str, Any]:
    edition = status.edition
    return {
        "index": edition.number,
        "version": str(edition.version),
        "model": edition.version.model,
        "dimensions": edition.version.dimensions,
        "chunker": edition.version.chunker,
        "phase": edition.phase,
        "vectors": status.vectors,
        "coverage": None if status.coverage is None else msgspec.structs.asdict(status.coverage),
        "gate": edition.gate,
        "notes": edition.notes,
    }


def _line(status: EditionStatus) -> str:
    edition, found = status.edition, status.coverage
    line = f"{edition}: {edition.phase}, {status.vectors} vectors"
    if found is not None:
        done = f"{found.documents_done} of {found.documents} files, {found.views_done} of {found.views} views"
        lag = f", {found.lag_seconds:.0f} s behind" if found.behind else ""
        line += f"; {done}{lag}; {_gated(edition)}"
    return line


def _gated(edition: Edition) -> str:
    if edition.phase is not Phase.BUILDING:
        return "takes every write"
    if edition.gate is None:
        return "gate not run"
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(edition.gate.at))
    return f"gate {'passed' if edition.gate.passed else 'FAILED'} {day}"


def _gate_lines(gate: Gate) -> list[str]:
    lines = [
        f"{name:10}  {metric:12}  {before:.3f} -> {now:.3f}"
        for name, metrics in gate.figures.items()
        for metric, (before, now) in metrics.items()
    ]
    return [*lines, *(f"fell: {fall}" for fall in gate.falls), f"{gate.questions} questions asked of each"]
