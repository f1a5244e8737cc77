"""Large work leaves the live lane before it is begun, and what is on its way is not sent a second time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from headwater.events import CommitReceived, FileChanged, Lane
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.streaming.stage import Outgoing
from support.git_repo import Files, RepoBuilder
from support.rig import Rig, received

MAIN = "refs/heads/main"
FILES: Files = {f"m{n}.py": f"x{n} = {n}\n".encode() for n in range(6)}


@pytest.fixture
def git(tmp_path: Path) -> RepoBuilder:
    made = RepoBuilder(tmp_path / "repo.git")
    made.commit(FILES)
    return made


@pytest.fixture
def rig(git: RepoBuilder, tmp_path: Path) -> Iterator[Rig]:
    (tmp_path / "index").mkdir()
    made = Rig(tmp_path / "index", git.path)
    yield made
    made.close()


def sent(differ: MerkleDiffer, event: CommitReceived) -> list[Outgoing]:
    return list(differ.handle([event]))


def files(outgoing: list[Outgoing]) -> list[tuple[str, Lane]]:
    return [(m.event.path, m.event.lane) for m in outgoing if isinstance(m.event, FileChanged)]


def test_a_first_index_is_handed_to_the_bulk_lane_unopened(rig: Rig) -> None:
    differ = MerkleDiffer(rig.catalog, rig.git)
    push = received(MAIN)
    (handed,) = sent(differ, push)
    assert (handed.topic, handed.event) == ("commit-received", replace(push, lane=Lane.BULK))
    assert rig.catalog.views() == []
    assert files(sent(differ, replace(push, lane=Lane.BULK))) == [(path, Lane.BULK) for path in sorted(FILES)]


def test_a_large_change_is_handed_over_and_a_small_one_is_not(rig: Rig, git: RepoBuilder) -> None:
    rig.run([received(MAIN)])
    differ = MerkleDiffer(rig.catalog, rig.git, bulk_from=3)
    git.commit({**FILES, "m0.py": b"y = 1\n"})
    assert files(sent(differ, received(MAIN))) == [("m0.py", Lane.LIVE)]
    git.commit(dict.fromkeys(FILES, b"z = 1\n"))
    assert [m.event.lane for m in sent(differ, received(MAIN))] == [Lane.BULK]


@pytest.mark.parametrize("repaired", [True, False])
def test_a_push_during_a_load_sends_what_it_changes(rig: Rig, git: RepoBuilder, repaired: bool) -> None:
    differ = MerkleDiffer(rig.catalog, rig.git, repaired=repaired)
    sent(differ, replace(received(MAIN), lane=Lane.BULK))
    git.commit({**FILES, "m3.py": b"y = 1\n"})
    paths = [path for path, _lane in files(sent(differ, received(MAIN)))]
    assert paths == (["m3.py"] if repaired else sorted(FILES))
