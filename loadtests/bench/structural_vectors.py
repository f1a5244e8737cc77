"""The paper's vector search baseline with our own vectors: which methods are near the question, by cosine."""

from collections.abc import Sequence

import numpy as np

from headwater.clients.embedding_model import ChunkText
from headwater.clients.static_model import StaticModel
from headwater.structural.flowgraph.graph import CODES, Graph
from headwater.structural.query import Construct
from headwater.structural.scoring import Place
from headwater.structural.source import SourceFile

THRESHOLDS = (0.25, 0.5, 0.75)


class MethodVectors:
    """One vector for each method of the corpus: its text under its path and name."""

    def __init__(self, graph: Graph, files: Sequence[SourceFile]) -> None:
        self._model = StaticModel()
        texts = {file.path: file.content.decode("utf-8", "replace").split("\n") for file in files}
        methods = np.flatnonzero(graph.kind == CODES[Construct.METHOD])
        self._places: list[Place] = [(graph.paths[graph.file[n]], int(graph.line[n])) for n in methods]
        chunks = []
        for node, (path, line) in zip(methods, self._places, strict=True):
            body = "\n".join(texts[path][line - 1 : int(graph.end_line[node])])
            chunks.append(ChunkText(path, (graph.strings[graph.name[node]],), "", (), body))
        self._vectors = self._model.embed_chunks(chunks).astype(np.float32)
        self._lengths = np.maximum(np.linalg.norm(self._vectors, axis=1), 1.0)

    def near(self, question: str, threshold: float) -> set[Place]:
        """The methods whose cosine to the question is at least the threshold."""
        asked = self._model.embed_query(question).astype(np.float32).ravel()
        cosines = self._vectors @ asked / (self._lengths * max(float(np.linalg.norm(asked)), 1.0))
        return {self._places[number] for number in np.flatnonzero(cosines >= threshold)}
