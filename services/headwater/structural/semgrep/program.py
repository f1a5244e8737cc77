"""Runs Semgrep's own engine as a program from its own environment: the exact mode."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from headwater.runtime.child_process import ChildTimeoutError, ProgramMissingError, inherited, run
from headwater.structural.deadline import OutOfTimeError, Remaining, check, unlimited
from headwater.structural.match import Match
from headwater.structural.source import Source

_ANALYZERS = {"javascript": "js", "typescript": "ts", "tsx": "ts"}
_FIRST_BATCH, _BATCH = 16, 128  # the first matches come soon, the start of a program is paid seldom
_TIMEOUT_SECONDS = 300
_OFFLINE = {"SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"}


class SemgrepError(RuntimeError):
    """Semgrep refused the rule or failed; the message is its own."""


def find_program(environment: Path) -> Path | None:
    """The engine of a Semgrep installed in a virtual environment, None when it isn't there."""
    return next(iter(sorted(environment.glob("lib/python*/site-packages/semgrep/bin/semgrep-core"))), None)


class SemgrepProgram:
    """Scans batches of files, each with one run of the engine; matches stream batch by batch."""

    def __init__(self, program: Path, scratch: Path | None = None) -> None:
        """`scratch` holds the files of a batch while it is scanned; the system's folder for that unless given."""
        self._program, self._scratch = program, scratch

    def scan(
        self, rules: list[dict[str, Any]], files: Iterable[Source], remaining: Remaining = unlimited
    ) -> Iterator[Match]:
        """Raises SemgrepError, OutOfTimeError."""
        for _, match in self.scan_rules(rules, files, remaining):
            yield match

    def scan_rules(
        self, rules: list[dict[str, Any]], files: Iterable[Source], remaining: Remaining = unlimited
    ) -> Iterator[tuple[str, Match]]:
        """Pairs of rule id and match; raises SemgrepError, OutOfTimeError."""
        rest, size = iter(files), _FIRST_BATCH
        while batch := tuple(islice(rest, size)):
            check(remaining)
            yield from self._batch(rules, batch, min(_TIMEOUT_SECONDS, remaining()))
            size = min(2 * size, _BATCH)

    def _batch(self, rules: list[dict[str, Any]], files: tuple[Source, ...], seconds: float) -> list[tuple[str, Match]]:
        with tempfile.TemporaryDirectory(prefix="headwater-semgrep-", dir=self._scratch) as folder:
            root = Path(folder)
            names = {}
            for number, file in enumerate(files):
                copy = root / f"{number}{Path(file.path).suffix}"
                copy.write_bytes(file.content)
                names[str(copy)] = file.path
            (root / "rules.json").write_text(json.dumps({"rules": rules}))
            (root / "targets.json").write_text(json.dumps(_targets(root, files)))
            return _read(self._run(root, seconds), names)

    def _run(self, root: Path, seconds: float) -> dict[str, Any]:
        command = [str(self._program), "-rules", str(root / "rules.json"), "-targets", str(root / "targets.json")]
        try:
            done = run([*command, "-json_nodots", "-j", "1"], seconds=seconds, environ=_environ(root), cwd=root)
        except ChildTimeoutError as error:
            raise OutOfTimeError from error
        except (OSError, ProgramMissingError) as error:
            raise SemgrepError(f"semgrep can't be started: {error}") from error
        try:
            answer: dict[str, Any] = json.loads(done.out)
        except ValueError as error:
            raise SemgrepError(f"semgrep failed: {done.said.decode('utf-8', 'replace')[-400:]}") from error
        refused = [e for e in answer.get("errors", []) if "Rule parse error" in str(e.get("error_type"))]
        if refused:
            raise SemgrepError(str(refused[0].get("message", "the rule is refused")).splitlines()[0])
        return answer


def _environ(root: Path) -> dict[str, str]:
    """Neither the user's settings nor a network: the engine reads its rule, its files and nothing else."""
    return {**inherited(), "HOME": str(root), "XDG_CONFIG_HOME": str(root), **_OFFLINE}


def _targets(root: Path, files: tuple[Source, ...]) -> list[Any]:
    listed = []
    for number, file in enumerate(files):
        name = f"{number}{Path(file.path).suffix}"
        path = {"fpath": str(root / name), "ppath": f"/{name}"}
        analyzer = _ANALYZERS.get(file.language, file.language)
        listed.append(["CodeTarget", {"path": path, "analyzer": analyzer, "products": ["sast"]}])
    return ["Targets", listed]


def _read(answer: dict[str, Any], names: dict[str, str]) -> list[tuple[str, Match]]:
    found = []
    for result in answer["results"]:
        start, end = result["start"], result["end"]
        match = Match(names[result["path"]], start["line"], end["line"], start["col"] - 1)
        found.append((str(result["check_id"]), match))
    return sorted(set(found), key=lambda pair: pair[1])
