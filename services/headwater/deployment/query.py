"""query as a process: the engine over PostgreSQL and Milvus, query vectors from Triton, answers over gRPC."""

import logging
import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated

import msgspec

from headwater.clients.reranker import StaticReranker
from headwater.clients.static_model import StaticModel
from headwater.clients.triton_model import TritonSettings
from headwater.deployment.live_index import LiveIndex
from headwater.deployment.operations import operations
from headwater.deployment.parts.catalog import CatalogSettings, WholeCatalog, open_compiled_indexes
from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.git import GitSettings, RememberedLocations, git_settings, git_source, in_place
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_index, pipeline_version
from headwater.deployment.parts.treatment import deployed_treatment
from headwater.deployment.stage_board import StageBoard
from headwater.deployment.steady_clock import SteadyClock
from headwater.deployment.stopping import SPARE_S, Stopping
from headwater.deployment.web_page import web_page
from headwater.domain.answer import StageFreshness
from headwater.domain.treatment import Treatment
from headwater.query.caller import allow_all
from headwater.query.engine import Parts
from headwater.query.heads import GitHeads
from headwater.query.hydration_settings import HydrationSettings, hydration_from
from headwater.query.identity.compose import access_control
from headwater.query.identity.settings import AccessSettings
from headwater.query.live import LiveEngine
from headwater.query.named_views import Names
from headwater.query.outcomes import JsonLinesOutcomeLog
from headwater.query.server import END_S, QueryServer, ServerSettings
from headwater.query.workers import waiting_elsewhere
from headwater.settings import load_settings
from headwater.stores.catalog import CatalogUnavailableError
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.stores.milvus_settings import MilvusSettings
from headwater.stores.mirror_source import MirrorGitSource
from headwater.streaming.broker_access import BrokerAccess
from headwater.streaming.health import HealthServer
from headwater.structural.compose import structural_answering

READY_FOR_S = 1.0  # how long one look at the catalog counts
MIRROR_AGE_S = 5.0
LOCATIONS_AGE_S = 1.0  # how long the catalog's word on where repositories are counts

Meta = msgspec.Meta
log = logging.getLogger("headwater")


class QuerySettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_QUERY_…; who may ask what is HEADWATER_ACCESS_…"""

    address: Annotated[str, Meta(description="host:port to answer on")] = "127.0.0.1:7070"
    threads: Annotated[int, Meta(description="requests answered at once", ge=1)] = 16
    max_concurrent: Annotated[int, Meta(description="requests taken on; more are refused", ge=1)] = 64
    grace_s: Annotated[float, Meta(description="time for running requests at the end", ge=0)] = 10.0
    page_secret: Annotated[str, Meta(description="seals page tokens; the same for every replica")] = ""
    web: Annotated[str, Meta(description="host:port of the web page; empty: none")] = ""
    outcomes: Annotated[str, Meta(description="file for reported outcomes; empty: none are kept")] = ""
    brokers: Annotated[str, Meta(description="Kafka, to show the stages' heartbeats; empty: not shown")] = ""
    kafka_properties: Annotated[str, Meta(description="file of further librdkafka properties, name=value")] = ""
    health_host: Annotated[str, Meta(description="address of /metrics, /livez and /readyz")] = "127.0.0.1"
    health_port: Annotated[int, Meta(description="their port; 0 takes a free one", ge=0, le=65_535)] = 0


SETTINGS = {
    "query": QuerySettings,
    "access": AccessSettings,
    "catalog": CatalogSettings,
    "milvus": MilvusSettings,
    "triton": TritonSettings,
    "git": GitSettings,
    "hydration": HydrationSettings,
    "pipeline": PipelineSettings,
    "indexing": Treatment,
}


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status.

    Raises SettingsError, CatalogUnavailableError, VersionMismatchError, OSError.
    """
    settings, access = load_settings(QuerySettings, "query", environ), load_settings(AccessSettings, "access", environ)
    own_git = git_settings(environ)
    with Stopping(settings.grace_s + END_S + SPARE_S) as stop, ExitStack() as opened:
        opened.enter_context(closing(open_catalog(environ, pipeline_version(environ))))
        index = opened.enter_context(closing(LiveIndex(environ)))
        control = access_control(access, settings.address, lambda: [r.name for r in index.catalog().repositories()])
        location = RememberedLocations(index.catalog, LOCATIONS_AGE_S)
        pointers_only = deployed_treatment(environ).pointers_only
        git = git_source(own_git, location, MIRROR_AGE_S, blobs=not pointers_only)
        brokers = _brokers(settings, pipeline_index(environ))
        parts = Parts(
            reader=index.catalog(),
            reranker=StaticReranker(StaticModel()),
            outcomes=JsonLinesOutcomeLog(Path(settings.outcomes)) if settings.outcomes else None,
            names=Names(default_ref=git.head_ref, commit_of=git.commit_named),
            contains=lambda repo, commit, other: _contains(git, repo, commit, other),
            head_of=GitHeads(index.catalog, git),
            compiled=opened.enter_context(closing(open_compiled_indexes(environ))),
            stages=_stages(brokers, opened),
            structural=structural_answering(environ, pointers_only=pointers_only),
            hydration=hydration_from(environ, access, in_place(git, location)) if pointers_only else None,
            page_secret=settings.page_secret.encode() or os.urandom(32),
        )
        engine = opened.enter_context(closing(LiveEngine(index.editions, lambda number: index.engine(number, parts))))
        serving = ServerSettings(
            address=settings.address,
            threads=settings.threads,
            max_concurrent=settings.max_concurrent,
            grace_s=settings.grace_s,
            credentials=control.credentials,
        )
        server = QueryServer(
            engine,
            serving,
            control.authorise or allow_all,
            audit=control.audit,
            operations=operations(index.catalog, brokers, index.others),
        )
        readiness = Readiness(index.catalog)
        health = HealthServer(lambda: True, readiness.trouble, (settings.health_host, settings.health_port))
        health.start()
        opened.callback(health.stop)
        if settings.web:
            opened.enter_context(web_page(engine, settings.web, control))
        with server, engine.preparer():
            log.info("query: answering on port %d, health on port %d", server.port, health.port)
            while not stop.wait(READY_FOR_S):
                server.show_ready(not readiness.trouble())
    return 0


class Readiness:
    """Without the catalog nothing can be answered; everything else only degrades."""

    def __init__(self, catalog: Callable[[], WholeCatalog]) -> None:
        self._catalog, self._at, self._trouble = catalog, float("-inf"), ""

    def trouble(self) -> str:
        if time.monotonic() - self._at >= READY_FOR_S:
            try:
                self._catalog().views()
            except CatalogUnavailableError as error:
                self._trouble = str(error)
            else:
                self._trouble = ""
            self._at = time.monotonic()
        return self._trouble


def _brokers(settings: QuerySettings, edition: int) -> BrokerAccess | None:
    return BrokerAccess(settings.brokers, settings.kafka_properties, edition) if settings.brokers else None


def _stages(access: BrokerAccess | None, opened: ExitStack) -> Callable[[], tuple[StageFreshness, ...]]:
    if access is None:
        return tuple
    return opened.enter_context(StageBoard(access, SteadyClock())).stages


def _contains(git: MirrorGitSource, repo: str, commit: str, other: str) -> bool:
    try:
        with waiting_elsewhere():
            return git.open(repo).behind(commit, other) == 0
    except RepositoryUnreadableError:
        return False
