"""What a caller asks: one value a kind of question, the same for gRPC, command line, MCP and web page."""

import msgspec

from headwater.domain.answer import QueryKind

DEFAULT_LIMIT = 20
MAX_LIMIT = 500
MAX_QUERY_BYTES = 8192  # longer queries are cut there, and the answer says so


class Place(msgspec.Struct, frozen=True):
    """A position in a file: 1-based line and column, columns in code points."""

    path: str
    line: int
    col: int


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What every question carries. Empty selectors mean each repository's default view and every file."""

    repos: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()  # full or short names, commit ids, or "*" for every view
    path_globs: tuple[str, ...] = ()  # a leading "!" excludes; rules in docs/api.md
    languages: tuple[str, ...] = ()
    limit: int = DEFAULT_LIMIT
    page_token: str = ""
    min_commit: str = ""  # wait until the one selected view has published this commit
    timeout_s: float | None = None


class SearchQuestion(Question, frozen=True, kw_only=True):
    """Anything a person or an agent types; syntax in docs/api.md."""

    query: str
    mode: QueryKind | None = None  # how to read the query; None lets its shape decide


class DefinitionsQuestion(Question, frozen=True, kw_only=True):
    """Where a symbol is defined: by plain or qualified name, or from a place where it is used."""

    symbol: str = ""
    place: Place | None = None


class UsagesQuestion(Question, frozen=True, kw_only=True):
    """Every use of a symbol; locals can be asked by place only."""

    symbol: str = ""
    place: Place | None = None
    kinds: tuple[str, ...] = ()  # ReferenceKind values, empty for all
    limit: int = 0  # all of them; else pages


class GrepQuestion(Question, frozen=True, kw_only=True):
    """Text as written, literal unless `regex`."""

    pattern: str
    regex: bool = False
    ignore_case: bool = False
    multiline: bool = False  # matches may span lines, and "." then matches a line end


class ContextQuestion(Question, frozen=True, kw_only=True):
    """Code for an agent's prompt: definitions that answer `query` and what they call, within `max_tokens`."""

    query: str
    max_tokens: int = 4000


class StructuralQuestion(Question, frozen=True, kw_only=True):
    """Which code has this shape: exactly one of the four ways to say it."""

    words: str = ""
    query: str = ""  # JSON of the intermediate query, schemas/structural/query.v1.schema.json
    flowgraph: str = ""  # JSON of a Flowgraph rule
    semgrep: str = ""  # Semgrep rules in YAML
    exact: bool = False  # by the semgrep program, where it is installed


class FilesQuestion(Question, frozen=True, kw_only=True):
    """What became of a file, or of every file below a folder."""

    path: str = ""


class FreshnessQuestion(Question, frozen=True, kw_only=True):
    """How far the index is; with `min_commit` it waits for that commit."""


class OutcomeReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a caller did with an answer; mined into the golden set."""

    query: str
    outcome: str  # accepted, rejected, retried
    repo: str = ""
    commit: str = ""
    path: str = ""
    line: int = 0
    rank: int = 0  # 1-based rank of the result acted upon, 0 when none
    session: str = ""
