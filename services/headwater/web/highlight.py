"""Code as lines of classified tokens, so that the page builds text nodes and never HTML."""

from collections.abc import Iterator
from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

from headwater.domain.answer import Result

Token = tuple[str, str]  # class ("" for plain), text
Line = tuple[int, int, list[Token]]  # line number, column of its first character (0: not known), tokens

WHOLE_LINE_CHARS = 380  # a longer single line may be a cut-out, whose columns are not known
MAX_TOKEN_CHARS = 2000
_CLASSES = (
    (Comment.Preproc, "k"),
    (Comment, "c"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (String.Doc, "c"),
    (String, "s"),
    (Number, "m"),
    (Name.Function, "f"),
    (Name.Class, "t"),
    (Name.Namespace, "n"),
    (Name.Decorator, "d"),
    (Name.Tag, "k"),
    (Name, "n"),
)


def lines_of(result: Result) -> list[Line]:
    """The snippet's lines, without the indentation that they share."""
    if not result.snippet:
        return []
    single = result.kind in ("match", "file") or bool(result.definition)
    text = result.snippet if single else _first_indent(result) + result.snippet
    lines = text.rstrip("\n").split("\n")
    known = not (single and len(lines) == 1 and len(lines[0]) > WHOLE_LINE_CHARS)
    shared = _shared_indent(lines)
    code = "\n".join(line[shared:] for line in lines)
    numbered = enumerate(_tokens(code, result.language), result.snippet_line)
    return [(number, shared + 1 if known else 0, tokens) for number, tokens in numbered]


def _first_indent(result: Result) -> str:
    """What stands before a definition on its first line, as far as it shows: tabs if the code uses them."""
    return ("\t" if "\n\t" in result.snippet else " ") * (result.range.start_col - 1)


def _shared_indent(lines: list[str]) -> int:
    """How many leading blanks all lines that hold anything start with."""
    filled = [line for line in lines if line.strip()]
    if not filled:
        return 0
    first, last = min(filled), max(filled)
    shared = 0
    while shared < len(first) and first[shared] in " \t" and first[shared] == last[shared : shared + 1]:
        shared += 1
    return shared


def _tokens(code: str, language: str) -> Iterator[list[Token]]:
    line: list[Token] = []
    for kind, text in _lexer(language).get_tokens(code):
        for number, part in enumerate(text.split("\n")):
            if number:
                yield line
                line = []
            if part:
                _append(line, (_class(kind), part[:MAX_TOKEN_CHARS]))
    if line:
        yield line


def _append(line: list[Token], token: Token) -> None:
    """Plain neighbours become one token."""
    if line and line[-1][0] == token[0] and token[0] in ("", "c", "s"):
        line[-1] = (token[0], line[-1][1] + token[1])
    else:
        line.append(token)


@lru_cache(maxsize=1024)
def _class(kind: _TokenType) -> str:
    return next((name for parent, name in _CLASSES if kind in parent), "")


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer:
    options = {"stripnl": False, "ensurenl": False}
    if language == "php":
        options["startinline"] = True
    try:
        return get_lexer_by_name(language, **options)
    except ClassNotFound:
        return TextLexer(**options)
