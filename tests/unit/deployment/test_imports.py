"""Each service starts with its own extra alone: importing it and what it opens touches no other library."""

import subprocess
import sys

import pytest

from headwater.deployment.services import SERVICES, service_settings

LIBRARIES = {
    "kafka": ("confluent_kafka",),
    "faust": ("faust",),
    "postgres": ("psycopg",),
    "milvus": ("pymilvus",),
    "triton": ("tritonclient",),
    "languages": ("tree_sitter",),
    "serving": ("grpc_health", "grpc_reflection", "re2"),
    "grpc": ("grpc",),  # pymilvus and tritonclient bring it, too
    "sqlite": ("apsw",),
    "vectors": ("usearch", "numkong"),
    "cli": ("rich",),
}
EXTRAS = {
    "commit-ingest": {"kafka", "postgres"},
    "merkle-differ": {"kafka", "postgres"},
    "ast-chunker": {"kafka", "languages", "faust"},
    "embedder": {"kafka", "triton", "postgres", "grpc"},
    "vector-sink": {"kafka", "milvus", "postgres", "grpc"},
    "defref-sink": {"kafka", "postgres"},
    "reconciler": {"kafka", "milvus", "postgres", "serving", "grpc"},
    "query": {"kafka", "milvus", "postgres", "triton", "serving", "grpc", "languages"},
}
PROGRAM = """
import importlib, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ImportError(name + " is not of this service's extra")

sys.meta_path.insert(0, Absent())
for name in {modules!r}:
    importlib.import_module(name)
"""
OPENED = {
    "postgres": "headwater.stores.postgres_catalog",
    "kafka": "headwater.streaming.kafka_runner",
    "faust": "headwater.streaming.faust",
}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_needs_its_own_extra_only(service: str) -> None:
    pytest.importorskip("confluent_kafka")
    own = EXTRAS[service]
    absent = {library for extra, names in LIBRARIES.items() if extra not in own for library in names}
    modules = [f"headwater.deployment.{service.replace('-', '_')}", *(OPENED[e] for e in sorted(own) if e in OPENED)]
    modules.append("headwater.cli.main")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(absent=absent, modules=modules)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("service", SERVICES)
def test_every_setting_is_described(service: str) -> None:
    pytest.importorskip("confluent_kafka")
    rows = service_settings(service)
    assert rows
    assert all(row.description for row in rows), [row.variable for row in rows if not row.description]
    assert len({row.variable for row in rows}) == len(rows)
