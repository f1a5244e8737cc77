"""Finds the language folders and compiles each language's queries, once per process."""

import importlib
import pkgutil
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import tree_sitter

from headwater.ast_chunker import languages
from headwater.ast_chunker.languages.language import Language

_CAPTURE = re.compile(r"@([\w.]+)")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_COMMENT = re.compile(r";[^\n]*")
MAIN_ROLES = ("definition.", "reference.")
MAIN_CAPTURES = frozenset(
    {
        "import",
        "scope",
        "scope.function",
        "scope.class",
        "scope.nonlocal",
        "package",
        "comment",
        "attribute",
        "atomic",
        "doc",
        "returned",
        "wrapper",
    }
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern of a query: its main capture and the settings beside it."""

    order: int
    main: str  # definition.function, reference.call, import, scope, …
    role: str  # definition, reference, import, scope, package, comment, …
    kind: str  # what follows the dot
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language ready to use. Parsers are not shared between threads: `parser` makes a new one."""

    language: Language
    grammar: tree_sitter.Language
    query: tree_sitter.Query
    patterns: tuple[Pattern, ...]

    def parser(self) -> tree_sitter.Parser:
        return tree_sitter.Parser(self.grammar)

    def parse(self, source: bytes) -> tree_sitter.Tree:
        """The tree of a whole file, with what the language hides from the parser blanked at its place."""
        hidden = self.language.hidden(source)
        if not hidden:
            return self.parser().parse(source)
        readable = bytearray(source)
        for start, end in hidden:
            readable[start:end] = b" " * (end - start)
        return self.parser().parse(bytes(readable))


class QueryError(Exception):
    """A language's queries don't fit its grammar or the vocabulary; the message names the folder and the pattern."""


@lru_cache(maxsize=1)
def all_languages() -> dict[str, Language]:
    """Every language folder's declaration, by language name."""
    folders = [m.name for m in pkgutil.iter_modules(languages.__path__) if m.ispkg]
    declared = [importlib.import_module(f"{languages.__name__}.{f}").LANGUAGE for f in sorted(folders)]
    return {language.name: language for language in declared}


@lru_cache(maxsize=64)
def grammar_of(name: str) -> Grammar:
    """The compiled grammar of a language of `all_languages`. Raises QueryError, ImportError without its wheel."""
    language = all_languages()[name]
    grammar = tree_sitter.Language(getattr(importlib.import_module(language.grammar), language.entry)())
    text = query_text(language)
    try:
        query = tree_sitter.Query(grammar, text)
    except tree_sitter.QueryError as error:
        raise QueryError(f"the queries of {name} don't compile: {error}") from error
    patterns = tuple(_pattern(name, query, text.encode(), i) for i in range(query.pattern_count))
    return Grammar(language, grammar, query, patterns)


def query_text(language: Language) -> str:
    """The joined `.scm` files: the language's own first, then those it extends, each folder's in order of names."""
    texts: list[str] = []
    for folder in (folder_of(language), *language.extends):
        files = sorted(
            (f for f in (resources.files(languages) / folder).iterdir() if f.name.endswith(".scm")),
            key=lambda f: f.name,
        )
        texts.extend(f.read_text("utf-8") for f in files)
    return "\n".join(texts)


def folder_of(language: Language) -> str:
    """The folder a language is declared in: its name with underscores."""
    return language.name.replace("-", "_").replace("#", "_sharp").replace("+", "p")


def _pattern(language: str, query: tree_sitter.Query, text: bytes, order: int) -> Pattern:
    source = text[query.start_byte_for_pattern(order) : query.end_byte_for_pattern(order)].decode()
    captures = dict.fromkeys(_CAPTURE.findall(_COMMENT.sub("", _STRING.sub("", source))))
    mains = [c for c in captures if c in MAIN_CAPTURES or c.startswith(MAIN_ROLES)]
    if len(mains) != 1:
        raise QueryError(f"a pattern of {language} needs exactly one main capture, not {mains}: {source.strip()}")
    role, _, kind = mains[0].partition(".")
    return Pattern(order, mains[0], role, kind, query.pattern_settings(order))
