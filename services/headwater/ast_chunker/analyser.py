"""The analyser port: many files to their documents, in process or in a pool that enforces a deadline."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from headwater.ast_chunker.process import DEFAULT_RULES, analyse_file
from headwater.domain.document import Document
from headwater.domain.treatment import ContentRules
from headwater.domain.version import PipelineVersion


class FileTask(msgspec.Struct, frozen=True, array_like=True):
    """One file's bytes to analyse."""

    path: str
    mode: int
    blob: str  # 40 hex
    content: bytes


class FileResult(msgspec.Struct, frozen=True, array_like=True):
    """A document and the UTF-8 text that its spans refer to, None for skipped files."""

    document: Document
    text: str | None


class Analyser(Protocol):
    """Analyses files under one pipeline version."""

    def analyse(self, tasks: Sequence[FileTask]) -> list[FileResult]:
        """One result a task, in the tasks' order. Never raises for what a file holds."""
        ...

    def close(self) -> None: ...


class InProcessAnalyser:
    """No deadline: for tests, tools and trusted sources."""

    def __init__(self, version: PipelineVersion, rules: ContentRules = DEFAULT_RULES) -> None:
        self._version, self._rules = version, rules

    def analyse(self, tasks: Sequence[FileTask]) -> list[FileResult]:
        return [FileResult(*analyse_file(t.path, t.mode, t.blob, t.content, self._version, self._rules)) for t in tasks]

    def close(self) -> None:
        """Nothing to release."""
