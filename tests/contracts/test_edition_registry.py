"""One suite for both registries of editions: one change at a time, durable, seen by every other process."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from headwater.domain import edition as steps
from headwater.domain.edition import Editions, Phase, RolloutRefusedError
from headwater.domain.version import PipelineVersion
from headwater.stack import Running
from headwater.stores.edition_file import FileEditions
from headwater.stores.edition_registry import EditionRegistry
from headwater.stores.postgres.editions import PostgresEditions

OLD, NEW = PipelineVersion("old", 8), PipelineVersion("new", 16)
Opener = Callable[[], EditionRegistry]


@pytest.fixture(params=["file", pytest.param("postgres", marks=(pytest.mark.stack, pytest.mark.xdist_group("stack")))])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    opened: list[EditionRegistry] = []
    if request.param == "file":
        make: Opener = lambda: FileEditions(tmp_path / "home" / "editions.json")  # noqa: E731
    else:
        server: Running = request.getfixturevalue("postgres")
        url, name = f"postgresql://app@127.0.0.1:{server.ports['sql']}/postgres", f"test_{uuid4().hex[:12]}"
        make = lambda: PostgresEditions(url, name)  # noqa: E731

    def open_registry() -> EditionRegistry:
        opened.append(make())
        return opened[-1]

    yield open_registry
    for registry in opened:
        registry.close()


def test_before_the_first_change_there_is_nothing(opener: Opener) -> None:
    assert opener().read() == Editions()


def test_a_change_is_seen_by_everybody(opener: Opener) -> None:
    one, other = opener(), opener()
    assert one.change(steps.adopt(OLD, {"weights": "w"}, 1.0)) == one.read() == other.read()
    other.change(steps.start(NEW, {}, 2.0))
    other.change(steps.laid_out(2))
    other.change(steps.cut_over("no golden questions yet", 3.0))
    assert {e.number: e.phase for e in one.read().rows} == {1: Phase.RETAINED, 2: Phase.LIVE}
    assert opener().read() == one.read()
    assert one.read().rows[0].source == {"weights": "w"}


def test_what_is_refused_changes_nothing(opener: Opener) -> None:
    registry = opener()
    registry.change(steps.adopt(OLD, {}, 1.0))
    before = registry.read()
    with pytest.raises(RolloutRefusedError):
        registry.change(steps.roll_back(2.0))
    assert registry.read() == before


def test_two_start_at_once_and_one_of_them_is_refused(opener: Opener) -> None:
    opener().change(steps.adopt(OLD, {}, 1.0))
    versions = [PipelineVersion(f"new-{n}", 8) for n in range(6)]
    refused: list[str] = []
    barrier = threading.Barrier(len(versions))

    def start(version: PipelineVersion) -> None:
        registry = opener()
        barrier.wait()
        try:
            registry.change(steps.start(version, {}, 2.0))
        except RolloutRefusedError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=start, args=(version,)) for version in versions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == len(versions) - 1
    assert [e.number for e in opener().read().rows] == [1, 2]
