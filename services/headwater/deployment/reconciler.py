"""reconciler as a process: the stage, its heartbeats, its rounds, its canary and the stores' upkeep."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import Annotated

import msgspec

from headwater.deployment.heart import Heart
from headwater.deployment.parts.caller import CallerSettings, connect
from headwater.deployment.parts.catalog import CatalogSettings
from headwater.deployment.parts.editions import RememberedEditions, open_catalog, open_registry
from headwater.deployment.parts.git import GitSettings, git_settings, git_source, in_catalog
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_index, pipeline_version
from headwater.deployment.parts.treatment import deployed_treatment
from headwater.deployment.parts.vectors import open_vectors
from headwater.deployment.periodic import Periodic
from headwater.deployment.rollout_metrics import RolloutMetrics
from headwater.deployment.steady_clock import SteadyClock
from headwater.domain.treatment import Treatment
from headwater.domain.view import ViewKey
from headwater.events import Heartbeat, Lane
from headwater.events.index_applied import Index
from headwater.metrics import METRICS
from headwater.reconciler.canary import Canary
from headwater.reconciler.rounds import Compared, Rounds
from headwater.reconciler.stage import VECTOR_GRACE, Reconciler
from headwater.reconciler.upkeep import Upkeep
from headwater.settings import SettingsError, load_settings
from headwater.stores.catalog import CatalogUnavailableError, DivergenceError
from headwater.stores.milvus_settings import MilvusSettings
from headwater.stores.vector_store import VectorsUnavailableError
from headwater.streaming.kafka import DeliveryError, KafkaUnavailableError, Publisher
from headwater.streaming.ref_updates import RefUpdates
from headwater.streaming.service_runner import StageSettings, run_stage

CONFIRM_MS = "30000"

Meta = msgspec.Meta
log = logging.getLogger("headwater")


class ReconcilerSettings(StageSettings, frozen=True, kw_only=True):
    """What is due is tried at every turn; nothing else waits while a store or the query service is away."""

    vector_grace_s: Annotated[float, Meta(description="how long the lexical side waits for vectors", ge=0)] = (
        VECTOR_GRACE
    )
    heartbeat_s: Annotated[float, Meta(description="seconds between heartbeats", gt=0)] = 5.0
    look_s: Annotated[float, Meta(description="seconds between rounds through every view", gt=0)] = 5.0
    proof_s: Annotated[float, Meta(description="seconds between proofs of every leaf and vector row", ge=0)] = 600.0
    upkeep_s: Annotated[float, Meta(description="seconds between collections of what nothing shows", gt=0)] = 900.0
    rollout_s: Annotated[float, Meta(description="seconds between looks at a rollout's progress", gt=0)] = 30.0
    query: Annotated[str, Meta(description="host:port of the query service for the canary; empty: none")] = ""
    canary_s: Annotated[float, Meta(description="seconds between canary questions", gt=0)] = 60.0


SETTINGS = {
    "reconciler": ReconcilerSettings,
    "catalog": CatalogSettings,
    "milvus": MilvusSettings,
    "git": GitSettings,
    "pipeline": PipelineSettings,
    "indexing": Treatment,
    "caller": CallerSettings,
}


class Watching:
    """The stage's watcher: publications and heartbeats become metrics, divergence is the rounds' to repair."""

    def __init__(self, heart: Heart) -> None:
        self._heart = heart

    def published(self, view: ViewKey, index: Index, lane: Lane, seconds: float) -> None:
        METRICS.observe("headwater_commit_to_searchable_seconds", max(0.0, seconds), lane=lane, index=index)
        if index is Index.LEXICAL:
            METRICS.count("headwater_reconciler_published_total", lane=lane)

    def diverged(self, view: ViewKey, error: DivergenceError) -> None:
        log.error("%s %s: %s", view.repo, view.ref, error)
        METRICS.count("headwater_reconciler_proofs_total", outcome="diverged")

    def heard(self, heartbeats: Sequence[Heartbeat]) -> None:
        self._heart.heard(heartbeats)


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status.

    Raises SettingsError, CatalogUnavailableError, VersionMismatchError, KafkaUnavailableError.
    """
    settings = load_settings(ReconcilerSettings, "reconciler", environ)
    version, own_git, clock = pipeline_version(environ), git_settings(environ), SteadyClock()
    vectors = open_vectors(environ, version)
    with ExitStack() as opened:
        catalog = opened.enter_context(closing(open_catalog(environ, version)))
        edition, registry = pipeline_index(environ), opened.enter_context(closing(open_registry(environ)))
        access = settings.access(edition)
        publisher = Publisher(msgspec.structs.replace(access, own={"message.timeout.ms": CONFIRM_MS}))
        heart = Heart(access, publisher, clock)
        stage = Reconciler(catalog, clock, settings.vector_grace_s, Watching(heart))
        kept = not deployed_treatment(environ).pointers_only
        git = git_source(own_git, in_catalog(catalog), settings.look_s, blobs=kept)
        compared = Compared(catalog=catalog, reader=catalog, git=git, vectors=vectors)
        rounds = Rounds(
            compared,
            stage.settle,
            RefUpdates(publisher).publish,
            heart.watermark,
            settings.proof_s,
            answers=partial(RememberedEditions(registry, settings.rollout_s).is_live, edition),
        )
        turns = [
            Periodic("heartbeats", settings.heartbeat_s, tried("heartbeat", heart.beat)),
            Periodic("rounds", settings.look_s, tried("round", lambda: rounds.look(clock()))),
            Periodic("upkeep", settings.upkeep_s, tried("upkeep", Upkeep(catalog, vectors).look)),
        ]
        rollout = RolloutMetrics(environ, edition)
        turns.append(Periodic("rollout", settings.rollout_s, tried("look at the rollout", rollout.look)))
        if settings.query:
            canary = Canary(catalog, partial(connect, settings.query, load_settings(CallerSettings, "caller", environ)))
            turns.append(Periodic("canary", settings.canary_s, tried("canary", canary.look)))
        for turn in turns:
            opened.enter_context(turn)
        status = run_stage(stage, settings, edition)
        return 1 if any(turn.crashed for turn in turns) else status


_AWAY = (CatalogUnavailableError, VectorsUnavailableError, DeliveryError, KafkaUnavailableError, SettingsError)


def tried(name: str, work: Callable[[], object]) -> Callable[[], None]:
    """What is away now is asked again at the next turn."""

    def turn() -> None:
        try:
            work()
        except _AWAY as error:
            log.warning("no %s this time: %s", name, error)

    return turn
