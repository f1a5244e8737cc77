"""BM25 and the static model over a corpus cut by the product's own chunker: what the reranker is given."""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from headwater.ast_chunker.process import analyse_file
from headwater.clients.embedding_model import ChunkText
from headwater.clients.static_model import StaticModel, chunk_fields
from headwater.domain.subtoken import subtokens

Floats = npt.NDArray[np.float32]

EXTENSIONS = {
    "python": {".py"},
    "java": {".java"},
    "go": {".go"},
    "rust": {".rs"},
    "typescript": {".ts", ".tsx"},
}
POOL = 100  # as in the query plane: of each retriever, and of the fused list
K1, B, NAME_WEIGHT = 1.2, 0.6, 3
RRF_K = 60
_STOP = frozenset(
    "a an the of to in is it that this for on and or be are was were we i you how what where when which who why does do"
    " did by with from as at if not so than then there they them their its our my your he she can could should would"
    " will may have has had been being but into no one all any some such only other out up about after before".split()
)


class Chunk(NamedTuple):
    """A product chunk as the reranker's Candidate, with its lines."""

    path: str
    kind: str
    scopes: tuple[str, ...]
    doc: str
    imports: tuple[str, ...]
    text: str
    start_line: int
    end_line: int
    lexical_score: float = 0.0

    def as_text(self) -> ChunkText:
        return ChunkText(self.path, self.scopes, self.doc, self.imports, self.text)


def cut_corpus(folder: Path, roots: list[str], language: str, model: StaticModel) -> list[Chunk]:
    out: list[Chunk] = []
    for file in sorted(f for root in roots for f in (folder / root).rglob("*")):
        if not file.is_file() or file.suffix not in EXTENSIONS[language] or file.name.endswith(".d.ts"):
            continue
        path = str(file.relative_to(folder))
        document, text = analyse_file(path, 0o100644, "0" * 40, file.read_bytes(), model.version)
        source = (text or "").encode()
        for c in document.chunks:
            span = c.span
            body = source[span.start_byte : span.end_byte].decode("utf-8", "replace")
            out.append(Chunk(path, c.kind, c.scopes, c.doc, c.imports, body, span.start_line, span.end_line))
    return out


class Corpus:
    """A corpus's chunks, ready to be asked by words and by vector."""

    def __init__(self, chunks: list[Chunk], model: StaticModel) -> None:
        self.chunks, self._model = chunks, model
        self._vectors = model.embed_chunks([chunk.as_text() for chunk in chunks])
        self._index(chunks)

    def lexical(self, query: str) -> Floats:
        scores = np.zeros(len(self.chunks), np.float32)
        for term in {stem(t) for t in subtokens(query) if t not in _STOP}:
            column = self._column.get(term)
            if column is not None:
                start, end = self._matrix.indptr[column], self._matrix.indptr[column + 1]
                scores[self._matrix.indices[start:end]] += self._matrix.data[start:end]
        return scores

    def cosine(self, query: str) -> Floats:
        asked = self._model.embed_query(query).astype(np.float32)
        cosine: Floats = self._vectors.astype(np.float32) @ asked / np.float32(127**2)
        return cosine

    def _index(self, chunks: list[Chunk]) -> None:
        rows, columns, counts = [], [], []
        self._column: dict[str, int] = {}
        for row, chunk in enumerate(chunks):
            for term, count in _terms(chunk).items():
                rows.append(row)
                columns.append(self._column.setdefault(term, len(self._column)))
                counts.append(count)
        shape = (len(chunks), len(self._column))
        matrix = sp.csr_matrix((np.array(counts, np.float32), (rows, columns)), shape)
        lengths = np.asarray(matrix.sum(axis=1)).ravel()
        found_in = np.bincount(columns, minlength=shape[1])
        idf = np.log(1 + (len(chunks) - found_in + 0.5) / (found_in + 0.5))
        damping = np.repeat(K1 * (1 - B + B * lengths / lengths.mean()), np.diff(matrix.indptr))
        matrix.data = matrix.data * (K1 + 1) / (matrix.data + damping) * idf[matrix.indices]
        self._matrix = matrix.tocsc()


def _terms(chunk: Chunk) -> Counter[str]:
    name, place, _, _, body = chunk_fields(chunk.as_text())
    counts = Counter(stem(t) for text in (place, body) for t in subtokens(text))
    for term in subtokens(name):
        counts[stem(term)] += NAME_WEIGHT
    return counts


@cache
def stem(word: str) -> str:
    for suffix in (
        "ations",
        "ation",
        "ings",
        "ing",
        "edly",
        "ies",
        "ers",
        "ors",
        "ed",
        "es",
        "er",
        "or",
        "ly",
        "s",
        "e",
    ):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word.removesuffix(suffix)
    return word


def fuse(lexical: Floats, cosine: Floats, lexical_weight: float) -> list[int]:
    """Weighted reciprocal rank fusion of the two lists' first POOL; best first."""
    scores: Counter[int] = Counter()
    for values, weight in ((lexical, lexical_weight), (cosine, 1.0)):
        for rank, i in enumerate(np.argsort(-values, kind="stable")[:POOL].tolist(), 1):
            scores[i] += weight / (RRF_K + rank)
    return [i for i, _ in sorted(scores.items(), key=lambda item: (-item[1], item[0]))]
