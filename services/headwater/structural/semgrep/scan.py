"""Runs an ast-grep rule over files in process, those files that it can do quickly."""

from collections.abc import Iterable, Iterator
from typing import cast

import tree_sitter as ts
from ast_grep_py import Config, SgRoot
from ast_grep_py import Rule as AstGrepRule

from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.match import Match
from headwater.structural.query import Query
from headwater.structural.semgrep.astgrep import compile_query, relations
from headwater.structural.source import Source

_LANGUAGES = {name: name for name in ("java", "python", "javascript", "typescript", "tsx", "go")}


_MOST_LOOKS = 2_000_000  # some 100 ms, in which ast-grep lets no other thread run


def is_quick(query: Query, file: Source) -> bool:
    """Whether ast-grep's looks at nodes are few: each relation looks, for every node, at all below or above it."""
    power = relations(query.target)
    if not power or file.language not in BY_NAME:
        return True
    cursor = ts.Parser(BY_NAME[file.language].grammar()).parse(file.content).walk()
    depth, looks = 1, 0
    while looks <= _MOST_LOOKS:
        looks += depth**power
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return True
            depth -= 1
    return False


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
