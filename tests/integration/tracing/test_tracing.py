"""Traces as a collector gets them: one from push to published, one per query; nothing while tracing is off."""

import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from headwater.ast_chunker.parse_pool import ParsePool
from headwater.ast_chunker.stage import AstChunker
from headwater.clients.static_model import StaticModel
from headwater.defref_sink.stage import DefRefSink
from headwater.domain.query_error import NotFoundError
from headwater.domain.question import SearchQuestion, UsagesQuestion
from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedder.stage import Embedder
from headwater.events import CommitReceived
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.query.server import QueryServer, ServerSettings
from headwater.reconciler.stage import Reconciler
from headwater.rpc.asking import RemoteAsker
from headwater.settings import SettingsError
from headwater.stores.catalog import Repository
from headwater.streaming.codec import parent_topic
from headwater.streaming.message import Partition, Received, ToSend
from headwater.streaming.ref_updates import RefUpdates
from headwater.streaming.settlement import Policy, settle
from headwater.streaming.stage import Stage
from headwater.topology import STAGES
from headwater.tracing.spans import TRACE_PARENT, is_on
from headwater.tracing.start import tracing
from headwater.vector_sink.stage import VectorSink
from support.git_repo import RepoBuilder
from support.otlp_sink import OtlpSink
from support.small_index import SmallIndex

SOURCE = b"def save(order):\n    return write(order)\n\n\ndef write(x):\n    return x\n"


@pytest.fixture
def sink() -> Iterator[OtlpSink]:
    with OtlpSink() as made:
        yield made


class Pipeline:
    """The real stages joined by their messages alone, as brokers join them."""

    def __init__(self, product: Product, pool: ParsePool) -> None:
        catalog, version = product.catalog, product.model.version
        stages: list[Stage[Any]] = [
            MerkleDiffer(catalog, product.git),
            AstChunker(version, product.git, pool),
            Embedder(catalog, product.model),
            VectorSink(catalog, product.vectors, version),
            DefRefSink(catalog),
            Reconciler(catalog),
        ]
        self._stages = {s.name: s for s in stages}
        self.messages: list[ToSend] = []
        self._queues: dict[str, list[ToSend]] = defaultdict(list)

    def publish(self, messages: Sequence[ToSend]) -> None:
        for message in messages:
            self.messages.append(message)
            self._queues[parent_topic(message.topic).name].append(message)

    def run(self) -> None:
        """Every stage takes all that waits for it as one batch, in the order of the pipeline, as often as it takes."""
        for _round in range(5):
            for spec in STAGES:
                waiting = [m for topic in spec.consumes for m in self._queues.pop(topic, [])]
                if waiting:
                    self.publish(settle(self._stages[spec.name], _received(waiting), {}, Policy()).send)


def _received(messages: Sequence[ToSend]) -> list[Received]:
    return [
        Received(Partition(m.topic, 0), offset, m.key, m.value, dict(m.headers)) for offset, m in enumerate(messages)
    ]


def _pushed(folder: Path, names: Sequence[str], environ: dict[str, str]) -> tuple[list[ToSend], list[ViewKey]]:
    """All messages of one push to each repository, all pushes in the same batches; and what is published."""
    with Product(Home(folder / "home")) as product, ParsePool(product.model.version, 1) as pool:
        pipeline, events = Pipeline(product, pool), []
        for number, name in enumerate(names):
            git = RepoBuilder(folder / f"{name}.git")
            commit = git.commit({f"{name}.py": SOURCE})
            product.catalog.add_repository(Repository(name, str(git.path)))
            ref = "refs/heads/main"
            events.append(
                CommitReceived(repo=name, ref=ref, after=commit, pushed_at=time.time() + number, cause="hook")
            )
        with tracing("test", environ):
            RefUpdates(pipeline).publish(events)
            pipeline.run()
        return pipeline.messages, [s.view for s in product.catalog.views() if s.published]


def test_pushes_in_the_same_batches_are_traces_of_their_own_until_they_are_published(
    tmp_path: Path, sink: OtlpSink
) -> None:
    _, published = _pushed(tmp_path, ["alpha", "beta"], {"HEADWATER_TRACING_ENDPOINT": sink.endpoint})
    assert len(published) == 2
    traces = defaultdict(list)
    for span in sink.spans:
        traces[span.trace_id].append(span)
    assert len(traces) == 2
    for spans in traces.values():
        (root,) = [s for s in spans if not s.parent_span_id]
        assert root.name == "push"
        assert {s.name for s in spans} >= {f"process {spec.name}" for spec in STAGES if spec.consumes}
        ids = {s.span_id for s in spans}
        assert all(s.parent_span_id in ids for s in spans if s is not root)
        assert [e.name for s in spans for e in s.events] == ["published"]
        assert len({a.value.string_value for s in spans for a in s.attributes if a.key == "headwater.repo"}) == 1


def test_a_service_without_tracing_hands_the_trace_on(tmp_path: Path) -> None:
    messages, _ = _pushed(tmp_path, ["alpha"], {})
    assert all(TRACE_PARENT not in dict(m.headers) for m in messages)
    parent = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with Product(Home(tmp_path / "home")) as product:
        stage = DefRefSink(product.catalog)
        symbols = next(m for m in messages if m.topic.startswith("symbols-changed"))
        (again,) = _received([ToSend(symbols.topic, symbols.key, symbols.value, ((TRACE_PARENT, parent),))])
        sent = settle(stage, [again], {}, Policy()).send
    assert [dict(m.headers)[TRACE_PARENT] for m in sent] == [parent]


def test_a_query_is_one_trace_from_the_caller_to_its_parts(tmp_path: Path, sink: OtlpSink) -> None:
    index = SmallIndex(tmp_path, StaticModel())
    index.commit({"shop.py": SOURCE.decode()})
    engine = Engine(Parts(reader=index.catalog, vectors=VectorSide(index.model, index.vectors)))
    with tracing("query", {"HEADWATER_TRACING_ENDPOINT": sink.endpoint}):
        server = QueryServer(engine, ServerSettings(address="127.0.0.1:0", grace_s=1))
        with server, RemoteAsker(f"127.0.0.1:{server.port}") as asker:
            asker.search(SearchQuestion(query="where is an order written"))
            with pytest.raises(NotFoundError):
                asker.usages(UsagesQuestion(symbol="unknown_name"))
    engine.close()
    index.close()
    search, usages = _traces(sink.spans)
    assert sorted(s.name for s in search) == [
        "SearchRequest",
        "embed",
        "headwater.v1.QueryService/Search",
        "lexical",
        "vector",
    ]
    server_span = next(s for s in search if s.name.endswith("/Search"))
    assert {a.key for a in server_span.attributes} >= {"headwater.query.kind", "headwater.query.complete"}
    assert "order" not in str(sink.spans), "no trace holds a question's text"
    failed = next(s for s in usages if s.name.endswith("/FindUsages"))
    assert [a.value.string_value for a in failed.attributes if a.key == "error.type"] == ["NotFoundError"]


def _traces(spans: Sequence[Any]) -> list[list[Any]]:
    by_trace = defaultdict(list)
    for span in sorted(spans, key=lambda s: s.start_time_unix_nano):
        by_trace[span.trace_id].append(span)
    return list(by_trace.values())


def test_off_is_the_default_and_imports_nothing() -> None:
    assert not is_on()
    modules = "headwater.query.server, headwater.streaming.kafka_runner, headwater.tracing.start, headwater.web.server"
    code = f"import sys, {modules}; print([m for m in sys.modules if m.startswith('opentelemetry')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_wrong_setting_is_named() -> None:
    with (
        pytest.raises(SettingsError, match="HEADWATER_TRACING_SAMPLE"),
        tracing("x", {"HEADWATER_TRACING_SAMPLE": "2"}),
    ):
        pass


def test_a_collector_that_is_not_there_stops_nothing(tmp_path: Path) -> None:
    _, published = _pushed(tmp_path, ["alpha"], {"HEADWATER_TRACING_ENDPOINT": "http://127.0.0.1:9"})
    assert len(published) == 1
