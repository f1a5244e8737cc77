"""Splits a question into words, names, strings, numbers, operators and pieces of code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from headwater.structural.query import Construct, Node
from headwater.structural.translate import lexicon
from headwater.structural.translate.snippet import read_snippet
from headwater.structural.translate.spelling import WORDS, corrected, lemma
from headwater.structural.translate.symbols import Symbols


class Kind(StrEnum):
    WORD = "word"
    NAME = "name"
    STRING = "string"
    NUMBER = "number"
    OPERATOR = "operator"
    CODE = "code"
    COMMA = "comma"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is the lemma of a word, the name, value or sign otherwise; `written` is what the question has."""

    kind: Kind
    text: str
    written: str
    node: Node | None = None
    relative: bool = False  # stands after `that` or `which`


_ARGUMENTS = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_PATH = r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*"
_VALUE = rf"(?:\"[^\"]*\"|-?\d[\w.]*|new\s+{_PATH}{_ARGUMENTS}|{_PATH}(?:{_ARGUMENTS})?|\.\.\.)"
_CODE = re.compile(
    rf"""(?P<tick>`[^`]+`(?:\(\))?)
    |(?P<code>\b(?:while|if|switch|synchronized)\s*{_ARGUMENTS}
      |\b(?:throw|return)\s+(?:new\s+)?{_PATH}{_ARGUMENTS}
      |\bthrow\s+new\s+{_PATH}
      |\bnew\s+[A-Z][\w.]*(?:{_ARGUMENTS}(?:\.{_PATH}{_ARGUMENTS})*)?
      |(?<![\w.])(?:null|true|false|-?\d+)\s*[=!]=\s*{_PATH}(?:{_ARGUMENTS})?
      |{_PATH}(?:\+\+|--)|(?:\+\+|--){_PATH}
      |{_PATH}\s*(?:=|\+=|-=)\s*{_VALUE}
      |{_PATH}{_ARGUMENTS}\s*(?:[=!<>]=|<|>)\s*(?:-?\d+\b|null\b|true\b|false\b|"[^"]*"|{_PATH}{_ARGUMENTS})
      |{_PATH}\[[^\[\]]+\]
      |(?<![\w)\]])-\d+\b|{_PATH}\s*[+*/%]\s*\d+\b
      |{_PATH}{_ARGUMENTS}\s*[-+*/%]\s*(?:\d+\b|"[^"]*"|{_PATH}{_ARGUMENTS})
      |!?{_PATH}{_ARGUMENTS}(?:\.{_PATH}{_ARGUMENTS})*)
    |(?P<string>"[^"]*"|(?<![\w])'[^']*'(?![\w]))
    |(?P<number>\b0[xX][0-9A-Fa-f]+\b|\b\d+(?:\.\d+)?[LlFfDd]?\b(?!\w))
    |(?P<dropped>\b[ie]\.[eg]\.)
    |(?P<word>(?:(?<!\S)\*)?[A-Za-z_$@][\w$]*(?:(?:\.|-|/|')[A-Za-z_$*][\w$]*)*(?:\[\]|\*(?!\S))?)
    |(?P<operator>\?:|[-+*/%&|^=!<>~]+)
    |(?P<comma>[,;])""",
    re.VERBOSE,
)
_NAME_LIKE = re.compile(
    r"\*\w+|.*[a-z\d$][A-Z].*|.*_.*|.*\w\.\w.*|[A-Z]{2,}[\w]*|.*\[\]|.*\w\*.*|\w+\*|[A-Z][a-z]+\d\w*|[a-z]+\d+\w*|@\w"
    r"+"
)
_INTRODUCES_NAME = frozenset(
    [
        "variable",
        "var",
        "param",
        "parameter",
        "field",
        "method",
        "function",
        "class",
        "named",
        "called",
        "member",
        "property",
        "constructor",
        "local",
    ]
)
_NAMING_PREPOSITIONS = frozenset(("to", "of"))
_NAMED_NOUNS = frozenset(["call", "invocation", "assignment", "instantiation", "creation", "cast"])
_OPENING_VERBS = frozenset(
    ["list", "find", "show", "search", "look", "get", "give", "locate", "any", "all", "every", "which", "where", "what"]
)
_PREPOSITIONS = frozenset(
    [
        "on",
        "in",
        "by",
        "with",
        "of",
        "to",
        "for",
        "at",
        "as",
        "from",
        "inside",
        "within",
        "after",
        "before",
        "and",
        "or",
    ]
)
_BEFORE_NAMES = _PREPOSITIONS | lexicon.DROPPED | lexicon.WITH | lexicon.WITHOUT | {"all", "every", "no", "not", "find"}
_NEVER_BEFORE_NOUNS = (
    lexicon.DROPPED
    | _PREPOSITIONS
    | lexicon.NEGATIONS
    | lexicon.MODIFIER_WORDS
    | lexicon.PRIMITIVES
    | set(lexicon.NUMBERS)
    | {"all", "any", "every", "each", "other", "method", "function", "constructor", "object", "empty", "nested"}
)
_AFTER_CALLS = (
    _PREPOSITIONS
    | lexicon.DROPPED
    | lexicon.NEGATIONS
    | lexicon.WITH
    | lexicon.WITHOUT
    | ({key[0] for key in lexicon.RELATIONS} - {"read", "check", "test"})
)
_OFTEN = 3
_DATA = (Construct.VARIABLE, Construct.PARAMETER, Construct.FIELD)
_DATA_NOUNS = frozenset(("variable", "var", "param", "parameter", "field"))
_AFTER_DATA = (
    _PREPOSITIONS
    | lexicon.DROPPED
    | lexicon.NEGATIONS
    | lexicon.WITH
    | lexicon.WITHOUT
    | lexicon.NAMED
    | {"used", "type", "declaration", "access", "assigned", "whose", "using", "passed", "being"}
)
_CALLING = frozenset(("call", "calling", "invoke", "invoking"))
_CODE_KEYWORDS = ("while", "if", "switch", "synchronized")


def tokenize(question: str, symbols: Symbols) -> list[Token]:
    """The question's tokens in order; words that mean nothing here are UNKNOWN."""
    found: list[Token] = []
    for match in _CODE.finditer(question):
        symbols.check()
        found.extend(_token(match, found, symbols))
    return found


def _token(match: re.Match[str], before: list[Token], symbols: Symbols) -> Iterator[Token]:
    written = match.group()
    kind = match.lastgroup
    if kind == "tick":
        yield from _quoted(written.removesuffix("()").strip("`"), symbols)
    elif kind == "code":
        yield from _code(written, before, symbols)
    elif kind == "string":
        yield Token(Kind.STRING, written[1:-1], written)
    elif kind == "number":
        yield Token(Kind.NUMBER, written, written)
    elif kind == "operator" and _is_dash(match):
        yield Token(Kind.COMMA, written, written)
    elif kind == "operator":
        yield Token(Kind.WORD if written == "?:" else Kind.OPERATOR, written, written)
    elif kind in ("comma", "dropped"):
        yield Token(Kind.COMMA, written, written)
    else:
        called = _IS_CALLED.match(match.string, match.end()) is not None and written in symbols
        called = called and written not in lexicon.DROPPED and lemma(written) not in lexicon.ARGUMENT_NOUNS
        called = called or _names_what_follows(match, before, symbols) or _is_left_alone(match, before, symbols)
        yield from [Token(Kind.NAME, written, written)] if called else _word(written, before, symbols)


_IS_CALLED = re.compile(
    r"\s+(?:is |are |gets )?(?:called|invoked)"
    r" (?:on|with|without|in|inside|within|before|after|outside|under|from|only)\b"
    r"|\s+(?:is|are|gets?) (?:called|invoked)\b"
)
_RELATION_WORDS = frozenset(
    (
        "read",
        "check",
        "test",
        "contains",
        "include",
        "includes",
        "hold",
        "guard",
        "accept",
        "take",
        "equals",
        "lock",
        "write",
        "get",
        "add",
    )
)
_ALONE = re.compile(
    r"\s*(?:$|[,;.?)]|(?:and|or|in|inside|within|under|that|which|before|after|only|followed|preceded|with|without|outside|not)\b"
    r")"
)


_FOLLOWING = re.compile(
    r"\s+(?:(?P<call>(?:method |function )?(?:calls?|invocations?)\b)|(?P<method>(?:method|function)s?\b(?! calls?)))"
)


def _names_what_follows(match: re.Match[str], before: list[Token], symbols: Symbols) -> bool:
    """`contains calls`, `an equals method`: a name although it is a word that means something as well."""
    written, noun = match.group(), _FOLLOWING.match(match.string, match.end())
    if noun is None or written.lower() in _NEVER_BEFORE_NOUNS or (not before and lemma(written) in _OPENING_VERBS):
        return False
    if before and before[-1].kind is Kind.WORD and before[-1].text not in _BEFORE_NAMES:
        return False
    return (
        symbols.count(written, Construct.CALL) + (symbols.count(written, Construct.METHOD) if noun["method"] else 0) > 0
    )


def _is_left_alone(match: re.Match[str], before: list[Token], symbols: Symbols) -> bool:
    """`read, …`, `before read`: a word for a relation that nothing stands in is the name that it is in the code."""
    written = match.group()
    if written not in _RELATION_WORDS or not symbols.count(written, Construct.CALL):
        return False
    if before and (before[-1].kind is Kind.NAME or (before[-1].text,) in lexicon.NOUNS):
        return False  # `a type check`
    return not before or _ALONE.match(match.string, match.end()) is not None


def _is_dash(match: re.Match[str]) -> bool:
    before, after = match.string[: match.start()], match.string[match.end() :]
    if match.group() != "-" or not before.endswith(" ") or not after.startswith(" "):
        return False
    return before.split()[-1:] not in ([word] for word in ("a", "an", "the", "to", "with", "of", "operator", "sign"))


def _quoted(inner: str, symbols: Symbols) -> Iterator[Token]:
    if re.fullmatch(_PATH + r"(\[\])?", inner):
        yield Token(Kind.NAME, inner, inner)
    elif re.fullmatch(r"[-+*/%&|^=!<>~]+", inner):
        yield Token(Kind.OPERATOR, inner, inner)
    elif (
        re.fullmatch(r"(?!(?:return|throw|new|assert)\b)[a-z]+(?: [\w.]+)+", inner) and lemma(inner.split()[0]) in WORDS
    ):
        yield from tokenize(inner, symbols)  # half a construct: `instanceof Foo`
    elif (node := read_snippet(inner)) is not None:
        yield Token(Kind.CODE, inner, inner, node)
    else:
        yield Token(Kind.STRING, inner, inner)


def _code(written: str, before: list[Token], symbols: Symbols) -> Iterator[Token]:
    head, _, rest = written.partition("(")
    name = head.strip()
    plain = re.fullmatch(_PATH, name) is not None
    if name in _CODE_KEYWORDS and (node := read_snippet(written)) is not None:
        yield Token(Kind.CODE, written, written, node)
        return
    if plain and lemma(name) in WORDS and name not in symbols:
        yield from _word(name, before, symbols)
        yield from tokenize(rest.rstrip(")"), symbols)
        return
    if plain and " " in head and name not in symbols:  # a remark in parentheses
        yield from _word(name, before, symbols)
        yield from tokenize(rest.rstrip(")"), symbols)
        return
    if plain and rest == ")" and name.count(".") > 1:
        yield Token(Kind.NAME, name, written)
        return
    node = read_snippet(written) or _counted_snippet(written)
    if node is None:
        yield Token(Kind.UNKNOWN, f"({rest}" if plain else written, f"({rest}" if plain else written)
        yield from [Token(Kind.NAME, name, name)] if plain else []
        return
    yield Token(Kind.CODE, written, written, node)


def _counted_snippet(written: str) -> Node | None:
    """`foo(two args)`: only how many there are is said."""
    said = re.fullmatch(r"(.*)\((\w+) arg(?:ument)?s?\)", written)
    number = lexicon.NUMBERS.get(said.group(2)) if said is not None else None
    if said is None or number is None:
        return None
    return read_snippet(f"{said.group(1)}({', '.join('x' * number)})")


def _word(written: str, before: list[Token], symbols: Symbols) -> Iterator[Token]:
    bare = written.removesuffix("'s")
    low = lemma(bare)
    if bare == "i" and before and bare in symbols:
        yield Token(Kind.NAME, bare, written)
        return
    if (bare[:1].isupper() and symbols.is_type(bare) and (before or low not in _OPENING_VERBS)) or (
        bare in symbols and _introduced(before, bare, low, symbols)
    ):
        yield Token(Kind.NAME, bare, written)
    elif low in WORDS and not _NAME_LIKE.fullmatch(bare):
        yield Token(Kind.WORD, low, written)
    elif _NAME_LIKE.fullmatch(bare) or bare in symbols:
        yield Token(Kind.NAME, bare if bare in symbols else _inflected(bare, symbols) or bare, written)
    elif "-" in bare or "/" in bare:
        for part in re.split("[-/]", bare):
            yield from _word(part, before, symbols)
    elif known := _inflected(bare, symbols):
        yield Token(Kind.NAME, known, written)
    else:
        mended = corrected(low)
        meant = symbols.nearest(bare) if _introduced(before, bare, low, symbols) else ""
        if meant:
            yield Token(Kind.NAME, meant, written)
        elif mended:
            yield Token(Kind.WORD, mended, written)
        else:
            yield Token(Kind.NAME if bare[:1].isupper() and before else Kind.UNKNOWN, bare, written)


def _inflected(word: str, symbols: Symbols) -> str:
    """`appends`, `HashMaps`: the name of the code that is said in the plural or as a verb, "" for none."""
    stems = (word[: -len(ending)] for ending in ("s", "es", "ed", "d", "ing") if word.endswith(ending))
    return next((stem for stem in stems if len(stem) > 2 and stem in symbols), "")


_NOUN_WORDS = frozenset(word for key in lexicon.NOUNS for word in key)
_NEVER_NAMES = (
    lexicon.DROPPED
    | _PREPOSITIONS
    | lexicon.NAMED
    | lexicon.WITH
    | lexicon.WITHOUT
    | lexicon.NEGATIONS
    | lexicon.CREATED
    | {"type", "class", "taking", "take", "invoked", "annotated", "declared", "defined", "marked", "assigned", "used"}
    | {word for table in (lexicon.NOUNS, lexicon.RELATIONS) for key in table for word in key if word != "value"}
)


def _introduced(before: list[Token], word: str, low: str, symbols: Symbols) -> bool:
    """Whether what stands before says that a name comes now, even one that is a word as well."""
    if not before or low in _PREPOSITIONS or low in lexicon.DROPPED or word in lexicon.LITERAL_VALUES:
        return False
    last = lemma(before[-1].written)
    if last in lexicon.NAMED:
        return low not in lexicon.WITH | lexicon.WITHOUT | lexicon.NEGATIONS
    if last in _DATA_NOUNS and sum(symbols.count(word, kind) for kind in _DATA) >= _OFTEN:
        return low not in _AFTER_DATA
    if last in _CALLING and symbols.count(word, Construct.CALL):
        return low not in _AFTER_CALLS
    if last in _NAMING_PREPOSITIONS and len(before) > 1 and lemma(before[-2].written) in ("call", "invocation"):
        return symbols.count(word, Construct.CALL) > 0 or low not in _NOUN_WORDS
    if last in ("of", "from") and len(before) > 1 and before[-2].text in ("result", "value"):
        return symbols.count(word, Construct.CALL) > 0 and low not in _NOUN_WORDS
    if last in _NAMING_PREPOSITIONS and len(before) > 1 and lemma(before[-2].written) in _NAMED_NOUNS:
        return low not in _NOUN_WORDS
    return last in _INTRODUCES_NAME and low not in _NEVER_NAMES
