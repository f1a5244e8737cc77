"""The compilers' truth tables: every definition of a corpus and every use of each."""

import gzip
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec

from headwater.evaluation.usage_score import Place

_LANGUAGES_WITHOUT_OVERRIDE = frozenset({"go"})


class TruthDefinition(msgspec.Struct, frozen=True):
    """One row of a definitions table; positions are 1-based, columns in code points."""

    i: int
    name: str
    kind: str
    qualified: str
    path: str
    line: int
    col: int
    local: int
    others: tuple[tuple[str, int, int, int, int], ...] = ()
    overrides: tuple[int, ...] = ()

    @property
    def place(self) -> Place:
        return (self.path, self.line, self.col)


class _File(msgspec.Struct):
    path: str
    uses: list[list[Any]]


class TruthTable:
    """`uses[i]` are the certain uses of definition i, overrides included; `neutral` places count neither way."""

    def __init__(self, folder: Path, corpus: str, language: str) -> None:
        self.corpus = corpus
        self.definitions = [
            msgspec.json.decode(line, type=TruthDefinition)
            for line in gzip.decompress((folder / f"{corpus}.defs.jsonl.gz").read_bytes()).splitlines()
        ]
        self.uses: dict[int, set[Place]] = defaultdict(set)
        self.neutral: set[Place] = set()
        self.meanings: dict[Place, set[int]] = defaultdict(set)
        self.files: list[str] = []
        for line in gzip.decompress((folder / f"{corpus}.uses.jsonl.gz").read_bytes()).splitlines():
            self._add(msgspec.json.decode(line, type=_File))
        self.files = sorted({*self.files, *(d.path for d in self.definitions)})
        if language in _LANGUAGES_WITHOUT_OVERRIDE:
            self.neutral |= {d.place for d in self.definitions if d.overrides}
        else:
            for definition in self.definitions:
                for overridden in definition.overrides:
                    self.uses[overridden].add(definition.place)

    def _add(self, file: _File) -> None:
        self.files.append(file.path)
        for row in file.uses:
            place = (file.path, row[0], row[1])
            target, note = row[3], row[5] if len(row) > 5 else ""
            if note or target == -2:
                self.neutral.add(place)
                continue
            self.meanings[place].add(target)
            if target >= 0:
                self.uses[target].add(place)

    def neutral_for(self, definition: TruthDefinition) -> set[Place]:
        """Places that don't count for this definition: its own, its further declarations, what tools disagree on."""
        own = {definition.place, *((o[0], o[1], o[2]) for o in definition.others)}
        return self.neutral | own
