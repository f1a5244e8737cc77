"""What a caller gets: results with the commit they are as of, and whether anything is missing from them."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from headwater.domain.document import Position, Span


class QueryKind(StrEnum):
    """How a search query was understood."""

    IDENTIFIER = "identifier"
    NATURAL_LANGUAGE = "natural_language"
    USAGES = "usages"
    PATH = "path"
    MIXED = "mixed"
    LITERAL = "literal"


class Certainty(StrEnum):
    """How a name was tied to a definition."""

    RESOLVED = "resolved"  # by scopes, imports, containers or types
    BY_NAME = "by_name"  # the names are equal, and nothing speaks against it


class AsOf(msgspec.Struct, frozen=True):
    """A view and the commit that its part of the answer holds exactly."""

    repo: str
    ref: str
    commit: str


class Range(msgspec.Struct, frozen=True):
    """Half-open; lines and columns 1-based, `*_col` in code points, `*_byte_col` in UTF-8 bytes."""

    start_line: int
    start_col: int
    start_byte_col: int
    end_line: int
    end_col: int
    end_byte_col: int

    @staticmethod
    def of_span(span: Span) -> "Range":
        return Range(
            span.start_line, span.start_col, span.start_byte_col, span.end_line, span.end_col, span.end_byte_col
        )

    @staticmethod
    def of_token(at: Position, token: str) -> "Range":
        byte_end = at.byte_col + len(token.encode("utf-8"))
        return Range(at.line, at.col, at.byte_col, at.line, at.col + len(token), byte_end)


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One place in one view. Fields that don't apply to a kind of answer are empty."""

    repo: str
    ref: str
    commit: str
    path: str
    language: str
    range: Range
    symbol: str = ""
    qualified: str = ""
    kind: str = ""  # SymbolKind, ReferenceKind (usages), "block", "lines", "match" or "file"
    signature: str = ""
    score: float = 0.0  # comparable within one answer only
    retrievers: tuple[str, ...] = ()
    snippet: str = ""  # empty in pointers-only mode
    snippet_line: int = 0  # line on which `snippet` starts
    duplicates: int = 0  # near-equal results folded into this one
    generated: bool = False
    certainty: Certainty | None = None  # of definitions and usages
    definition: str = ""  # usages: qualified name of what it is resolved to


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What every question about code returns."""

    as_of: tuple[AsOf, ...] = ()
    results: tuple[Result, ...] = ()
    complete: bool = True  # False: a budget or deadline cut the answer short
    degraded: tuple[str, ...] = ()  # parts that could not answer: vector, text, …
    kind: QueryKind | None = None
    query_truncated: bool = False
    next_page_token: str = ""
    total: int = 0  # results the caller may see, all pages together; a lower bound if not `complete`


class ContextItem(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of context and why it is there: "hit", or "callee of X"."""

    result: Result
    tokens: int
    reason: str


class ContextAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Items in the order in which to read them; `omitted` counts those that the budget left out."""

    as_of: tuple[AsOf, ...] = ()
    items: tuple[ContextItem, ...] = ()
    tokens: int = 0
    omitted: int = 0
    complete: bool = True
    degraded: tuple[str, ...] = ()


class StructuralReport(msgspec.Struct, frozen=True, kw_only=True):
    """What has the shape that was asked for, and the query that found it: to be read, edited and asked again.

    Also a part of one that comes as it is found: the first has the query and the views, the last one `complete` and the
    problems met on the way, those between a file's results each.
    """

    as_of: tuple[AsOf, ...] = ()
    query: dict[str, object] | None = None  # the intermediate query, None when there is none to show
    engine: str = ""  # flowgraph, ast-grep or semgrep
    rendered: str = ""  # the query in plain words
    engine_query: str = ""  # in the engine's own language
    not_understood: tuple[str, ...] = ()  # words of the question that no part of the query stands for
    problems: tuple[str, ...] = ()
    complete: bool = True  # False: limit or deadline cut the results, or not all was understood or readable
    results: tuple[Result, ...] = ()

    @staticmethod
    def joined(parts: Iterable["StructuralReport"]) -> "StructuralReport":
        """The whole that the parts, at least one, are of."""
        listed = list(parts)
        return msgspec.structs.replace(
            listed[0],
            problems=tuple(problem for part in listed for problem in part.problems),
            complete=listed[-1].complete,
            results=tuple(result for part in listed for result in part.results),
        )


class FileState(msgspec.Struct, frozen=True, kw_only=True):
    """A tracked file and what became of it; `explanation` says it in words, with what to do."""

    repo: str
    ref: str
    commit: str
    path: str
    status: str  # indexed, skipped, parked, pending
    reason: str = ""
    explanation: str = ""
    language: str = ""
    size: int = 0
    lines: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()


class FilesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The files asked about, in path order."""

    as_of: tuple[AsOf, ...] = ()
    files: tuple[FileState, ...] = ()
    next_page_token: str = ""
    total: int = 0


class ViewFreshness(msgspec.Struct, frozen=True, kw_only=True):
    """A view as readers see it, and how far the next commit is."""

    repo: str
    ref: str
    commit: str  # published; "" before the first publication
    tree: str = ""
    tree_proven: bool = False
    generation: int = 0
    opened_commit: str = ""
    vector_complete: bool = True
    pushed_at: float = 0.0
    published_at: float = 0.0
    default: bool = False
    head: str | None = None  # the git host's commit of the ref; "": it has none; None: it could not be asked
    divergent_files: int = 0  # paths on which `commit` as it is indexed differs from `head`
    divergent_paths: tuple[str, ...] = ()  # the first of them
    refused: str = ""  # why the ref's newest commit can't be taken in; "" when it can


class StageFreshness(msgspec.Struct, frozen=True, kw_only=True):
    """How old the newest heartbeat is that came through one partition of what a stage consumes."""

    stage: str
    topic: str
    partition: int
    heartbeat_age_seconds: float


class FreshnessAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`satisfied`: every selected view holds `min_commit` (or none was asked for)."""

    views: tuple[ViewFreshness, ...] = ()
    satisfied: bool = True
    stages: tuple[StageFreshness, ...] = ()  # none where one process does everything
