"""The embedding model on a Triton server; the one module that imports tritonclient."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import msgspec
import numpy as np
import tritonclient.grpc as triton
from tritonclient.utils import InferenceServerException

from headwater.clients.breaker import Breaker, BreakerState
from headwater.clients.deadline import BusyError, DeadlineCaller, DeadlineError
from headwater.clients.embedding_model import ChunkText, Int8Matrix, ModelUnavailableError
from headwater.clients.token_batches import token_batches
from headwater.domain.version import PipelineVersion
from headwater.metrics import METRICS, Metrics

INPUT, OUTPUT = "TEXT", "VECTOR"
_REFUSED = ("INVALID_ARGUMENT", "NOT_FOUND", "UNIMPLEMENTED")  # a wrong configuration: no retry helps

Meta = msgspec.Meta


class TritonSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The names are models of the server's repository; queries have one of their own, so that no batch delays them."""

    address: Annotated[str, Meta(description="host:port of the server's gRPC")]
    tls: Annotated[bool, Meta(description="speak TLS to it")] = False
    ca: Annotated[str, Meta(description="PEM file to trust for it; empty: the system's")] = ""
    chunk_model: Annotated[str, Meta(description="embeds chunks")] = "static_chunk"
    query_model: Annotated[str, Meta(description="embeds queries")] = "static_query"
    batch_tokens: Annotated[int, Meta(description="padded tokens in a request", ge=512)] = 32_768
    batch_chunks: Annotated[int, Meta(description="chunks in a request, at most the model's maximum", ge=1)] = 64
    requests: Annotated[int, Meta(description="requests under way at once; more are refused", ge=1)] = 8
    chunk_deadline_s: Annotated[float, Meta(description="longest time for a request of chunks", gt=0)] = 30.0
    query_deadline_s: Annotated[float, Meta(description="longest time for a query", gt=0)] = 0.5
    breaker_failures: Annotated[int, Meta(description="failures in a row that open the breaker", ge=1)] = 5
    breaker_cool_down_s: Annotated[float, Meta(description="how long it stays open", gt=0)] = 5.0


class TritonModel:
    """See EmbeddingModel. Safe to use from several threads."""

    def __init__(self, settings: TritonSettings, version: PipelineVersion, metrics: Metrics = METRICS) -> None:
        """Nothing is sent before the first request; `check` says whether the server serves this version."""
        self._settings, self._version, self._metrics = settings, version, metrics
        self._client = triton.InferenceServerClient(
            settings.address, ssl=settings.tls, root_certificates=settings.ca or None
        )
        self._caller = DeadlineCaller(settings.requests, "triton")
        self._breaker = Breaker(settings.breaker_failures, settings.breaker_cool_down_s)
        self._lock = threading.Lock()
        self._under_way = {settings.chunk_model: 0, settings.query_model: 0}

    @property
    def version(self) -> PipelineVersion:
        return self._version

    def check(self) -> None:
        """Raises ModelUnavailableError when the server is away, ValueError when it serves another dimension."""
        name = self._settings.chunk_model
        try:
            metadata = self._client.get_model_metadata(name, client_timeout=self._settings.chunk_deadline_s)
        except InferenceServerException as error:
            raise ModelUnavailableError(f"triton has no model {name} ready: {error.message()}") from error
        dimensions = int(metadata.outputs[0].shape[-1])
        if dimensions != self._version.dimensions:
            raise ValueError(f"{name} gives {dimensions} dimensions, configured are {self._version.dimensions}")

    def embed_chunks(self, chunks: Sequence[ChunkText]) -> Int8Matrix:
        matrix = np.zeros((len(chunks), self._version.dimensions), np.int8)
        texts = [msgspec.json.encode(chunk).decode() for chunk in chunks]
        for batch in token_batches(texts, self._settings.batch_tokens, self._settings.batch_chunks):
            self._metrics.observe("headwater_model_batch_chunks", len(batch), model=self._settings.chunk_model)
            part = [texts[index] for index in batch]
            matrix[batch] = self._embed(self._settings.chunk_model, "chunk", part, self._settings.chunk_deadline_s)
        return matrix

    def embed_query(self, query: str) -> Int8Matrix:
        row: Int8Matrix = self._embed(self._settings.query_model, "query", [query], self._settings.query_deadline_s)[0]
        return row

    def close(self) -> None:
        self._caller.close()
        self._client.close()

    def _embed(self, model: str, kind: str, texts: list[str], seconds: float) -> Int8Matrix:
        self._admit(model)
        try:
            with self._metrics.timed("headwater_model_request_seconds", model=model, kind=kind), self._counted(model):
                matrix = self._caller.call(lambda: self._infer(model, texts, seconds), seconds)
        except BusyError as error:
            self._metrics.count("headwater_model_rejected_total", model=model, reason="busy")
            self._ended(None)  # says nothing of the server
            raise ModelUnavailableError(f"{model}: {error}") from error
        except (DeadlineError, InferenceServerException) as error:
            if isinstance(error, InferenceServerException) and any(r in str(error.status()) for r in _REFUSED):
                self._ended(True)
                raise
            self._ended(False)
            raise ModelUnavailableError(f"{model}: {error}") from error
        self._ended(True)
        return matrix

    @contextmanager
    def _counted(self, model: str) -> Iterator[None]:
        self._show_under_way(model, 1)
        try:
            yield
        finally:
            self._show_under_way(model, -1)

    def _show_under_way(self, model: str, change: int) -> None:
        with self._lock:
            self._under_way[model] += change
            self._metrics.set("headwater_model_queue_requests", self._under_way[model], model=model)

    def _infer(self, model: str, texts: list[str], seconds: float) -> Int8Matrix:
        tensor = triton.InferInput(INPUT, [len(texts), 1], "BYTES")
        tensor.set_data_from_numpy(np.array([[text.encode()] for text in texts], dtype=np.object_))
        reply = self._client.infer(
            model,
            [tensor],
            outputs=[triton.InferRequestedOutput(OUTPUT)],
            client_timeout=seconds,
            timeout=int(seconds * 1_000_000),  # the server drops what nobody waits for any more
        )
        matrix: Int8Matrix = reply.as_numpy(OUTPUT)
        return matrix

    def _admit(self, model: str) -> None:
        now = time.monotonic()
        with self._lock:
            admitted, wait_s = self._breaker.admit(now), self._breaker.retry_in_s(now)
        if not admitted:
            self._metrics.count("headwater_model_rejected_total", model=model, reason="breaker")
            raise ModelUnavailableError(f"{model}: the breaker is open for another {wait_s:.1f} s")

    def _ended(self, well: bool | None) -> None:
        with self._lock:
            before = self._breaker.state
            if well:
                self._breaker.succeeded()
            elif well is False or before is BreakerState.HALF_OPEN:
                self._breaker.failed(time.monotonic())
            state = self._breaker.state
        self._metrics.set("headwater_breaker_state", int(state), name="triton")
        if state is BreakerState.OPEN and before is not BreakerState.OPEN:
            self._metrics.count("headwater_breaker_opened_total", name="triton")
