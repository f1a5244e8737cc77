"""The reconciler's upkeep: what nothing shows any more goes, and its figures say so."""

from pathlib import Path

from headwater.metrics import Metrics
from headwater.reconciler.upkeep import Upkeep
from support.git_repo import RepoBuilder
from support.rig import Rig, received

MAIN = "refs/heads/main"
ALPHA = b"def alpha():\n    return 1\n"


def test_e3_twenty_branches_made_and_deleted_leave_the_figures_at_their_baseline(tmp_path: Path) -> None:
    git, metrics = RepoBuilder(tmp_path / "r.git"), Metrics()
    git.commit({"a.py": ALPHA})
    rig = Rig(tmp_path, git.path)
    rig.run([received(MAIN)])
    upkeep = Upkeep(rig.catalog, rig.vectors, metrics=metrics)
    for number in range(20):
        ref = f"refs/heads/b{number}"
        git.commit({"a.py": ALPHA, "own.py": f"def own_{number}(): pass\n".encode()}, ref)
        rig.run([received(ref)])
        git.delete(ref)
        rig.run([received(ref)])
    assert rig.vectors.count() == 21
    upkeep.look()
    upkeep.look()  # a vector goes once two looks found no document for it
    assert rig.vectors.count() == 1
    assert metrics.registry.get_sample_value("headwater_catalog_unreferenced_rows", {"table": "all"}) == 0
    assert metrics.registry.get_sample_value("headwater_catalog_bytes") == rig.catalog.size()
    rig.close()
