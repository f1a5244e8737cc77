"""The real Kafka, Milvus, Triton and PostgreSQL on a bare machine: installed, started, watched and stopped."""

from headwater.stack.component import Component, MissingComponentError, Running
from headwater.stack.kafka import Kafka
from headwater.stack.milvus import Milvus
from headwater.stack.postgres import Postgres
from headwater.stack.triton import Triton

COMPONENTS: dict[str, Component] = {c.name: c for c in (Kafka(), Milvus(), Triton(), Postgres())}

__all__ = ["COMPONENTS", "Component", "Kafka", "Milvus", "MissingComponentError", "Postgres", "Running", "Triton"]
