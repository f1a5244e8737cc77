"""Where the model of an edition comes from: the program's own weights, or weights that were given to a rollout."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from headwater.clients.embedding_model import ChunkText, EmbeddingModel, Int8Matrix, ModelUnavailableError
from headwater.clients.static_model import StaticModel
from headwater.domain.edition import Edition
from headwater.domain.version import CHUNKER_VERSION, PipelineVersion
from headwater.embedded.home import Home

WEIGHTS = "weights"  # in an edition's source: the folder that they were given in


class Models(Protocol):
    """Finds models; the program's own is that of a new home."""

    @property
    def own(self) -> EmbeddingModel: ...

    def of(self, edition: Edition, home: Home) -> EmbeddingModel:
        """`home` is the edition's own. One that isn't to be had raises ModelUnavailableError when it is asked."""
        ...

    def given(self, weights: Path) -> EmbeddingModel:
        """Raises OSError, ValueError when there is no model."""
        ...


class StaticModels:
    """Implements `Models` with static weights."""

    @cached_property
    def own(self) -> StaticModel:
        return StaticModel()

    def of(self, edition: Edition, home: Home) -> EmbeddingModel:
        if WEIGHTS in edition.source:
            return StaticModel(home.weights)
        own = self.own.version
        same = (own.model, own.dimensions) == (edition.version.model, edition.version.dimensions)
        return self.own if same else MissingModel(edition.version)

    def given(self, weights: Path) -> StaticModel:
        return StaticModel(weights)


class OneModel:
    """Implements `Models` for a home of one edition."""

    def __init__(self, model: EmbeddingModel) -> None:
        self.own = model

    def of(self, edition: Edition, home: Home) -> EmbeddingModel:
        return self.own

    def given(self, weights: Path) -> EmbeddingModel:
        raise ValueError("this home is of one model")


class MissingModel:
    """In place of a model that this program doesn't have: answers do without the vector side and say so."""

    def __init__(self, version: PipelineVersion) -> None:
        self._version = version

    @property
    def version(self) -> PipelineVersion:
        return self._version

    def embed_chunks(self, chunks: Sequence[ChunkText]) -> Int8Matrix:
        raise ModelUnavailableError(f"this program doesn't have {self._version.model}")

    def embed_query(self, query: str) -> Int8Matrix:
        raise ModelUnavailableError(f"this program doesn't have {self._version.model}")


def why_unwritable(edition: Edition, model: EmbeddingModel, own: PipelineVersion) -> str:
    """Why this program can't write to an edition; "" when it can."""
    if edition.version.chunker == CHUNKER_VERSION and not isinstance(model, MissingModel):
        return ""
    return (
        f"{edition} was made by another version of the program, this one makes {own}:"
        " 'headwater rollout start' builds a new index beside it, which answers meanwhile"
    )
