"""The analyser port: many files to their documents, in process or in a pool that enforces a deadline."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from headwater.ast_chunker.pointers import without_source
from headwater.ast_chunker.process import DEFAULT_RULES, analyse_file
from headwater.domain.document import Document
from headwater.domain.terms import Terms
from headwater.domain.treatment import ContentRules
from headwater.domain.version import PipelineVersion


class FileTask(msgspec.Struct, frozen=True, array_like=True):
    """One file's bytes to analyse."""

    path: str
    mode: int
    blob: str  # 40 hex
    content: bytes
    rules: ContentRules | None = None  # the analyser's own unless given


class FileResult(msgspec.Struct, frozen=True, array_like=True):
    """A document and the UTF-8 text that its spans refer to, None for skipped files and in pointers-only mode.

    There, `terms` are what each of its chunks is found by.
    """

    document: Document
    text: str | None
    terms: Terms = ()


def file_result(document: Document, text: str | None, rules: ContentRules) -> FileResult:
    """What may be known of a file under these rules."""
    if text is None or not rules.pointers_only:
        return FileResult(document, text)
    kept, terms = without_source(document, text, rules.term_key)
    return FileResult(kept, None, terms)


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
        return [self._result(task) for task in tasks]

    def _result(self, task: FileTask) -> FileResult:
        rules = task.rules or self._rules
        found = analyse_file(task.path, task.mode, task.blob, task.content, self._version, rules)
        return file_result(*found, rules)

    def close(self) -> None:
        """Nothing to release."""
