"""The check behind invariant 1: what an index answers equals what a fresh index of the same refs answers."""

from collections.abc import Sequence
from pathlib import Path

from headwater.domain.merkle import recompute_root
from headwater.domain.view import ViewKey
from headwater.embedded.comparison import IndexedTree, differences
from headwater.stores.git_store import GitRepository
from support.rig import REPO, Rig, received

REFS = ("refs/heads/main", "refs/heads/topic")


def check_equals_fresh(rig: Rig, repository: Path, folder: Path, refs: Sequence[str] = REFS) -> None:
    """Every ref's view is exactly its tree, proven, and answers as a fresh index does; a deleted ref has no view."""
    git = GitRepository(repository)
    fresh = Rig(folder, repository, rig.treatment)
    try:
        fresh.run([received(ref) for ref in refs])
        for ref in refs:
            view, head = ViewKey(REPO, ref), git.commit_of(ref)
            state = rig.catalog.view(view)
            if head is None:
                assert state is None or state.deleted
                with rig.catalog.pin([view]) as scope:
                    assert scope == ()
                continue
            assert state is not None
            assert (state.commit, state.tree) == (head, git.tree_of(head))
            assert state.tree_proven
            assert state.vector_complete
            assert recompute_root(rig.catalog.tree_reader(view, state.published)) == state.tree
            with rig.catalog.pin([view]) as ours, fresh.catalog.pin([view]) as theirs:
                assert list(differences(IndexedTree(rig.catalog, ours), IndexedTree(fresh.catalog, theirs))) == []
                hashes = fresh.catalog.chunk_hashes(theirs, 10_000)
                assert hashes is not None
                assert rig.vectors.present(hashes) == set(hashes)
                assert sorted(rig.catalog.chunk_hashes(ours, 10_000) or []) == sorted(hashes)
    finally:
        fresh.close()
