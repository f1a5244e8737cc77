"""The static model as Triton's python backend runs it: the requests of a dynamic batch are embedded in one call."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
import triton_python_backend_utils as backend

from headwater.clients.embedding_model import ChunkText, Int8Matrix
from headwater.clients.static_model import StaticModel

INPUT, OUTPUT = "TEXT", "VECTOR"


class _Backend:
    """Concatenate, embed once, split."""

    _embed: Callable[[list[bytes]], Int8Matrix]

    def execute(self, requests: Sequence[Any]) -> list[Any]:
        texts = [backend.get_input_tensor_by_name(request, INPUT).as_numpy().ravel() for request in requests]
        try:
            matrix = self._embed([text for part in texts for text in part])
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            failure = backend.TritonError(f"not a text for this model: {error}", backend.TritonError.INVALID_ARG)
            return [backend.InferenceResponse(error=failure) for _ in requests]
        ends = np.cumsum([len(part) for part in texts])[:-1]
        return [
            backend.InferenceResponse(output_tensors=[backend.Tensor(OUTPUT, np.ascontiguousarray(part))])
            for part in np.split(matrix, ends)
        ]


class ChunkModel(_Backend):
    """Each text is a ChunkText as JSON."""

    def initialize(self, _arguments: dict[str, str]) -> None:
        self._model = StaticModel()
        self._decode = msgspec.json.Decoder(ChunkText).decode

    def _embed(self, texts: list[bytes]) -> Int8Matrix:
        return self._model.embed_chunks([self._decode(text) for text in texts])


class QueryModel(_Backend):
    """Each text is a query."""

    def initialize(self, _arguments: dict[str, str]) -> None:
        self._model = StaticModel()

    def _embed(self, texts: list[bytes]) -> Int8Matrix:
        return np.stack([self._model.embed_query(text.decode()) for text in texts])
