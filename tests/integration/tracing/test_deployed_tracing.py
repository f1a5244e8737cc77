"""Tracing on the real broker, every stage a process: nothing while it is off, one trace a push and a query when on."""

import os
import secrets
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest

pytest.importorskip("confluent_kafka")

from headwater.deployment.system import PROCESSES, Plan, System
from headwater.rpc.generated import query_service_pb2, query_service_pb2_grpc
from headwater.stack import MissingComponentError
from headwater.streaming.kafka import read_to_end
from headwater.topology import STAGES, TOPICS
from headwater.tracing.names import PUBLISHED
from headwater.tracing.spans import TRACE_PARENT
from support.deployed import SETTINGS, Deployed
from support.git_repo import RepoBuilder
from support.otlp_sink import OtlpSink
from support.rig import REPO

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack"), pytest.mark.timeout(600)]

CONSUMING = [spec.name for spec in STAGES if spec.consumes]
EXPORT_S = 60.0
# A generation that a round publishes, because nothing told the stage, is noted in no push's trace.
UNHURRIED = {"HEADWATER_RECONCILER_LOOK_S": "120", "HEADWATER_RECONCILER_VECTOR_GRACE_S": "120"}


def telling(folder: Path) -> Path:
    """A folder for PYTHONPATH in which `opentelemetry` says who imports it, and fails."""
    package = folder / "shadow" / "opentelemetry"
    package.mkdir(parents=True)
    told = f"import os, sys; open({str(folder / 'imported')!r}, 'a').write(' '.join(sys.argv) + '\\n')"
    (package / "__init__.py").write_text(f"{told}\nraise ImportError('tracing is off')\n", "utf-8")
    return package.parent


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="headwater-tracing-"))
    made.chmod(0o755)  # PostgreSQL runs as a user of its own
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="module")
def deployed(folder: Path) -> Iterator[Deployed]:
    """Tracing is off."""
    git = RepoBuilder(folder / "repo.git")
    settings = {**SETTINGS, **UNHURRIED, "PYTHONPATH": str(telling(folder))}
    plan = Plan(data=folder / "data", repositories={REPO: str(git.path)}, settings=settings)
    with ExitStack() as opened:
        try:
            system = opened.enter_context(System(plan))
        except MissingComponentError as missing:
            if os.environ.get("HEADWATER_STACK_REQUIRED"):
                pytest.fail(str(missing))
            pytest.skip(str(missing))
        yield Deployed(system, git)


@pytest.fixture(scope="module")
def sink() -> Iterator[OtlpSink]:
    with OtlpSink() as made:
        yield made


def test_off_is_free(deployed: Deployed, folder: Path) -> None:
    """No header in any topic, and no process has imported OpenTelemetry, neither to start nor to work."""
    deployed.wait_current(deployed.edit(8))
    deployed.search("where is a step taken")
    topics = [name for name, topic in TOPICS.items() if name != "heartbeat" and not name.endswith("-dlq")]
    messages = list(read_to_end(deployed.system.connection, topics))
    assert {message.partition.topic for message in messages} == set(topics)
    assert [message for message in messages if TRACE_PARENT in message.headers] == []
    assert not (folder / "imported").exists(), (folder / "imported").read_text("utf-8")


@pytest.fixture(scope="module")
def traced(deployed: Deployed, sink: OtlpSink) -> Deployed:
    """The same system, its services started again with an endpoint."""
    for name in PROCESSES:
        running = deployed.running(name)
        deployed.stop(name)
        environ = {**(running.command.env or {}), "PYTHONPATH": "", "HEADWATER_TRACING_ENDPOINT": sink.endpoint}
        running.command = msgspec.structs.replace(running.command, env=environ)
        deployed.start(name)
    deployed.system.wait_ready()
    return deployed


def traces(sink: OtlpSink) -> dict[bytes, list[Any]]:
    found = defaultdict(list)
    for span in list(sink.spans):
        found[span.trace_id].append(span)
    return dict(found)


def exported(sink: OtlpSink, wanted: Callable[[list[Any]], bool], what: str) -> list[Any]:
    """The one trace that is `wanted`; spans are sent every few seconds."""
    deadline = time.monotonic() + EXPORT_S
    while not (found := [spans for spans in traces(sink).values() if wanted(spans)]):
        assert time.monotonic() < deadline, (what, {n: [s.name for s in t] for n, t in traces(sink).items()})
        time.sleep(0.3)
    assert len(found) == 1, what
    return found[0]


def publishes(spans: list[Any], commit: str) -> bool:
    """The whole trace, for every stage ends its span before the next one can begin one of its own."""
    noted = [a.value.string_value for s in spans for e in s.events if e.name == PUBLISHED for a in e.attributes]
    return commit in noted and {f"process {stage}" for stage in CONSUMING} <= {s.name for s in spans}


def test_a_push_is_one_trace_over_all_processes(traced: Deployed, sink: OtlpSink) -> None:
    first = traced.edit(6)
    traced.wait_current(first)
    second = traced.edit(6)
    traced.wait_current(second)
    pushes = [exported(sink, lambda spans, c=commit: publishes(spans, c), commit) for commit in (first, second)]
    assert pushes[0][0].trace_id != pushes[1][0].trace_id
    for spans in pushes:
        (root,) = [span for span in spans if not span.parent_span_id]
        assert root.name == "push"
        assert sink.services[root.span_id] == "headwater-commit-ingest"
        for stage in CONSUMING:
            senders = {sink.services[span.span_id] for span in spans if span.name == f"process {stage}"}
            assert senders == {f"headwater-{stage}"}
        known = {span.span_id for span in spans}
        assert all(span.parent_span_id in known for span in spans if span is not root)


def test_the_header_is_in_the_messages_of_every_topic(traced: Deployed) -> None:
    traced.wait_current(traced.edit(6))
    with_header = {
        message.partition.topic
        for message in read_to_end(traced.system.connection, [name for name in TOPICS if not name.endswith("-dlq")])
        if TRACE_PARENT in message.headers
    }
    assert with_header >= {topic for spec in STAGES for topic in spec.consumes if topic != "heartbeat"}


def test_a_query_is_one_trace(traced: Deployed, sink: OtlpSink) -> None:
    """The caller's, where it names one; else one that begins at the query service."""
    request = query_service_pb2.SearchRequest(query="where is a step taken")
    callers = [secrets.token_hex(16) for _ in range(2)]
    with grpc.insecure_channel(f"127.0.0.1:{traced.system.ports['query!']}") as channel:
        search = query_service_pb2_grpc.QueryServiceStub(channel).Search
        for caller in callers:
            search(request, timeout=30, metadata=((TRACE_PARENT, f"00-{caller}-{secrets.token_hex(8)}-01"),))
        search(request, timeout=30)
    for caller in callers:
        spans = exported(sink, lambda t, c=caller: t[0].trace_id.hex() == c and answers(t), caller)
        assert {sink.services[span.span_id] for span in spans} == {"headwater-query"}
        assert sorted(span.name for span in spans) == sorted({span.name for span in spans}), "each part once"
    own = exported(sink, lambda t: answers(t) and any(not s.parent_span_id for s in t), "a question without a trace")
    assert own[0].trace_id.hex() not in callers


def answers(spans: list[Any]) -> bool:
    return {"headwater.v1.QueryService/Search", "embed", "lexical", "vector"} <= {span.name for span in spans}
