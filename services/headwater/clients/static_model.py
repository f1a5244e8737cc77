"""The CPU embedding model: a weighted bag of sub-token vectors, in process, from memory-mapped int8 weights."""

from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from headwater.clients.embedding_model import ChunkText, Int8Matrix
from headwater.clients.static_lexicon import Lexicon
from headwater.domain.version import PipelineVersion

WEIGHTS = Path(__file__).with_name("static_weights")
_BATCH = 2048
_SCALE = 127

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Card(msgspec.Struct, frozen=True):
    """card.json beside the weights: what they are and how the fields of a chunk are weighed."""

    model: str
    dimensions: int
    fields: dict[str, float]  # name, place, doc, imports, body: in the order of `chunk_fields`


class StaticModel:
    """EmbeddingModel without a server: cos(chunk, query) where both are sums of term weight × √count × term vector.

    A chunk's terms are also weighed by the field they stand in, and chunks and queries have term weights of their own.
    """

    def __init__(self, weights: Path = WEIGHTS, question_map: Floats | None = None) -> None:
        """`question_map` stands in for that of the weights. Where there is none question vectors are plain sums."""
        card = msgspec.json.decode((weights / "card.json").read_bytes(), type=Card)
        self._version = PipelineVersion(card.model, card.dimensions)
        self._field_weights = np.array([card.fields[name] for name in FIELDS], np.float32)
        self._vectors: npt.NDArray[np.int8] = np.load(weights / "vectors.npy", mmap_mode="r").view(np.ndarray)
        self._chunk_weights, self._query_weights = np.load(weights / "term_weights.npy")
        stored = weights / "question_map.npy"
        if question_map is None and stored.exists():
            question_map = np.load(stored).astype(np.float32)
        self._question_map = question_map
        self._lexicon = Lexicon((weights / "terms.txt").read_text("utf-8").split("\n"))

    @property
    def version(self) -> PipelineVersion:
        return self._version

    def embed_chunks(self, chunks: Sequence[ChunkText]) -> Int8Matrix:
        """See EmbeddingModel. A chunk of which no term is known is all zero."""
        out = np.zeros((len(chunks), self._version.dimensions), np.int8)
        for start in range(0, len(chunks), _BATCH):
            batch = chunks[start : start + _BATCH]
            out[start : start + len(batch)] = quantise(self._sums(batch))
        return out

    def embed_query(self, query: str) -> Int8Matrix:
        """See EmbeddingModel."""
        terms, counts = np.unique(np.array(self._lexicon.numbers(query), np.int64), return_counts=True)
        sums = self._sum(terms, np.sqrt(counts) * self._query_weights[terms])
        mapped = sums if self._question_map is None else sums @ self._question_map
        row: Int8Matrix = quantise(mapped[None])[0]
        return row

    def terms(self, text: str) -> list[int]:
        """The numbers of a text's terms in order, repeats included."""
        return self._lexicon.numbers(text)

    def query_terms(self, query: str) -> tuple[Ints, Floats]:
        """The distinct terms of a query and their shares of its importance, which sum to 1."""
        terms, counts = np.unique(np.array(self.terms(query), np.int64), return_counts=True)
        lengths = np.linalg.norm(self._vectors[terms].astype(np.float32), axis=1)
        weights = np.sqrt(counts) * self._query_weights[terms] * lengths
        return terms, (weights / max(float(weights.sum()), 1e-6)).astype(np.float32)

    def term_units(self, terms: Ints) -> Floats:
        """Shape (n, dimensions): the unit vectors of these terms."""
        vectors: Floats = self._vectors[terms].astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
        return vectors

    def _sums(self, chunks: Sequence[ChunkText]) -> Floats:
        fields, terms, counts = self._counted([text for chunk in chunks for text in chunk_fields(chunk)])
        shares = self._field_weights[fields % len(FIELDS)] * np.sqrt(counts) * self._chunk_weights[terms]
        bounds = np.searchsorted(fields, np.arange(len(chunks) + 1) * len(FIELDS))
        return np.array([self._sum(terms[a:b], shares[a:b]) for a, b in pairwise(bounds)], np.float32)

    def _counted(self, texts: Sequence[str]) -> tuple[Ints, Ints, Ints]:
        """Text number, term and count of every distinct term of every text, sorted by text."""
        numbers = [self._lexicon.numbers(text) for text in texts]
        flat = np.fromiter(chain.from_iterable(numbers), np.int64, sum(map(len, numbers)))
        owners = np.repeat(np.arange(len(texts)), [len(text) for text in numbers])
        keys, counts = np.unique(owners * len(self._lexicon) + flat, return_counts=True)
        owner, term = np.divmod(keys, len(self._lexicon))
        return owner, term, counts

    def _sum(self, terms: Ints, shares: npt.NDArray[Any]) -> Floats:
        return shares.astype(np.float32) @ self._vectors[terms].astype(np.float32)


FIELDS = ("name", "place", "doc", "imports", "body")


def chunk_fields(chunk: ChunkText) -> tuple[str, str, str, str, str]:
    """A chunk's texts in the order of FIELDS: its own name apart from the place where it stands."""
    name = chunk.scopes[-1] if chunk.scopes else ""
    place = " ".join((chunk.path, *chunk.scopes[:-1]))
    return name, place, chunk.doc, " ".join(chunk.imports), chunk.text


def quantise(sums: Floats) -> Int8Matrix:
    """round(127 × unit) by row; a row of zeros stays so."""
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    units: Floats = np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 0)
    return np.rint(units * _SCALE).astype(np.int8)
