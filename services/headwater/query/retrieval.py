"""The two retrievers of natural language, side by side: BM25 and vectors, each within its time."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as FutureTimeoutError

import msgspec
import numpy as np

from headwater.clients.embedding_model import EmbeddingModel, Int8Matrix, ModelUnavailableError
from headwater.domain.query_error import DeadlinePassedError
from headwater.domain.subtoken import subtokens
from headwater.metrics import METRICS
from headwater.query.access import Access, fetch_admitted
from headwater.stores.index_reader import ChunkRow
from headwater.stores.vector_store import VectorHit, VectorStore, VectorsUnavailableError
from headwater.tracing.spans import carried, span

MAX_TERMS = 64
SMALL_SCOPE = 20_000  # chunks up to which a filtered vector search is made exact
SMALL_PART = 4  # a scope that is less than a fourth of the store is searched by itself
VECTOR_SHARE = 0.6  # of the time left, so that a dead vector side leaves time to answer without it
VECTOR_WAIT_S = 2.0  # however much time is left: past it the side counts as down
_STOP_WORDS = (
    "a an and are as at be been by can could did do does for from had has have how i if in into is it its me my of on "
    "or our should so that the their them then there these they this to was we were what when where which who why "
    "will with would you your"
)
_STOP = frozenset(_STOP_WORDS.split())


class Retrieved(msgspec.Struct, frozen=True):
    """Rankings by retriever, best first, and which parts could not answer."""

    rankings: dict[str, list[ChunkRow]]
    degraded: tuple[str, ...]


class VectorSide(msgspec.Struct, frozen=True):
    """The model and the store that hold the same vectors."""

    model: EmbeddingModel
    store: VectorStore


def query_terms(text: str) -> list[str]:
    """Sub-tokens worth asking for: without stop words, unless there is nothing else."""
    tokens = list(dict.fromkeys(subtokens(text)))
    return [t for t in tokens if t not in _STOP][:MAX_TERMS] or tokens[:MAX_TERMS]


def retrieve(access: Access, text: str, want: int, vectors: VectorSide | None, executor: Executor) -> Retrieved:
    """Both retrievers at once. Raises CatalogUnavailableError; the vector side only degrades."""
    pending = executor.submit(carried(_by_vector), access, text, want, vectors) if vectors is not None else None
    lexical = _by_terms(access, query_terms(text), want)
    rankings = {"lexical": lexical}
    degraded: tuple[str, ...] = ()
    if pending is None:
        return Retrieved(rankings, ("vector",))
    found = _within(pending, access)
    if found is None:
        return Retrieved(rankings, ("vector",))
    if not found.whole or any(not snapshot.vector_complete for snapshot in access.scope):
        degraded = ("vector",)
    return Retrieved({"vector": found.rows, **rankings}, degraded)


def _within(pending: "Future[_Found]", access: Access) -> "_Found | None":
    try:
        return pending.result(timeout=min(VECTOR_WAIT_S, access.deadline.share(VECTOR_SHARE)))
    except (FutureTimeoutError, VectorsUnavailableError, ModelUnavailableError, DeadlinePassedError):
        pending.cancel()
        return None


def _by_terms(access: Access, terms: list[str], want: int) -> list[ChunkRow]:
    if not terms:
        return []
    reader, scope = access.reader, access.counted()
    with METRICS.timed("headwater_query_part_seconds", part="lexical"), span("lexical"):
        rows = fetch_admitted(lambda n: reader.lexical(scope, terms, n), lambda r: access.admits(r.document), want)
    return rows[:want]


class _Found(msgspec.Struct, frozen=True):
    """`whole` is False when vectors that the scope needs are known to be lost."""

    rows: list[ChunkRow]
    whole: bool = True


def _by_vector(access: Access, text: str, want: int, vectors: VectorSide) -> _Found:
    with METRICS.timed("headwater_query_part_seconds", part="embed"), span("embed"):
        query = vectors.model.embed_query(text)
    if not np.any(query):
        return _Found([])
    store = vectors.store
    with METRICS.timed("headwater_query_part_seconds", part="vector"), span("vector"):
        few, held = access.reader.chunk_hashes(access.counted(), SMALL_SCOPE), store.count()
        if few is not None and (access.is_filtered or len(few) * SMALL_PART < held):
            hits = store.search_within(query, few, len(few))
            return _Found(_admitted(access, hits, want), len(hits) >= len(few) and store.intact())
        rows = _widening(access, store, query, want, held)
        return _Found(rows, held >= (SMALL_SCOPE if few is None else len(few)) and store.intact())


def _widening(access: Access, store: VectorStore, query: Int8Matrix, want: int, held: int) -> list[ChunkRow]:
    """The store knows neither views nor grants: ask for more until enough hits are admitted, or all `held` are seen."""
    limit = want
    while True:
        hits = store.search(query, limit)
        rows = _admitted(access, hits, want)
        if len(rows) >= want or limit >= held or len(hits) < limit:
            return rows
        access.deadline.check()
        limit *= 8


def _admitted(access: Access, hits: list[VectorHit], want: int) -> list[ChunkRow]:
    """The places of the hits that the question may see, in the hits' order; equal hits in the order of places."""
    rows: list[ChunkRow] = []
    start, size = 0, want
    while start < len(hits):
        batch = hits[start : start + size]
        start, size = start + size, size * 4
        scores = {hit.content_hash: hit.score for hit in batch}
        places = access.reader.chunks_of(access.scope, list(scores))
        admitted = [row for row in places if access.admits(row.document)]
        admitted.sort(key=_order(scores))
        rows += [ChunkRow(row.document, row.chunk, scores[row.chunk.content_hash]) for row in admitted]
        if len(rows) >= want:
            break
    return rows[:want]


def _order(scores: dict[str, float]) -> Callable[[ChunkRow], tuple[float, str, int, str, int]]:
    def key(row: ChunkRow) -> tuple[float, str, int, str, int]:
        chunk, document = row.chunk, row.document
        score = scores[chunk.content_hash]
        return -score, chunk.content_hash, document.snapshot, document.path, chunk.span.start_byte

    return key
