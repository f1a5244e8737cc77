"""Every question's entry point, free of transport: gRPC, command line, MCP and web page all ask here."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec

from headwater.domain.answer import (
    Answer,
    ContextAnswer,
    FilesAnswer,
    FreshnessAnswer,
    QueryKind,
    StageFreshness,
    StructuralReport,
)
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.query_error import InvalidQuestionError, UnavailableError
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FilesQuestion,
    FreshnessQuestion,
    GrepQuestion,
    OutcomeReport,
    Place,
    Question,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.domain.question_check import check_question
from headwater.limits import limits
from headwater.query.access import Access
from headwater.query.arrivals import Arrivals
from headwater.query.classify import Intent, classify
from headwater.query.context import build_context
from headwater.query.deadline import MAX_SECONDS, Deadline
from headwater.query.file_status import file_states
from headwater.query.freshness import Contains, equal_only, freshness
from headwater.query.glob import PathFilter
from headwater.query.grep import compile_pattern, scan
from headwater.query.heads import HeadOf, in_time, unknown_head, with_head
from headwater.query.hydration import Hydration
from headwater.query.named_views import Names, default_views
from headwater.query.outcomes import OutcomeLog, check_report
from headwater.query.page_token import PageTokens
from headwater.query.paging import Page, Pager
from headwater.query.path_search import PathLists
from headwater.query.ranked import RankedList, hydrated
from headwater.query.reranking import Reranker
from headwater.query.resolution import Resolutions
from headwater.query.retrieval import VectorSide
from headwater.query.search import Searcher
from headwater.query.selecting import select_files
from headwater.query.session import Sessions, with_fields
from headwater.query.shaping import Shaping
from headwater.query.structural import Preparer, StructuralPart
from headwater.query.syntax import ParsedQuery, parse_query
from headwater.query.targets import Meaning, meaning_of_place, meaning_of_symbol
from headwater.query.usages import check_kinds, definition_results, find_usages, usage_results
from headwater.stores.compiled_indexes import CompiledIndexes
from headwater.stores.index_reader import IndexReader

MIN_CONTEXT_TOKENS, MAX_CONTEXT_TOKENS = 100, 200_000
RETRIEVAL_THREADS, HEAD_THREADS = 8, 8
NOT_READ = "the text of some files could not be read from the git host with your credential: they were not searched"


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine is made of; everything but the reader may be absent."""

    reader: IndexReader
    vectors: VectorSide | None = None
    reranker: Reranker | None = None
    shaping: Shaping = Shaping()
    outcomes: OutcomeLog | None = None
    compiled: CompiledIndexes | None = None
    names: Names = Names()
    contains: Contains = equal_only
    head_of: HeadOf = unknown_head
    stages: Callable[[], tuple[StageFreshness, ...]] = tuple  # of the pipeline behind the index
    structural: StructuralPart | None = None
    hydration: Hydration | None = None  # where the catalog keeps no text
    page_secret: bytes = b""  # shared by all replicas; random when empty


class Engine:
    """Answers questions under a caller's grants. Raises QueryError and nothing else that a caller causes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._sessions = Sessions(parts.reader, parts.names, parts.contains, parts.compiled, parts.hydration)
        keep_s = parts.hydration.ttl_s if parts.hydration is not None else float("inf")
        self._pager = Pager(PageTokens(parts.page_secret or os.urandom(32)), keep_s)
        self._executor = ThreadPoolExecutor(RETRIEVAL_THREADS, "retrieval")
        self._hosts = ThreadPoolExecutor(HEAD_THREADS, "heads")  # apart: a host that hangs holds back no search
        self._resolutions = Resolutions()
        self._searcher = Searcher(
            parts.vectors, self._executor, self._resolutions, PathLists(parts.reader), parts.reranker, parts.shaping
        )

    def search(self, question: SearchQuestion, grants: Grants = ALLOW_ALL) -> Answer:
        """Ranked results of any query."""
        check_question(question, limits())
        query, intent = _understood(question)
        full = with_fields(question, query)
        with self._sessions.open(full, grants, Deadline(question.timeout_s)) as access:
            page = self._pager.page(question, grants, access)
            ranked = self._pager.ranked(page, access, lambda: self._searcher.rank(access, query, intent))
            answer = self._ranked_page(access, page, ranked)
        return msgspec.structs.replace(answer, query_truncated=query.truncated)

    def definitions(self, question: DefinitionsQuestion, grants: Grants = ALLOW_ALL) -> Answer:
        """All definitions of a symbol, or what a place means."""
        check_question(question, limits())
        with self._sessions.open(question, grants, Deadline(question.timeout_s)) as access:
            page = self._pager.page(question, grants, access)
            self._pager.check_current(page, access)
            results = definition_results(access, self._meaning(access, question.symbol, question.place))
            shown, token = self._pager.cut(page, results)
            return Answer(
                as_of=access.as_of(),
                results=tuple(shown),
                complete=access.whole,
                degraded=access.without(),
                next_page_token=token,
                total=len(results),
            )

    def usages(self, question: UsagesQuestion, grants: Grants = ALLOW_ALL) -> Answer:
        """Every use of a symbol: all in one answer, or in pages of `limit`."""
        check_question(question, limits())
        kinds = check_kinds(question.kinds)
        with self._sessions.open(question, grants, Deadline(question.timeout_s)) as access:
            page = self._pager.page(question, grants, access)
            self._pager.check_current(page, access)
            meaning = self._meaning(access, question.symbol, question.place)
            found = find_usages(access, self._resolutions, meaning, kinds)
            shown, token = self._pager.cut(page, found) if question.limit else (found, "")
            results = tuple(usage_results(access, list(shown)))
            return Answer(
                as_of=access.as_of(),
                results=results,
                complete=access.whole,
                degraded=access.without(),
                next_page_token=token,
                total=len(found),
            )

    def grep(self, question: GrepQuestion, grants: Grants = ALLOW_ALL) -> Answer:
        """Matches of a text or regular expression, in (view, path, position) order."""
        check_question(question, limits())
        pattern = compile_pattern(question)
        with self._sessions.open(question, grants, Deadline(question.timeout_s)) as access:
            page = self._pager.page(question, grants, access)
            self._pager.check_current(page, access)
            found = scan(access, pattern, page.limit, (page.position[0], page.position[1]))
            token = self._pager.token(page, found.resume) if found.resume is not None else ""
            return Answer(
                as_of=access.as_of(),
                results=found.results,
                complete=found.complete and not token and access.whole,
                degraded=found.degraded,
                next_page_token=token,
                total=len(found.results),
            )

    def context(self, question: ContextQuestion, grants: Grants = ALLOW_ALL) -> ContextAnswer:
        """Code that answers a query and what it calls, within a token budget."""
        check_question(question, limits())
        if not MIN_CONTEXT_TOKENS <= question.max_tokens <= MAX_CONTEXT_TOKENS:
            message = f"max_tokens is {question.max_tokens}: give {MIN_CONTEXT_TOKENS} to {MAX_CONTEXT_TOKENS}"
            raise InvalidQuestionError("max_tokens", message)
        query, intent = _understood(SearchQuestion(query=question.query))
        with self._sessions.open(with_fields(question, query), grants, Deadline(question.timeout_s)) as access:
            ranked = self._searcher.rank(access, query, intent)
            return build_context(access, self._resolutions, ranked, question.max_tokens, self._parts.shaping.expand)

    def files(self, question: FilesQuestion, grants: Grants = ALLOW_ALL) -> FilesAnswer:
        """What became of a file, or of all below a folder."""
        check_question(question, limits())
        with self._sessions.open(question, grants, Deadline(question.timeout_s)) as access:
            page = self._pager.page(question, grants, access)
            self._pager.check_current(page, access)
            states = file_states(access, question.path)
            shown, token = self._pager.cut(page, states)
            return FilesAnswer(as_of=access.as_of(), files=tuple(shown), next_page_token=token, total=len(states))

    def structural(self, question: StructuralQuestion, grants: Grants = ALLOW_ALL) -> StructuralReport:
        """Which code has a shape, in the files that the question selects."""
        return StructuralReport.joined(self.structural_parts(question, grants))

    def structural_parts(self, question: StructuralQuestion, grants: Grants = ALLOW_ALL) -> Iterator[StructuralReport]:
        """The same as it is found, with its views pinned until the last part is taken."""
        check_question(question, limits())
        part, deadline = self._structural(), Deadline(question.timeout_s)
        with self._sessions.open(question, grants, deadline) as access:
            yield from part(question, select_files(access), deadline.remaining)
            if access.texts.lacking:
                yield StructuralReport(complete=False, problems=(NOT_READ,))

    def prepare_structural(self) -> None:
        """Get ready for structural questions about the views that are searched by default."""
        part = self._structural()
        with self._sessions.open(StructuralQuestion(), ALLOW_ALL, Deadline(MAX_SECONDS)) as access:
            part.prepare(select_files(access))

    def preparer(self) -> Preparer:
        """Does so again whenever one of those views has moved. Looking asks no git host how far it is."""

        def published() -> object:
            return {(v.repo, v.ref): v.commit for v in self.views(FreshnessQuestion()).views if v.default}

        return Preparer(published, self.prepare_structural)

    def _structural(self) -> StructuralPart:
        if self._parts.structural is None:
            message = "this service answers no structural questions: install the extra 'structural'"
            raise UnavailableError("NO_STRUCTURAL_ENGINE", message)
        return self._parts.structural

    def freshness(self, question: FreshnessQuestion, grants: Grants = ALLOW_ALL) -> FreshnessAnswer:
        """How far the selected views are, and from their git host; waits for `min_commit`."""
        check_question(question, limits())
        deadline = Deadline(question.timeout_s)
        states = self._sessions.wait(question, grants, deadline)
        defaults = {s.view for s in default_views(states, self._parts.names.default_ref)}
        refused = self._parts.reader.refusals()
        asked = [(s, self._hosts.submit(self._parts.head_of, s)) for s in states]
        views = tuple(
            with_head(freshness(s, s.view in defaults, refused.get(s.view)), in_time(h, deadline), grants)
            for s, h in asked
        )
        return FreshnessAnswer(views=views, stages=self._parts.stages())

    @property
    def arrivals(self) -> Arrivals:
        """Tells who waits for a commit when to look again."""
        return self._sessions.arrivals

    def holds(self, question: Question, grants: Grants = ALLOW_ALL) -> bool:
        """Whether the selected views hold `min_commit` now."""
        return self._sessions.holds(question, grants)

    def views(self, question: FreshnessQuestion, grants: Grants = ALLOW_ALL) -> FreshnessAnswer:
        """Every view that the caller may read and the question selects; all of them when it names no ref."""
        check_question(question, limits())
        everything = question if question.refs else msgspec.structs.replace(question, refs=("*",))
        states = self._sessions.visible(everything, grants)
        defaults = {s.view for s in default_views(states, self._parts.names.default_ref)}
        refused = self._parts.reader.refusals()
        return FreshnessAnswer(views=tuple(freshness(s, s.view in defaults, refused.get(s.view)) for s in states))

    def report(self, report: OutcomeReport, grants: Grants = ALLOW_ALL) -> bool:
        """Whether the report was kept."""
        check_question(report, limits())
        check_report(report)
        if self._parts.outcomes is None:
            return False
        self._parts.outcomes.record(report, grants.principal)
        return True

    def close(self) -> None:
        self._sessions.close()
        for threads in (self._executor, self._hosts):
            threads.shutdown(wait=False, cancel_futures=True)

    def _meaning(self, access: Access, symbol: str, place: Place | None) -> Meaning:
        """Filters choose among usages, never what the name means."""
        unfiltered = msgspec.structs.replace(access, paths=PathFilter(()), languages=frozenset())
        if place is not None:
            return meaning_of_place(unfiltered, self._resolutions, place)
        if not symbol.strip():
            raise InvalidQuestionError("symbol", "name a symbol, or a place (path, line, column) where it is used")
        return meaning_of_symbol(unfiltered, symbol)

    def _ranked_page(self, access: Access, page: Page, ranked: RankedList) -> Answer:
        as_first = msgspec.structs.replace(access, scope=ranked.scope)
        shown, token = self._pager.cut(page, ranked.items)
        results = hydrated(as_first, shown)
        return Answer(
            as_of=as_first.as_of(),
            results=results,
            complete=ranked.complete and access.whole,
            degraded=as_first.without(ranked.degraded),
            kind=ranked.kind,
            next_page_token=token,
            total=len(ranked.items),
        )


def _understood(question: SearchQuestion) -> tuple[ParsedQuery, Intent]:
    """Raises InvalidQuestionError for a query that asks nothing."""
    query = parse_query(question.query)
    if query.is_empty:
        raise InvalidQuestionError("query", "the query is empty: type a name, a question, or quoted text")
    if question.mode is QueryKind.LITERAL and not query.literals:
        query = msgspec.structs.replace(query, literals=(query.text or query.symbol,), text="")
    return query, forced(query, question.mode) if question.mode is not None else classify(query)


def forced(query: ParsedQuery, mode: QueryKind) -> Intent:
    """The caller says how to read the query."""
    guessed = classify(query)
    text = query.symbol or query.text or query.literals[0]
    if mode in (QueryKind.IDENTIFIER, QueryKind.USAGES):
        known = guessed.kind in (QueryKind.IDENTIFIER, QueryKind.USAGES)
        return Intent(kind=mode, symbol=guessed.symbol if known else text, path=guessed.path if known else "")
    return Intent(kind=mode, symbol=text, path=text, mentions=guessed.mentions)
