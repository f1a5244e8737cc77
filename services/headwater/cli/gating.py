"""The gate of a rollout: the same golden questions of both indexes, compared slice by slice."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.domain.edition import Gate
from headwater.evaluation.asker import AskError
from headwater.evaluation.companion import read_beside
from headwater.evaluation.corpora import read_corpora
from headwater.evaluation.gate import find_falls
from headwater.evaluation.golden import read_golden
from headwater.evaluation.grpc_asker import GrpcAsker
from headwater.evaluation.harness import run as ask_all
from headwater.evaluation.harness import sample
from headwater.evaluation.scopes import read_scopes
from headwater.query.engine import Engine
from headwater.query.server import QueryServer, ServerSettings


class Questions:
    """Golden questions of repositories that are indexed, with what lies beside their files."""

    def __init__(self, files: Sequence[Path], every: int, repositories: set[str]) -> None:
        """Raises CommandError when a question is of a repository that isn't indexed."""
        self._golden = sample(read_golden(files), every)
        folders = [place for file in files for place in (file.parent, file.parent.parent)]
        self._scopes = read_beside(folders, "scopes.json", read_scopes)
        corpora = read_beside(folders, "corpora.json", read_corpora)
        self._globs = {name: corpora[name].globs() for name in self._golden.corpora() if name in corpora}
        unknown = sorted(set(self._golden.corpora()) - repositories)
        if unknown:
            message = f"there are questions of {', '.join(unknown)}, of which nothing is indexed: index it first"
            raise CommandError(message, ExitStatus.USAGE, "CORPUS")

    def gate(self, live: Engine, shadow: Engine) -> Gate:
        """Every figure of the shadow against the live index's interval, see evaluation/gate.py."""
        before, now = self._report(live), self._report(shadow)
        falls = tuple(str(fall) for fall in find_falls(before, now))
        questions = len(self._golden.retrieval) + len(self._golden.usages)
        return Gate(
            passed=not falls and questions > 0,
            at=time.time(),
            questions=questions,
            falls=falls,
            figures=_figures(before["slices"], now["slices"]),
        )

    def _report(self, engine: Engine) -> dict[str, Any]:
        try:
            with (
                QueryServer(engine, ServerSettings(address="127.0.0.1:0")) as server,
                GrpcAsker(f"127.0.0.1:{server.port}", self._globs) as asker,
            ):
                return ask_all(self._golden, asker, self._scopes)
        except AskError as error:
            raise CommandError(f"the index didn't answer {error}") from error


def _figures(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, dict[str, tuple[float, float]]]:
    return {
        name: {metric: (figures[metric], now.get(name, {}).get(metric, 0.0)) for metric in figures["intervals"]}
        for name, figures in before.items()
    }
