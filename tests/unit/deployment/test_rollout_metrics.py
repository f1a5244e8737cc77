"""What an edition shows of itself."""

from headwater.deployment.rollout_metrics import show
from headwater.domain.edition import Edition, Gate, Phase
from headwater.domain.version import PipelineVersion
from headwater.metrics import Metrics
from headwater.rollout.coverage import Coverage
from headwater.rollout.operations import EditionStatus


def test_a_shadow_shows_its_phase_its_coverage_and_its_gate() -> None:
    metrics, gate = Metrics(), Gate(passed=False, at=1.0, questions=3)
    edition = Edition(number=2, version=PipelineVersion("m", 8), phase=Phase.BUILDING, gate=gate)
    covered = Coverage(views=4, views_done=3, documents=90, documents_done=60, lag_seconds=7.5)
    show(EditionStatus(edition=edition, vectors=200, coverage=covered), metrics)

    def value(name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(name, {"index": "2", **labels})

    assert value("headwater_rollout_phase", phase="building") == 1
    assert value("headwater_rollout_phase", phase="live") == 0
    assert value("headwater_rollout_vector_rows") == 200
    assert value("headwater_rollout_files", state="done") == 60
    assert value("headwater_rollout_files", state="wanted") == 90
    assert value("headwater_rollout_behind_views") == 1
    assert value("headwater_rollout_lag_seconds") == 7.5
    assert value("headwater_rollout_gate_passed") == 0


def test_the_only_edition_shows_no_coverage() -> None:
    metrics = Metrics()
    edition = Edition(number=1, version=PipelineVersion("m", 8), phase=Phase.LIVE)
    show(EditionStatus(edition=edition, vectors=5), metrics)
    assert metrics.registry.get_sample_value("headwater_rollout_lag_seconds", {"index": "1"}) is None
