"""Which services may start, and who gets ref updates, while there are two editions of the index."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from headwater.commit_ingest.poller import Poller
from headwater.deployment.followed_editions import Followed, FollowedEditions
from headwater.deployment.parts.editions import RememberedEditions, check_belongs
from headwater.domain import edition as steps
from headwater.domain.edition import Change, Edition, Editions
from headwater.domain.version import PipelineVersion
from headwater.events import CommitReceived
from headwater.stores.catalog import CatalogUnavailableError, Repository, VersionMismatchError
from headwater.stores.edition_file import FileEditions
from headwater.stores.sqlite_catalog import SqliteCatalog
from headwater.streaming.kafka import DeliveryError
from headwater.streaming.kafka_connection import Connection

OLD, NEW = PipelineVersion("old", 8, "7"), PipelineVersion("new", 16, "7")
SHADOW = (steps.adopt(OLD, {}, 1.0), steps.start(NEW, {}, 2.0), steps.laid_out(2))


def editions(*changes: Change) -> Editions:
    found = Editions()
    for change in changes:
        found = change(found)
    return found


@pytest.mark.parametrize(
    ("found", "number", "version"),
    [(Editions(), 1, NEW), (editions(*SHADOW), 1, OLD), (editions(*SHADOW), 2, NEW)],
)
def test_a_service_of_the_editions_version_starts(found: Editions, number: int, version: PipelineVersion) -> None:
    check_belongs(found, number, version)


@pytest.mark.parametrize(
    ("found", "number", "version", "line"),
    [
        (Editions(), 2, NEW, "there is no index 2: nothing is indexed yet"),
        (
            editions(*SHADOW),
            1,
            NEW,
            r"makes 7/new/16, but index 1 \(7/old/8\) is what HEADWATER_PIPELINE_INDEX=1 names",
        ),
        (editions(*SHADOW), 2, OLD, r"there is index 1 \(7/old/8\), live, index 2 \(7/new/16\), building"),
        (editions(*SHADOW), 2, PipelineVersion("new", 8, "7"), "this service makes 7/new/8"),
        (editions(*SHADOW), 1, PipelineVersion("old", 8, "8"), "this service makes 8/old/8"),
        (editions(*SHADOW[:2]), 2, NEW, r"index 2 \(7/new/16\) is starting"),
        (editions(*SHADOW, steps.release(3.0)), 2, NEW, r"index 2 \(7/new/16\) is releasing"),
    ],
)
def test_e9_any_other_is_refused_with_what_there_is(
    found: Editions, number: int, version: PipelineVersion, line: str
) -> None:
    with pytest.raises(VersionMismatchError, match=line):
        check_belongs(found, number, version)


def test_each_edition_has_names_of_its_own_on_the_brokers() -> None:
    first, second = Connection("b:1"), Connection("b:1", edition=2)
    assert first.wire("file-changed-bulk") == first.plain("file-changed-bulk") == "file-changed-bulk"
    assert second.wire("file-changed-bulk") == "file-changed-bulk-2"
    assert second.plain("file-changed-bulk-2") == "file-changed-bulk"
    assert second.member("differ", "0")["group.id"] == "differ-2"
    assert second.producer("differ-0")["transactional.id"] == "differ-0-2"


class Ingest:
    """Editions followed over catalogs in a folder; what is published is kept by edition."""

    def __init__(self, folder: Path, heads: dict[str, str]) -> None:
        self.registry = FileEditions(folder / "editions.json")
        self.heads, self.sent, self.down = heads, dict[int, list[str]](), set[int]()
        self._folder = folder
        self.followed = FollowedEditions(self.registry, self._follow)

    def _follow(self, edition: Edition) -> Followed:
        catalog = SqliteCatalog(self._folder / str(edition.number) / "catalog.db", edition.version)
        sent = self.sent.setdefault(edition.number, [])

        def publish(events: Sequence[CommitReceived]) -> None:
            if edition.number in self.down:
                raise DeliveryError("the broker is away")
            sent.extend(event.after for event in events)

        poller = Poller(catalog, lambda _repo: self, publish, ["refs/heads/*"])
        return Followed(catalog=catalog, publish=publish, poller=poller)

    def unreadable(self, _refs: Iterable[str]) -> dict[str, str]:
        return {}

    def default_ref(self) -> str | None:
        return None

    def refs(self) -> dict[str, str]:
        return self.heads


def received(commit: str) -> CommitReceived:
    return CommitReceived(repo="r", ref="refs/heads/main", after=commit, pushed_at=1.0, cause="webhook")


def test_a_shadow_gets_every_push_and_finds_by_itself_what_was_there_before(tmp_path: Path) -> None:
    ingest = Ingest(tmp_path, {"refs/heads/main": "c1"})
    ingest.registry.change(SHADOW[0])
    ingest.followed.current()[0].catalog.add_repository(Repository("r", "/r"))
    ingest.followed.look()
    ingest.followed.publish([received("c2")])
    for change in SHADOW[1:]:
        ingest.registry.change(change)
    ingest.followed.look()
    ingest.followed.publish([received("c3")])
    assert ingest.sent == {1: ["c1", "c2", "c3"], 2: ["c1", "c3"]}
    assert [r.name for r in ingest.followed.current()[1].catalog.repositories()] == ["r"]
    ingest.registry.change(steps.release(5.0))
    ingest.followed.publish([received("c4")])
    assert ingest.sent == {1: ["c1", "c2", "c3", "c4"], 2: ["c1", "c3"]}
    ingest.followed.close()


def test_only_the_live_edition_decides_whether_a_push_is_taken(tmp_path: Path) -> None:
    ingest = Ingest(tmp_path, {})
    for change in SHADOW:
        ingest.registry.change(change)
    ingest.down = {2}
    ingest.followed.publish([received("c1")])
    ingest.down = {1}
    with pytest.raises(DeliveryError):
        ingest.followed.publish([received("c2")])
    assert ingest.sent[1] == ["c1"]
    ingest.followed.close()


class Sometimes:
    """A registry that is away for a while."""

    def __init__(self) -> None:
        self.found, self.away = editions(*SHADOW), False

    def read(self) -> Editions:
        if self.away:
            raise CatalogUnavailableError("away")
        return self.found

    def change(self, change: Change) -> Editions:
        raise AssertionError("only read")

    def close(self) -> None: ...


def test_what_the_row_said_counts_for_a_while_and_while_it_cant_be_read() -> None:
    registry, now = Sometimes(), [0.0]
    remembered = RememberedEditions(registry, 1.0, lambda: now[0])
    assert remembered.read() == registry.found
    before, registry.found = registry.found, steps.cut_over("x", 3.0)(registry.found)
    assert remembered.read() == before
    assert remembered.is_live(1)
    now[0], registry.away = 2.0, True
    assert remembered.read() == before
    registry.away = False
    assert remembered.read() == registry.found
    assert remembered.is_live(2)
