"""commit-ingest as a process: the endpoint for git hosts and hooks, and polling as the safety net."""

import logging
import signal
import threading
from collections.abc import Mapping
from contextlib import closing
from typing import Annotated

import msgspec

from headwater.commit_ingest.deliveries import Deliveries
from headwater.commit_ingest.endpoint import Endpoint
from headwater.commit_ingest.poller import Poller
from headwater.deployment.followed_editions import Followed, FollowedEditions
from headwater.deployment.parts.catalog import CatalogSettings
from headwater.deployment.parts.editions import catalog_of, open_catalog, open_registry
from headwater.deployment.parts.git import GitSettings, git_settings, git_source, in_catalog
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_version
from headwater.deployment.parts.treatment import deployed_treatment
from headwater.deployment.periodic import Periodic
from headwater.domain.edition import Edition
from headwater.domain.treatment import Treatment
from headwater.settings import load_settings
from headwater.stores.catalog import Catalog, CatalogUnavailableError, Repository
from headwater.streaming.broker_access import BrokerAccess
from headwater.streaming.broker_watch import BrokerWatch
from headwater.streaming.health import HealthServer
from headwater.streaming.kafka import DeliveryError, Publisher
from headwater.streaming.ref_updates import RefUpdates

CONFIRM_MS = "8000"  # git hosts wait 10 s for an answer

Meta = msgspec.Meta
log = logging.getLogger("headwater")


class IngestSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_COMMIT_INGEST_…; a host without a secret is refused."""

    brokers: Annotated[str, Meta(description="Kafka's bootstrap addresses, host:port with commas", min_length=1)]
    kafka_properties: Annotated[str, Meta(description="file of further librdkafka properties, name=value")] = ""
    refs: Annotated[tuple[str, ...], Meta(description="refs to follow: names or globs, with commas")] = (
        "refs/heads/*",
    )
    host: Annotated[str, Meta(description="address of the endpoint for webhooks and hooks")] = "127.0.0.1"
    port: Annotated[int, Meta(description="its port; 0 takes a free one", ge=0, le=65_535)] = 8080
    github_secret: Annotated[str, Meta(description="secret of GitHub's webhooks")] = ""
    gitlab_secret: Annotated[str, Meta(description="token of GitLab's webhooks")] = ""
    gitea_secret: Annotated[str, Meta(description="secret of Gitea's webhooks")] = ""
    hook_token: Annotated[str, Meta(description="token of the post-receive hook")] = ""
    poll_s: Annotated[float, Meta(description="seconds between looks at every followed ref", gt=0)] = 30.0
    health_host: Annotated[str, Meta(description="address of /metrics, /livez and /readyz")] = "127.0.0.1"
    health_port: Annotated[int, Meta(description="their port; 0 takes a free one", ge=0, le=65_535)] = 0

    def access(self, edition: int = 1) -> BrokerAccess:
        """To the topics of one edition of the index."""
        own = {"message.timeout.ms": CONFIRM_MS}
        return BrokerAccess(self.brokers, self.kafka_properties, edition, own)

    def secrets(self) -> dict[str, str]:
        return {
            "github": self.github_secret,
            "gitlab": self.gitlab_secret,
            "gitea": self.gitea_secret,
            "hook": self.hook_token,
        }


SETTINGS = {
    "commit-ingest": IngestSettings,
    "catalog": CatalogSettings,
    "git": GitSettings,
    "pipeline": PipelineSettings,
    "indexing": Treatment,
}


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status. Raises SettingsError, CatalogUnavailableError, OSError."""
    settings = load_settings(IngestSettings, "commit-ingest", environ)
    own_git, kept = git_settings(environ), not deployed_treatment(environ).pointers_only
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_signal: stop.set())
    open_catalog(environ, pipeline_version(environ)).close()

    def follow(edition: Edition) -> Followed:
        catalog = catalog_of(environ, edition.number, edition.version)
        updates = RefUpdates(Publisher(settings.access(edition.number)))
        git = git_source(own_git, in_catalog(catalog), max_age_s=0.0, blobs=kept)
        return Followed(
            catalog=catalog,
            publish=updates.publish,
            poller=Poller(catalog, git.open, updates.publish, settings.refs),
        )

    with closing(open_registry(environ)) as registry, closing(FollowedEditions(registry, follow)) as editions:
        register(editions.current()[0].catalog, own_git.locations())
        deliveries = Deliveries(
            lambda: _locations(editions.current()[0].catalog), editions.publish, settings.secrets(), settings.refs
        )
        endpoint = Endpoint(deliveries, (settings.host, settings.port))
        return _serve(settings, endpoint, Looks(editions), stop)


def register(catalog: Catalog, locations: Mapping[str, str]) -> None:
    """A repository that was paused stays so."""
    paused = {r.name for r in catalog.repositories() if r.paused}
    for name, location in locations.items():
        catalog.add_repository(Repository(name, location, name in paused))


class Looks:
    """The pollers' looks; one that fails is tried again at the next turn and shown as not ready."""

    def __init__(self, editions: FollowedEditions) -> None:
        self._editions = editions
        self.trouble = "the first look has not ended yet"

    def look(self) -> None:
        try:
            self._editions.look()
        except (DeliveryError, CatalogUnavailableError) as error:
            log.warning("this look failed: %s", error)
            self.trouble = str(error)
        else:
            self.trouble = ""


def _serve(settings: IngestSettings, endpoint: Endpoint, looks: Looks, stop: threading.Event) -> int:
    polling = Periodic("polling", settings.poll_s, looks.look)
    address = (settings.health_host, settings.health_port)
    watch = BrokerWatch(settings.access())
    health = HealthServer(lambda: not polling.crashed, lambda: watch.trouble or looks.trouble, address)
    health.start()
    endpoint.start()
    log.info("commit-ingest: endpoint on port %d, health on port %d", endpoint.port, health.port)
    with polling, watch:
        stop.wait()
        endpoint.stop()
        health.stop()
    return 1 if polling.crashed else 0


def _locations(catalog: Catalog) -> dict[str, str]:
    return {r.name: r.location for r in catalog.repositories() if not r.paused}
