"""The pipeline version: what a document's chunks and vectors were made with."""

import msgspec

CHUNKER_VERSION = "3"


class PipelineVersion(msgspec.Struct, frozen=True):
    """Two documents are interchangeable only under the same version; a change builds a shadow index."""

    model: str  # model id, e.g. headwater-static-1
    dimensions: int
    chunker: str = CHUNKER_VERSION

    def __str__(self) -> str:
        return f"{self.chunker}/{self.model}/{self.dimensions}"
