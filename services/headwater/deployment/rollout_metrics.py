"""A rollout as metrics: each edition's reconciler shows its own edition's."""

import logging
from collections.abc import Mapping
from contextlib import closing

from headwater.deployment.deployed_editions import DeployedEditions
from headwater.deployment.parts.editions import open_registry
from headwater.domain.edition import Phase
from headwater.metrics import METRICS, Metrics
from headwater.rollout.operations import EditionStatus, Rollout
from headwater.stores.catalog import VersionMismatchError

log = logging.getLogger("headwater")


class RolloutMetrics:
    """Coverage is counted for an edition that isn't live: it costs a count of every view."""

    def __init__(self, environ: Mapping[str, str], number: int, metrics: Metrics = METRICS) -> None:
        self._environ, self._number, self._metrics = environ, number, metrics

    def look(self) -> None:
        """Raises CatalogUnavailableError, VectorsUnavailableError."""
        with closing(open_registry(self._environ)) as registry, closing(DeployedEditions(self._environ)) as stores:
            own = registry.read().get(self._number)
            if own is not None and own.phase is Phase.LIVE:
                return show(EditionStatus(edition=own, vectors=stores.vectors(own)), self._metrics)
            try:
                found = Rollout(registry, stores).status()
            except VersionMismatchError as error:
                log.warning("the live index is of a program that stores otherwise: %s", error)
                return None
            for status in found:
                if status.edition.number == self._number:
                    show(status, self._metrics)
        return None


def show(status: EditionStatus, metrics: Metrics) -> None:
    edition, found = status.edition, status.coverage
    index = str(edition.number)
    for phase in Phase:
        metrics.set("headwater_rollout_phase", int(phase is edition.phase), index=index, phase=phase.value)
    metrics.set("headwater_rollout_vector_rows", status.vectors, index=index)
    if edition.gate is not None:
        metrics.set("headwater_rollout_gate_passed", int(edition.gate.passed), index=index)
    if found is not None:
        metrics.set("headwater_rollout_files", found.documents_done, index=index, state="done")
        metrics.set("headwater_rollout_files", found.documents, index=index, state="wanted")
        metrics.set("headwater_rollout_behind_views", found.views - found.views_done, index=index)
        metrics.set("headwater_rollout_lag_seconds", found.lag_seconds, index=index)
