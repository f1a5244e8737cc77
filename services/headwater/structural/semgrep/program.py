"""Runs Semgrep's own engine as a program from its own environment: the exact mode."""

import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from headwater.limits import limits
from headwater.runtime.child_process import Child, ProgramMissingError, inherited
from headwater.structural.deadline import Remaining, check, unlimited
from headwater.structural.match import Match
from headwater.structural.source import Source

_ANALYZERS = {"javascript": "js", "typescript": "ts", "tsx": "ts"}
_FIRST_BATCH, _BATCH = 16, 128  # the first matches come soon, the start of a program is paid seldom
_LOOK_EVERY_S = 0.05
_LEFT_OUT = ("Timeout", "Out of memory", "Stack overflow", "Too many matches", "Fatal error")
_OFFLINE = {"SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"}


class SemgrepError(RuntimeError):
    """Semgrep failed; the message is its own."""


class RuleRefusedError(SemgrepError):
    """A pattern is none of the language that its rule is for; the message is Semgrep's own."""


def find_program(environment: Path) -> Path | None:
    """The engine of a Semgrep installed in a virtual environment, None when it isn't there."""
    return next(iter(sorted(environment.glob("lib/python*/site-packages/semgrep/bin/semgrep-core"))), None)


LeftOut: TypeAlias = Callable[[str, str], None]  # a file, "" where that is not known, and why


class SemgrepProgram:
    """Scans batches of files, each with one run of the engine; matches stream batch by batch."""

    def __init__(self, program: Path, scratch: Path | None = None) -> None:
        """`scratch` holds the files of a batch while it is scanned; the system's folder for that unless given."""
        self._program, self._scratch = program, scratch

    def scan(
        self,
        rules: list[dict[str, Any]],
        files: Iterable[Source],
        remaining: Remaining = unlimited,
        left_out: LeftOut = lambda path, why: None,
    ) -> Iterator[Match]:
        """`left_out` is told of files that cost more than one may. Raises SemgrepError, OutOfTimeError."""
        for _, match in self.scan_rules(rules, files, remaining, left_out):
            yield match

    def scan_rules(
        self,
        rules: list[dict[str, Any]],
        files: Iterable[Source],
        remaining: Remaining = unlimited,
        left_out: LeftOut = lambda path, why: None,
    ) -> Iterator[tuple[str, Match]]:
        """Pairs of rule id and match; raises SemgrepError, OutOfTimeError."""
        rest, size = iter(files), _FIRST_BATCH
        while batch := tuple(islice(rest, size)):
            check(remaining)
            yield from self._batch(rules, batch, remaining, left_out)
            size = min(2 * size, _BATCH)

    def _batch(
        self, rules: list[dict[str, Any]], files: tuple[Source, ...], remaining: Remaining, left_out: LeftOut
    ) -> list[tuple[str, Match]]:
        with tempfile.TemporaryDirectory(prefix="headwater-semgrep-", dir=self._scratch) as folder:
            root = Path(folder)
            names = {}
            for number, file in enumerate(files):
                copy = root / f"{number}{Path(file.path).suffix}"
                copy.write_bytes(file.content)
                names[str(copy)] = file.path
            (root / "rules.json").write_text(json.dumps({"rules": rules}))
            (root / "targets.json").write_text(json.dumps(_targets(root, files)))
            answer = self._run(root, remaining)
        for error in answer.get("errors", []):
            if str(error.get("error_type")) in _LEFT_OUT:
                path = str((error.get("location") or {}).get("path", ""))
                left_out(names.get(path, ""), str(error["error_type"]).lower())
        return _read(answer, names)

    def _run(self, root: Path, remaining: Remaining) -> dict[str, Any]:
        """Ends the program and all that it started once the time is up or the caller gone."""
        command = [str(self._program), "-rules", str(root / "rules.json"), "-targets", str(root / "targets.json")]
        most = limits().structural_program_bytes
        bounded = [*command, "-json_nodots", "-j", "1", "-max_memory", str(most >> 20)]
        answered, said = root / "answer.json", root / "said"
        written = {resource.RLIMIT_FSIZE: most // 8}
        try:
            with (
                answered.open("wb") as out,
                said.open("wb") as err,
                Child(bounded, environ=_environ(root), cwd=root, stdout=out, stderr=err, limits=written) as child,
            ):
                _await(child, remaining)
            answer: dict[str, Any] = json.loads(answered.read_bytes())
        except (OSError, ProgramMissingError) as error:
            raise SemgrepError(f"semgrep can't be started: {error}") from error
        except ValueError as error:
            raise SemgrepError(f"semgrep failed: {said.read_bytes()[-400:].decode('utf-8', 'replace')}") from error
        refused = [e for e in answer.get("errors", []) if "parse error" in str(e.get("error_type"))]
        if refused:
            raise RuleRefusedError(str(refused[0].get("message") or "the rule is refused").splitlines()[0][:400])
        return answer


def _await(child: Child, remaining: Remaining) -> None:
    try:
        while child.poll() is None:
            check(remaining)
            time.sleep(_LOOK_EVERY_S)
    finally:
        child.kill()


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
