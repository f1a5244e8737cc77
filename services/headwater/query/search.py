"""Ranks what a query may mean: names, prose, paths, usages and quoted text, each by its own retrievers."""

import math
from collections.abc import Callable
from concurrent.futures import Executor

import msgspec

from headwater.clients.embedding_model import ModelUnavailableError
from headwater.domain.answer import QueryKind, Result
from headwater.domain.doc_ranges import doc_at
from headwater.domain.query_error import NotFoundError
from headwater.domain.question import GrepQuestion
from headwater.metrics import METRICS
from headwater.query.access import Access
from headwater.query.classify import Intent, looks_like_path
from headwater.query.duplicates import fold_duplicates
from headwater.query.fusion import WEIGHTS, fuse_ranks
from headwater.query.grep import compile_pattern, scan
from headwater.query.path_class import code_weight
from headwater.query.path_search import PathLists, find_files
from headwater.query.ranked import Ranked, RankedList
from headwater.query.reranking import Candidate, Reranker
from headwater.query.resolution import Resolutions
from headwater.query.retrieval import VectorSide, retrieve
from headwater.query.shaping import Shaping
from headwater.query.symbol_name import parse_symbol_name
from headwater.query.symbol_search import SymbolMatch, Tier, find_symbols
from headwater.query.syntax import ParsedQuery
from headwater.query.targets import meaning_of_symbol
from headwater.query.usages import check_kinds, find_usages
from headwater.stores.index_reader import ChunkRow, SymbolRow
from headwater.tracing.spans import span

POOL = 100  # candidates of each retriever
RERANKED = 80  # the best of them fused: more found no further answers by cross-validation, only took longer
MAX_SYMBOLS = 500  # of whole names; parts of names fill up to PART_SYMBOLS
PART_SYMBOLS = 50
ChunkKey = tuple[int, int, int]  # snapshot, document, first byte


class Searcher(msgspec.Struct, frozen=True):
    """The parts that ranking needs besides what one question may read."""

    vectors: VectorSide | None
    executor: Executor
    resolutions: Resolutions
    paths: PathLists
    reranker: Reranker | None = None
    shaping: Shaping = Shaping()

    def rank(self, access: Access, query: ParsedQuery, intent: Intent) -> RankedList:
        """The whole ranked list, in a total order."""
        if intent.kind is QueryKind.LITERAL:
            return _literal(access, query)
        if intent.kind is QueryKind.USAGES and (usages := self._usages(access, intent)) is not None:
            return usages
        if intent.kind in (QueryKind.IDENTIFIER, QueryKind.PATH):
            return self._identifier(access, query, intent)
        return self._prose(access, query, intent)

    def _usages(self, access: Access, intent: Intent) -> RankedList | None:
        """None when no such symbol exists: the sentence was prose after all."""
        try:
            meaning = meaning_of_symbol(access, intent.symbol, _path_end(intent.path))
        except NotFoundError:
            return None
        found = find_usages(access, self.resolutions, meaning, check_kinds(()))
        items = [Ranked(f, 0.0, ("references",)) for f in found]
        return RankedList(tuple(items), QueryKind.USAGES, access.scope)

    def _identifier(self, access: Access, query: ParsedQuery, intent: Intent) -> RankedList:
        files = find_files(access, self.paths, intent.path) if intent.kind is QueryKind.PATH else []
        items = [Ranked(row, 1.0 / (rank + 1), ("path",)) for rank, row in enumerate(files)]
        matches = self._symbols(access, intent)
        items += [_ranked_symbol(m, rank) for rank, m in enumerate(matches)]
        if files or query.symbol or any(m.tier is not Tier.PART for m in matches):
            return RankedList(tuple(items), intent.kind, access.scope)
        more = self._beyond_names(access, query, intent)
        further = [item for item in more.items if not _repeats(item, matches)]
        return msgspec.structs.replace(more, items=(*items, *further), kind=intent.kind)

    def _beyond_names(self, access: Access, query: ParsedQuery, intent: Intent) -> RankedList:
        if intent.symbol.isalpha() and intent.symbol.islower():  # a word of prose as much as a name
            return self._prose(access, query, intent)
        return _literal(access, ParsedQuery(text="", literals=(intent.symbol,)))

    def _symbols(self, access: Access, intent: Intent) -> list[SymbolMatch]:
        name = parse_symbol_name(intent.symbol)
        if name is None:
            return []
        path_end = "" if intent.kind is QueryKind.PATH else _path_end(intent.path)
        parts = intent.kind is not QueryKind.PATH
        return find_symbols(access, name, PART_SYMBOLS, parts=parts, path_end=path_end)[:MAX_SYMBOLS]

    def _prose(self, access: Access, query: ParsedQuery, intent: Intent) -> RankedList:
        found = retrieve(access, query.text, POOL, self.vectors, self.executor)
        rows = {_key(row): row for ranking in found.rankings.values() for row in ranking}
        rankings = {name: [_key(row) for row in ranking] for name, ranking in found.rankings.items()}
        mentioned = _mentioned(access, intent.mentions)
        rows |= {_key(row): row for row in mentioned if _key(row) not in rows}
        rankings["symbol"] = [_key(row) for row in mentioned]
        kind = intent.kind if intent.kind in WEIGHTS else QueryKind.NATURAL_LANGUAGE
        weigh = self._weigher(query)
        fused = fuse_ranks(rankings, WEIGHTS[kind])
        items = [Ranked(rows[key], f.score * weigh(rows[key]), f.retrievers) for key, f in fused.items()]
        items.sort(key=_order)
        degraded = found.degraded
        access.prepare(row.document for item in items[:RERANKED] if isinstance(row := item.row, ChunkRow))
        if self.reranker is not None and items:
            reranked = _reranked(access, self.reranker, query.text, items, found.rankings, weigh)
            items, degraded = (reranked, degraded) if reranked is not None else (items, (*degraded, "rerank"))
        items = _folded(access, items) if self.shaping.collapse else items
        if not items:
            text = _literal(access, ParsedQuery(text="", literals=(query.text,)))
            items = list(text.items)
        return RankedList(tuple(items), intent.kind, access.scope, True, degraded)

    def _weigher(self, query: ParsedQuery) -> Callable[[ChunkRow], float]:
        """What a chunk's fused score is multiplied by for the kind of file that it is in."""
        wants_tests = "test" in query.text.lower()
        if not self.shaping.demote:
            return lambda _row: 1.0
        return lambda row: code_weight(row.document.path, row.document.generated, wants_tests)


def _literal(access: Access, query: ParsedQuery) -> RankedList:
    """Quoted text as written; further quoted texts and words must occur in the same file."""
    pattern = compile_pattern(GrepQuestion(pattern=query.literals[0]))
    found = scan(access, pattern, MAX_SYMBOLS, also=[*query.literals[1:], *query.text.split()])
    items = tuple(Ranked(r, 0.0, r.retrievers) for r in found.results)
    complete = found.complete and found.resume is None
    return RankedList(items, QueryKind.LITERAL, access.scope, complete, found.degraded)


def _ranked_symbol(match: SymbolMatch, rank: int) -> Ranked:
    retriever = "symbol" if match.tier is Tier.EXACT else f"symbol:{match.tier.name.lower()}"
    return Ranked(match.row, 1.0 / (rank + 1), (retriever,))


def _repeats(item: Ranked, matches: list[SymbolMatch]) -> bool:
    """Whether a chunk or a line only shows a definition that is listed already."""
    row = item.row
    if isinstance(row, ChunkRow):
        span = row.chunk.span
        return any(
            m.row.document.document_id == row.document.document_id
            and m.row.document.snapshot == row.document.snapshot
            and span.start_byte <= m.row.symbol.at.byte < span.end_byte
            for m in matches
        )
    if isinstance(row, Result):
        return any(m.row.document.path == row.path and m.row.symbol.at.line == row.range.start_line for m in matches)
    return False


def _path_end(path: str) -> str:
    return path.strip("/").removeprefix("./") if looks_like_path(path) else ""


def _mentioned(access: Access, mentions: tuple[str, ...]) -> list[ChunkRow]:
    """The chunks of definitions that the prose names."""
    rows: list[ChunkRow] = []
    for mention in mentions:
        name = parse_symbol_name(mention)
        matches = find_symbols(access, name, 10, parts=False) if name is not None else []
        rows += [chunk for m in matches[:10] if (chunk := _chunk_of(access, m.row)) is not None]
    return rows


def _chunk_of(access: Access, row: SymbolRow) -> ChunkRow | None:
    at = row.symbol.at.byte
    chunks = access.documents.document(row.document).chunks
    around = [c for c in chunks if c.span.start_byte <= at < c.span.end_byte]
    smallest = min(around, key=lambda c: c.span.end_byte - c.span.start_byte, default=None)
    return None if smallest is None else ChunkRow(row.document, smallest)


def _key(row: ChunkRow) -> ChunkKey:
    return row.document.snapshot, row.document.document_id, row.chunk.span.start_byte


def _order(item: Ranked) -> tuple[float, int, str, int]:
    row = item.row
    if not isinstance(row, ChunkRow):
        return -item.score, 0, "", 0
    return -item.score, row.document.snapshot, row.document.path, row.chunk.span.start_byte


def _folded(access: Access, items: list[Ranked]) -> list[Ranked]:
    folded = fold_duplicates(items, _group, lambda item: _text(access, item))
    return [msgspec.structs.replace(items[f.index], duplicates=f.duplicates) for f in folded]


def _group(item: Ranked) -> tuple[str, str, int]:
    """Copies have equal names and about equal sizes; only such are compared."""
    row = item.row
    if not isinstance(row, ChunkRow):
        return "", "", 0
    chunk = row.chunk
    name = chunk.scopes[-1] if chunk.symbol >= 0 and chunk.scopes else ""
    return chunk.kind, name, round(math.log(chunk.tokens + 1, 1.25))


def _text(access: Access, item: Ranked) -> str:
    """What is there without waiting: an answer isn't kept waiting for the order of its results."""
    row = item.row
    if not isinstance(row, ChunkRow):
        return ""
    text = access.held(row.document) or b""
    return text[row.chunk.span.start_byte : row.chunk.span.end_byte].decode("utf-8", "replace")


def _reranked(
    access: Access,
    reranker: Reranker,
    query: str,
    items: list[Ranked],
    rankings: dict[str, list[ChunkRow]],
    weigh: Callable[[ChunkRow], float],
) -> list[Ranked] | None:
    """The best RERANKED in the reranker's order, the rest as they were; None when it can't answer.

    The reranker's scores are logarithms of odds: a weight adds its own logarithm.
    """
    places = {name: {_key(r): (i, r.score) for i, r in enumerate(rows, 1)} for name, rows in rankings.items()}
    head, rest = items[:RERANKED], items[RERANKED:]
    if any(isinstance(item.row, ChunkRow) and access.held(item.row.document) is None for item in head):
        return None
    candidates = [_candidate(access, item, places) for item in head]
    try:
        with METRICS.timed("headwater_query_part_seconds", part="rerank"), span("rerank"):
            scores = reranker.rerank(query, candidates, access.deadline.share(0.5))
    except ModelUnavailableError:
        return None
    moved = [
        Ranked(item.row, score + math.log(weigh(item.row)), (*item.retrievers, "rerank"))
        for item, score in zip(head, scores, strict=True)
        if isinstance(item.row, ChunkRow)
    ]
    return sorted(moved, key=_order) + rest


def _candidate(access: Access, item: Ranked, places: dict[str, dict[ChunkKey, tuple[int, float]]]) -> Candidate:
    row = item.row
    assert isinstance(row, ChunkRow)
    lexical = places.get("lexical", {}).get(_key(row), (0, 0.0))
    vector = places.get("vector", {}).get(_key(row), (0, 0.0))
    return Candidate(
        path=row.document.path,
        kind=row.chunk.kind,
        scopes=row.chunk.scopes,
        doc=row.chunk.doc or doc_at(row.chunk.doc_at, access.held(row.document) or b""),
        text=_text(access, item),
        tokens=row.chunk.tokens,
        fused=item.score,
        lexical_rank=lexical[0],
        lexical_score=lexical[1],
        vector_rank=vector[0],
        vector_score=vector[1],
    )
