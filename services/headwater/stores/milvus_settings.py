"""How the Milvus collection is laid out and asked; chosen by what the server can do."""

import re
from typing import Annotated, Any, Literal

import msgspec

from headwater.domain.version import PipelineVersion

Meta = msgspec.Meta


class MilvusSettings(msgspec.Struct, frozen=True, kw_only=True):
    """int8 with HNSW needs a server of 2.6 or later; on 2.3 the quantised values are kept as floats."""

    address: Annotated[str, Meta(description="URI of the server, http://host:19530")]
    token: Annotated[str, Meta(description="user:password or API key")] = ""
    vector: Annotated[Literal["int8", "float"], Meta(description="how a vector is kept")] = "int8"
    index: Annotated[Literal["HNSW", "IVF_SQ8"], Meta(description="index of the vectors")] = "HNSW"
    ef: Annotated[int, Meta(description="HNSW candidates looked at by a search, at least its limit", ge=16)] = 128
    nprobe: Annotated[int, Meta(description="IVF lists looked at by a search", ge=1)] = 64
    consistency: Annotated[Literal["Bounded", "Session", "Strong"], Meta(description="staleness of searches")] = (
        "Bounded"
    )
    deadline_s: Annotated[float, Meta(description="longest time for a search before the answer degrades", gt=0)] = 1.0
    write_deadline_s: Annotated[float, Meta(description="longest time for one batch of writes", gt=0)] = 60.0
    batch_bytes: Annotated[int, Meta(description="largest request", ge=65_536)] = 8 * 1024 * 1024
    threads: Annotated[int, Meta(description="requests under way at once; more are refused", ge=1)] = 16

    def index_parameters(self) -> dict[str, int]:
        return {"M": 16, "efConstruction": 128} if self.index == "HNSW" else {"nlist": 256}

    def search_parameters(self, limit: int) -> dict[str, Any]:
        own = {"ef": max(self.ef, limit)} if self.index == "HNSW" else {"nprobe": self.nprobe}
        return {"metric_type": "COSINE", "params": own}

    def rows_per_request(self, dimensions: int) -> int:
        width = dimensions * (1 if self.vector == "int8" else 4) + 64
        return max(1, self.batch_bytes // width)


def collection_name(version: PipelineVersion) -> str:
    """One collection a model: headwater_bge_small_384_c1. Branches and repositories have none of their own."""
    model = re.sub(r"[^A-Za-z0-9]+", "_", version.model).strip("_")
    return f"headwater_{model}_{version.dimensions}_c{version.chunker}"
