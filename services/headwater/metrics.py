"""Every metric that Headwater exports, declared once; using one that isn't declared here raises.

Names are `headwater_<service>_<what>_<unit>`; what every pipeline stage has is under the service word `stage` with the
stage's name as a label, so that one panel and one alert serve them all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from time import perf_counter

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class Kind(StrEnum):
    """What the value does."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Metric(msgspec.Struct, frozen=True):
    """One exported family. Counters end in `_total`."""

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


_FAST = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.2, 0.26, 0.5, 1.0, 2.5, 10.0)
_FRESHNESS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)
_MODEL = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_SIZES = (1, 4, 16, 64, 128, 256, 512, 1024, 4096)
_STAGE = ("stage",)
_PLACE = ("stage", "lane", "partition")
_C, _G, _H = Kind.COUNTER, Kind.GAUGE, Kind.HISTOGRAM

DECLARED: tuple[Metric, ...] = (
    # every stage
    Metric("headwater_stage_events_total", _C, "Events handled", ("stage", "lane")),
    Metric("headwater_stage_produced_total", _C, "Messages produced", ("stage", "topic")),
    Metric("headwater_stage_dead_letters_total", _C, "Events set aside in a dead-letter topic", ("stage", "topic")),
    Metric("headwater_stage_retries_total", _C, "Batches to be handled again after a pause", _STAGE),
    Metric("headwater_stage_back_pressure_total", _C, "Times the stage stopped taking events", _STAGE),
    Metric("headwater_stage_aborts_total", _C, "Transactions aborted", _STAGE),
    Metric("headwater_stage_paused_partitions", _G, "Partitions that wait for a retry", _STAGE),
    Metric("headwater_stage_assigned_partitions", _G, "Partitions held by this process", ("stage", "lane")),
    Metric("headwater_stage_lag_events", _G, "Events behind the end of the topic", ("stage", "topic", "partition")),
    Metric("headwater_stage_batch_events", _H, "Events in one batch", ("stage", "lane"), _SIZES),
    Metric("headwater_stage_handle_seconds", _H, "Time in the stage's handle for a batch", _STAGE, _FAST),
    Metric("headwater_stage_commit_seconds", _H, "Time to flush and commit a batch", _STAGE, _FAST),
    Metric("headwater_stage_event_age_seconds", _H, "Age of the push when the stage is done", ("stage",), _FRESHNESS),
    Metric("headwater_stage_heartbeat_age_seconds", _G, "Age of the newest heartbeat through", _PLACE),
    # freshness and proof
    Metric(
        "headwater_commit_to_searchable_seconds", _H, "From push to published generation", ("lane", "index"), _FRESHNESS
    ),
    Metric("headwater_head_lag_seconds", _G, "Age of the oldest head of a git host not yet published", ("view",)),
    Metric("headwater_divergent_files", _G, "Paths on which index and git tree differ", ("view",)),
    Metric("headwater_reconciler_repairs_total", _C, "Repairs sent for differing paths"),
    Metric("headwater_reconciler_published_total", _C, "Generations published", ("lane",)),
    Metric("headwater_reconciler_proofs_total", _C, "Merkle root checks", ("outcome",)),
    Metric("headwater_reconciler_lost_rows_total", _C, "Rows found lost or altered behind our back", ("store", "kind")),
    Metric("headwater_reconciler_canary_seconds", _H, "Time for the canary query to answer", (), _FAST),
    Metric("headwater_reconciler_canary_failures_total", _C, "Canary queries without the expected answer"),
    # single stages
    Metric("headwater_commit_ingest_commits_total", _C, "Ref updates seen", ("cause", "outcome")),
    Metric("headwater_merkle_differ_trees_read_total", _C, "Tree objects read to find the changes"),
    Metric("headwater_ast_chunker_fallbacks_total", _C, "Files chunked by lines instead of syntax", ("reason",)),
    Metric("headwater_ast_chunker_parked_total", _C, "Files set aside because their content could not be read"),
    Metric("headwater_ast_chunker_parse_seconds", _H, "Time to parse one file", ("language",), _FAST),
    Metric("headwater_embedder_chunks_total", _C, "Chunks by what was done", ("outcome",)),
    Metric("headwater_vector_sink_rows_total", _C, "Vectors written"),
    Metric("headwater_defref_sink_documents_total", _C, "Documents written"),
    # clients
    Metric("headwater_model_batch_chunks", _H, "Chunks in one request to the model", ("model",), _SIZES),
    Metric("headwater_model_request_seconds", _H, "Time of one request to the model", ("model", "kind"), _FAST),
    Metric("headwater_model_queue_requests", _G, "Requests that wait for the model's answer", ("model",)),
    Metric("headwater_model_rejected_total", _C, "Requests refused before sending", ("model", "reason")),
    Metric("headwater_breaker_state", _G, "0 closed, 1 half open, 2 open", ("name",)),
    Metric("headwater_breaker_opened_total", _C, "Times a breaker opened", ("name",)),
    # stores
    Metric("headwater_vectors_request_seconds", _H, "Time of one request to the vector store", ("kind",), _FAST),
    Metric("headwater_vectors_writes_paused", _G, "1 while the vector store refuses writes"),
    Metric("headwater_catalog_unreferenced_rows", _G, "Rows that no pinned generation refers to", ("table",)),
    Metric("headwater_catalog_bytes", _G, "Size of the catalog on disk, indexes included"),
    # rollouts: an index is an edition, see ADR 17
    Metric("headwater_rollout_phase", _G, "1 for the phase that the index is in", ("index", "phase")),
    Metric("headwater_rollout_files", _G, "Files of the live index, and those done", ("index", "state")),
    Metric("headwater_rollout_behind_views", _G, "Views of the live index that this one doesn't cover", ("index",)),
    Metric("headwater_rollout_lag_seconds", _G, "Age of the oldest publication not covered", ("index",)),
    Metric("headwater_rollout_vector_rows", _G, "Vectors of the index", ("index",)),
    Metric("headwater_rollout_gate_passed", _G, "1 if the last gate passed, 0 if it failed", ("index",)),
    # query
    Metric("headwater_query_requests_total", _C, "Requests", ("method", "code")),
    Metric("headwater_query_seconds", _H, "Time to answer", ("method", "kind"), _FAST),
    Metric("headwater_query_part_seconds", _H, "Time of one part of an answer", ("part",), _FAST),
    Metric("headwater_query_degraded_total", _C, "Answers given without a part", ("part",)),
    Metric("headwater_query_results_total", _C, "Results in answers", ("method",)),
    Metric("headwater_query_empty_total", _C, "Answers without a result", ("method",)),
    Metric("headwater_query_cache_total", _C, "Look-ups in a cache", ("cache", "outcome")),
    Metric("headwater_query_hydration_total", _C, "Texts asked of the git host", ("outcome",)),
    Metric("headwater_query_policy_refused_total", _C, "Bad policy files that left the last good policy in force"),
    Metric("headwater_query_audit_failures_total", _C, "Audit records that could not be written"),
    Metric("headwater_query_outcomes_total", _C, "Outcomes reported by callers", ("outcome",)),
    Metric("headwater_query_outcomes_lost_total", _C, "Outcomes that could not be written"),
    Metric("headwater_structural_seconds", _H, "Time of one structural query", ("engine",), _FAST),
    Metric("headwater_structural_graphs_total", _C, "Flow graphs built ahead of questions"),
    Metric("headwater_structural_model_requests_total", _C, "Requests to the language model", ("outcome",)),
    Metric("headwater_structural_model_invalid_total", _C, "Answers of the language model that are no valid query"),
    Metric("headwater_structural_model_tokens_total", _C, "Tokens sent to the language model and received", ("kind",)),
    Metric("headwater_structural_model_seconds", _H, "Time of one request to the language model", (), _MODEL),
    # limits: docs/limits.md
    Metric("headwater_limits_reached_total", _C, "Times a limit was reached", ("limit",)),
    # process
    Metric("headwater_process_open_handles", _G, "Open file descriptors"),
    Metric("headwater_process_resident_bytes", _G, "Resident memory"),
)


class UndeclaredMetricError(Exception):
    """The metric isn't in DECLARED, or is of another kind, or has other labels."""


class Metrics:
    """The declared metrics in one registry; a process has one (METRICS), a test may have its own."""

    def __init__(self, declared: tuple[Metric, ...] = DECLARED) -> None:
        self.registry = CollectorRegistry()
        self._declared = {m.name: m for m in declared}
        self._families = {m.name: self._family(m) for m in declared}

    def _family(self, metric: Metric) -> Counter | Gauge | Histogram:
        if metric.kind is Kind.HISTOGRAM:
            return Histogram(metric.name, metric.help, metric.labels, buckets=metric.buckets, registry=self.registry)
        plain = Counter if metric.kind is Kind.COUNTER else Gauge
        return plain(metric.name, metric.help, metric.labels, registry=self.registry)

    def count(self, name: str, by: float = 1, /, **labels: str) -> None:
        family = self._find(name, Kind.COUNTER, labels)
        assert isinstance(family, Counter)
        (family.labels(**labels) if labels else family).inc(by)

    def set(self, name: str, value: float, /, **labels: str) -> None:
        family = self._find(name, Kind.GAUGE, labels)
        assert isinstance(family, Gauge)
        (family.labels(**labels) if labels else family).set(value)

    def observe(self, name: str, value: float, /, **labels: str) -> None:
        family = self._find(name, Kind.HISTOGRAM, labels)
        assert isinstance(family, Histogram)
        (family.labels(**labels) if labels else family).observe(value)

    @contextmanager
    def timed(self, name: str, /, **labels: str) -> Iterator[None]:
        """Observe the seconds that the block takes, however it ends."""
        start = perf_counter()
        try:
            yield
        finally:
            self.observe(name, perf_counter() - start, **labels)

    def forget(self, name: str, /, **labels: str) -> None:
        """Drop one labelled value, so that a partition that is no longer held shows no stale figure."""
        metric = self._declared[name]
        values = tuple(labels[label] for label in metric.labels)
        family = self._families[name]
        if values in family._metrics:
            family.remove(*values)

    def _find(self, name: str, kind: Kind, labels: dict[str, str]) -> Counter | Gauge | Histogram:
        metric = self._declared.get(name)
        if metric is None or metric.kind is not kind or set(metric.labels) != set(labels):
            raise UndeclaredMetricError(f"{kind} {name} with labels {sorted(labels)} is not declared in metrics.py")
        return self._families[name]


METRICS = Metrics()
