"""Runs an ast-grep rule over files in process."""

from collections.abc import Iterable, Iterator
from typing import cast

from ast_grep_py import Config, SgRoot
from ast_grep_py import Rule as AstGrepRule

from headwater.structural.match import Match
from headwater.structural.query import Query
from headwater.structural.semgrep.astgrep import compile_query
from headwater.structural.source import Source

_LANGUAGES = {name: name for name in ("java", "python", "javascript", "typescript", "tsx", "go")}


def scan(query: Query, files: Iterable[Source]) -> Iterator[Match]:
    """Matches in order of file and position; raises UnsupportedQueryError before reading any file of a language."""
    rules: dict[str, dict[str, object]] = {}
    for file in files:
        if file.language not in _LANGUAGES or query.language not in ("", file.language):
            continue
        if file.language not in rules:
            rules[file.language] = compile_query(query, file.language)
        yield from _matches(file, rules[file.language])


def _matches(file: Source, rule: dict[str, object]) -> Iterator[Match]:
    root = SgRoot(file.content.decode("utf-8", "replace"), _LANGUAGES[file.language]).root()
    for node in root.find_all(Config(rule=cast(AstGrepRule, rule))):
        span = node.range()
        yield Match(file.path, span.start.line + 1, span.end.line + 1, span.start.column)
