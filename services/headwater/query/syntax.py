"""The query syntax: fields and quotes; whatever is neither is text, so no query is a syntax error."""

import re

import msgspec

from headwater.domain.question import MAX_QUERY_BYTES

# A field starts a word; "path::join" is a qualified name, and a field without value is text.
_TOKEN = re.compile(
    r'(?P<field>(?<!\S)(?:repo|ref|-?path|lang|sym)):(?!:)(?:"(?P<quoted_value>(?:\\"|[^"])+)"|(?P<value>[^\s"]\S*))'
    r'|"(?P<quoted>[^"]+)"'
    r"|(?P<text>\s+|[^\s\"]+|\")"
)


class ParsedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A query taken apart."""

    text: str  # what is neither field nor quoted, white space folded
    literals: tuple[str, ...] = ()  # quoted: to be found exactly so
    symbol: str = ""  # sym:
    repos: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    path_globs: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    truncated: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.text or self.literals or self.symbol)


def parse_query(query: str) -> ParsedQuery:
    """Total: any text gives a query. Only the first MAX_QUERY_BYTES count."""
    cut, truncated = truncate(query)
    fields: dict[str, list[str]] = {}
    literals: list[str] = []
    text: list[str] = []
    for token in _TOKEN.finditer(cut):
        if token["field"]:
            fields.setdefault(token["field"], []).append(token["quoted_value"] or token["value"])
        elif token["quoted"] and token["quoted"].strip():
            literals.append(token["quoted"])
        else:
            text.append(token[0])
    symbols = fields.get("sym", [])
    excluded = [f"!{glob}" for glob in fields.get("-path", [])]
    return ParsedQuery(
        text=" ".join("".join(text).split()),
        literals=tuple(literals),
        symbol=symbols[0] if symbols else "",
        repos=tuple(fields.get("repo", ())),
        refs=tuple(fields.get("ref", ())),
        path_globs=(*fields.get("path", ()), *excluded),
        languages=tuple(value.lower() for value in fields.get("lang", ())),
        truncated=truncated,
    )


def truncate(query: str) -> tuple[str, bool]:
    """The first MAX_QUERY_BYTES bytes at a character boundary, and whether anything was cut."""
    raw = query.encode("utf-8", "replace")
    if len(raw) <= MAX_QUERY_BYTES:
        return raw.decode("utf-8"), False
    return raw[:MAX_QUERY_BYTES].decode("utf-8", "ignore"), True
