"""What kind of question a query is, decided from its text alone."""

import re

import msgspec

from headwater.domain.answer import QueryKind
from headwater.query.symbol_name import parse_symbol_name
from headwater.query.syntax import ParsedQuery

_EXTENSION = re.compile(
    r"\.(?:py|pyi|java|go|jsx?|mjs|cjs|tsx?|mts|cts|rs|c|h|cc|cpp|hpp|cs|rb|php|kt|kts|scala|swift|sh|lua|sql|vue|html"
    r"|ipynb|md|rst|txt|json|ya?ml|toml|xml|proto|gradle|css|cob|cbl|mod|cfg|ini)$",
    re.IGNORECASE,
)
_INTENT = re.compile(
    r"\b(?:usages?|uses|used|using|callers?|calls?|called|call[- ]sites?|references?|referenced|refs|invocations?"
    r"|accesses|access(?= to)|depends? on|rename|implementations|overrides|what breaks)\b",
    re.IGNORECASE,
)
_READ_OR_WRITTEN = re.compile(r"\b(?:read|written|set)(?: or | and |/)(?:read|written|set)\b", re.IGNORECASE)
_NOISE_WORDS = """
    a about access accesses all am an and any are at break breaks by call called caller callers calling calls
    change class classes code codebase constant constants depend dependents depends do does each enum every
    everywhere exactly field fields file files find for from function functions get give going have how i if
    implementations in interface invocation invocations invoke invoked invokes is it its line lines list look
    macro me member method methods module need of on or override overrides overriding place places please
    property provide ref reference referenced references refs rename renaming repo repository show signature site
    sites struct symbol that the their there these this through to trait type types usage usages use used users
    uses using variable want we what where which who whole will with you
"""
_NOISE = frozenset(_NOISE_WORDS.split())
_CODE_SHAPE = re.compile(
    r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|::|#|\w\.\w|^_\w|\(\)?$|^[A-Z]+[A-Z0-9_]*_[A-Z0-9_]+$|->"
)
_WORD_END = ".,;:!?"


class Intent(msgspec.Struct, frozen=True, kw_only=True):
    """`symbol` for identifier and usages; `path` narrows to files that end so; `mentions` are names within prose."""

    kind: QueryKind
    symbol: str = ""
    path: str = ""
    mentions: tuple[str, ...] = ()


def classify(query: ParsedQuery) -> Intent:
    """Quotes and `sym:` decide; else the shape of the words does."""
    if query.symbol:
        return Intent(kind=QueryKind.IDENTIFIER, symbol=query.symbol)
    if query.literals:
        return Intent(kind=QueryKind.LITERAL)
    words = query.text.split()
    if len(words) == 1:
        return _single(words[0])
    if (usages := _usages(query.text)) is not None:
        return usages
    if len(words) == 2 and (located := _located(words)) is not None:
        return located
    if (typed := _with_parameters(query.text)) is not None:
        return typed
    mentions = tuple(dict.fromkeys(m for w in words if (m := _mention(w))))
    kind = QueryKind.MIXED if mentions else QueryKind.NATURAL_LANGUAGE
    return Intent(kind=kind, mentions=mentions[:8])


def looks_like_path(word: str) -> bool:
    """A file name with a known extension, or a folder written with a slash at its end."""
    return bool(_EXTENSION.search(word)) or (word.endswith("/") and len(word) > 1)


def _single(word: str) -> Intent:
    if looks_like_path(word):
        return Intent(kind=QueryKind.PATH, path=word, symbol=word)
    if parse_symbol_name(word) is not None:
        return Intent(kind=QueryKind.IDENTIFIER, symbol=word)
    return Intent(kind=QueryKind.NATURAL_LANGUAGE)


def _located(words: list[str]) -> Intent | None:
    paths = [w for w in words if looks_like_path(w)]
    others = [w for w in words if not looks_like_path(w)]
    if len(paths) != 1 or parse_symbol_name(others[0]) is None:
        return None
    return Intent(kind=QueryKind.IDENTIFIER, symbol=others[0], path=paths[0])


def _with_parameters(text: str) -> Intent | None:
    """`Type.method(String, int)`: one name although it holds spaces."""
    head, _, rest = text.partition("(")
    if not rest.endswith(")") or " " in head or parse_symbol_name(text) is None:
        return None
    return Intent(kind=QueryKind.IDENTIFIER, symbol=text)


def _usages(text: str) -> Intent | None:
    """An intent word and exactly one name besides words that only ask."""
    text = _READ_OR_WRITTEN.sub("used", text)
    if not _INTENT.search(text):
        return None
    joined = re.sub(r"(\w)\(([^()]*)\)", lambda m: f"{m[1]}({m[2].replace(' ', '')})", text)
    rest = [w.rstrip(_WORD_END) for w in joined.split()]
    rest = [w for w in rest if w and w.lower() not in _NOISE]
    paths = [w.strip("()") for w in rest if "/" in w and not _has_member(w)]
    names = [w for w in rest if w.strip("()") not in paths]
    if not names and paths:
        names, paths = paths, []
    if len(names) != 1 or parse_symbol_name(names[0]) is None:
        return None
    return Intent(kind=QueryKind.USAGES, symbol=names[0], path=paths[0] if paths else "")


def _has_member(word: str) -> bool:
    last = word.strip("()").rsplit("/", 1)[-1]
    return "." in last and not looks_like_path(word.strip("()"))


def _mention(word: str) -> str:
    bare = word.strip("`'\"").rstrip(_WORD_END).strip("`'\"")
    if not _CODE_SHAPE.search(bare) or looks_like_path(bare) or parse_symbol_name(bare) is None:
        return ""
    return bare
