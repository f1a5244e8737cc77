"""The vector store's suite on a real Milvus server, and what only a server can do wrong."""

import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("pymilvus")

from contracts.test_vector_store import (
    DIMENSIONS,
    VERSION,
    key,
    test_a_deleted_hash_can_come_back,
    test_d10_delete_hits_exactly_its_hashes,
    test_e2_the_same_upsert_twice_gives_one_hit,
    test_equal_scores_come_in_the_order_of_hashes,
    test_f9_reconciling_20_000_rows_sees_every_hash_once,
    test_nearest_come_first_with_their_cosine,
    unit_vectors,
)
from headwater.domain.version import PipelineVersion
from headwater.metrics import Metrics
from headwater.stack import Running
from headwater.stores.catalog import VersionMismatchError
from headwater.stores.milvus_settings import MilvusSettings, collection_name
from headwater.stores.milvus_vectors import ALIAS, CHECK, KEY, VECTOR, MilvusVectorStore
from headwater.stores.vector_store import Loss, VectorsUnavailableError

__all__ = [
    "test_a_deleted_hash_can_come_back",
    "test_d10_delete_hits_exactly_its_hashes",
    "test_e2_the_same_upsert_twice_gives_one_hit",
    "test_equal_scores_come_in_the_order_of_hashes",
    "test_f9_reconciling_20_000_rows_sees_every_hash_once",
    "test_nearest_come_first_with_their_cosine",
]

OTHER = PipelineVersion("other-model", DIMENSIONS)
Opener = Callable[..., MilvusVectorStore]


def _settings(address: str, **changes: object) -> MilvusSettings:
    fields = {"address": address, "vector": "float", "consistency": "Strong", "deadline_s": 30.0, **changes}
    return MilvusSettings(**fields)  # type: ignore[arg-type]


@pytest.fixture
def opener(milvus: Running) -> Iterator[Opener]:
    opened: list[MilvusVectorStore] = []

    def open_store(version: PipelineVersion = VERSION, shadow: bool = False, **changes: object) -> MilvusVectorStore:
        settings = _settings(f"http://{milvus.address('grpc')}", **changes)
        opened.append(MilvusVectorStore(settings, version, shadow, Metrics()))
        return opened[-1]

    yield open_store
    client = opened[0]._client if opened else None
    if client is not None:
        if client.has_collection(ALIAS):
            client.drop_alias(ALIAS)
        for version in (VERSION, OTHER):
            client.drop_collection(collection_name(version))
    for store in opened:
        store.close()


@pytest.fixture
def store(opener: Opener) -> MilvusVectorStore:
    return opener()


def test_f11_a_filter_that_admits_ten_returns_all_ten(store: MilvusVectorStore) -> None:
    vectors = unit_vectors(20_000)
    store.upsert([key(i) for i in range(20_000)], vectors)
    allowed = [key(i * 1_973) for i in range(10)]
    hits = store.search_within(vectors[1], allowed, 10)
    assert {h.content_hash for h in hits} == set(allowed)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


def test_f9_a_large_write_is_split_into_requests(opener: Opener) -> None:
    store = opener(batch_bytes=65_536)
    store.upsert([key(i) for i in range(2_000)], unit_vectors(2_000))
    assert store.count() == 2_000


def test_bounded_reads_see_a_write_soon(opener: Opener) -> None:
    store = opener(consistency="Bounded")
    vectors = unit_vectors(1)
    store.upsert([key(1)], vectors)
    deadline = time.monotonic() + 20
    while not store.search(vectors[0], 1) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [h.content_hash for h in store.search(vectors[0], 1)] == [key(1)]


@pytest.mark.parametrize("other", [OTHER, PipelineVersion("test-model", 1024)])
def test_e9_another_model_or_dimension_is_refused(opener: Opener, other: PipelineVersion) -> None:
    opener()
    with pytest.raises(VersionMismatchError, match="shadow index"):
        opener(other)


def test_e9_a_shadow_index_is_built_promoted_and_rolled_back(opener: Opener) -> None:
    blue, vectors = opener(), unit_vectors(2)
    blue.upsert([key(0)], vectors[:1])
    green = opener(OTHER, shadow=True)
    green.upsert([key(1)], vectors[1:])
    assert [hit.content_hash for hit in blue.search(vectors[0], 5)] == [key(0)]  # the old one keeps serving
    blue.delete([key(0)])
    green.promote()
    opener(OTHER)
    with pytest.raises(VersionMismatchError):
        opener()
    blue.promote()
    opener()
    with pytest.raises(VersionMismatchError, match="is live"):
        blue.release()
    green.release()
    assert blue.count() == 0


def test_e3_three_models_tried_leave_one_collection(opener: Opener) -> None:
    live = opener()
    before = sorted(live._client.list_collections())
    for name in ("one", "two", "three"):
        tried = opener(PipelineVersion(name, DIMENSIONS), shadow=True)
        tried.upsert([key(1)], unit_vectors(1))
        tried.release()
    assert sorted(live._client.list_collections()) == before


def test_f10_what_is_written_makes_no_collection_and_no_partition(opener: Opener) -> None:
    store = opener()
    before = store._client.list_collections(), store._client.list_partitions(collection_name(VERSION))
    for branch in range(64):  # each with files of its own
        store.upsert([key(branch * 10 + n) for n in range(10)], unit_vectors(10))
    assert (store._client.list_collections(), store._client.list_partitions(collection_name(VERSION))) == before
    assert store.count() == 640


def test_an_index_of_lists_answers_too(opener: Opener) -> None:
    store = opener(index="IVF_SQ8")
    vectors = unit_vectors(400)
    store.upsert([key(i) for i in range(400)], vectors)
    assert store.search(vectors[7], 3)[0].content_hash == key(7)


@pytest.mark.parametrize("closed", [False, True], ids=["silent", "closed"])
def test_f6_a_port_that_never_answers_meets_the_deadline(closed: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        if closed:
            silent.close()
        begun = time.monotonic()
        with pytest.raises(VectorsUnavailableError, match=r"no answer within 0\.2 s|Fail connecting"):
            MilvusVectorStore(_settings(address, write_deadline_s=0.2), VERSION)
        assert time.monotonic() - begun < 5


def test_f6_a_collection_that_the_server_has_not_loaded_is_loaded_again(opener: Opener) -> None:
    store, vectors = opener(), unit_vectors(3)
    store.upsert([key(i) for i in range(3)], vectors)
    asked: list[Callable[[], object]] = [
        lambda: store.search(vectors[1], 1)[0].content_hash,
        lambda: store.search_within(vectors[1], [key(1)], 1)[0].content_hash,
        lambda: store.present([key(1), key(9)]).pop(),
        lambda: sorted(store.hashes())[0],
        store.count,
    ]
    answers = [ask() for ask in asked]
    for ask, answer in zip(asked, answers, strict=True):
        store._client.release_collection(collection_name(VERSION))
        assert ask() == answer


def test_f6_a_search_does_not_wait_for_the_load_past_its_deadline(
    opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, vectors = opener(deadline_s=0.3), unit_vectors(1)
    store.upsert([key(0)], vectors)
    load, asked, gate = store._client.load_collection, [], threading.Event()

    def slowly(name: str, **rest: object) -> None:
        asked.append(name)
        gate.wait(20)
        load(name, **rest)

    monkeypatch.setattr(store._client, "load_collection", slowly)
    store._client.release_collection(collection_name(VERSION))
    for _ in range(3):
        with pytest.raises(VectorsUnavailableError, match=r"no answer|not.*loaded"):
            store.search(vectors[0], 1)
    assert asked == [collection_name(VERSION)]
    gate.set()
    deadline = time.monotonic() + 60
    while True:
        try:
            assert store.present([key(0)]) == {key(0)}
            break
        except VectorsUnavailableError:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_f7_requests_over_the_bound_are_refused_at_once_and_a_lone_later_one_succeeds(opener: Opener) -> None:
    store = opener(threads=2)
    gate, refused = threading.Event(), []

    def ask() -> None:
        try:
            store._ask("wait", lambda: gate.wait(20), 20)
        except VectorsUnavailableError as error:
            refused.append(str(error))

    callers = [threading.Thread(target=ask) for _ in range(10)]
    for caller in callers:
        caller.start()
    while len(refused) < 8:
        time.sleep(0.01)
    gate.set()
    for caller in callers:
        caller.join()
    assert len(refused) == 8
    assert all("2 requests are under way" in text for text in refused)
    assert store.count() == 0


def test_f10_a_full_quota_pauses_writes_and_leaves_searches(opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    from pymilvus.exceptions import MilvusException

    store = opener()
    vectors = unit_vectors(2)
    store.upsert([key(1)], vectors[:1])

    def full(*_args: object, **_rest: object) -> None:
        raise MilvusException(9, "quota exceeded[reason=memory quota exceeded, please allocate more resources]")

    monkeypatch.setattr(store._client, "upsert", full)
    with pytest.raises(VectorsUnavailableError, match="writes paused, searches go on"):
        store.upsert([key(2)], vectors[1:])
    assert store.search(vectors[0], 1)[0].content_hash == key(1)


def test_s11_rows_deleted_altered_or_duplicated_behind_its_back_are_lost_and_can_be_written_again(
    opener: Opener,
) -> None:
    store, vectors = opener(), unit_vectors(60)
    keys = [key(i) for i in range(60)]
    store.upsert(keys, vectors)
    assert store.lost(keys) == {}
    client, name = store._client, store._collection
    held = {row[KEY]: row for row in client.get(name, ids=keys, output_fields=[KEY, VECTOR, CHECK])}

    client.delete(name, ids=[keys[3]])
    client.upsert(name, [{**held[keys[5]], VECTOR: [0.0] * DIMENSIONS}])
    client.upsert(name, [{**held[keys[7]], VECTOR: held[keys[8]][VECTOR]}])  # two rows swapped
    client.upsert(name, [{**held[keys[8]], VECTOR: held[keys[7]][VECTOR]}])
    client.upsert(name, [{**held[keys[9]], CHECK: 5}])
    client.insert(name, [{**held[keys[11]], VECTOR: [0.0] * DIMENSIONS}])
    client.insert(name, [held[keys[13]]])

    lost = store.lost(keys)
    assert lost.pop(keys[3]) is Loss.ABSENT
    assert set(lost) == {keys[n] for n in (5, 7, 8, 9, 11, 13)}
    assert lost[keys[13]] is Loss.DUPLICATED

    again = [n for n in range(60) if keys[n] in lost or n == 3]
    store.delete([keys[n] for n in again])
    store.upsert([keys[n] for n in again], vectors[again])
    assert store.lost(keys) == {}
    assert store.count() == 60


def test_s11_rows_of_a_collection_without_checksums_are_made_again(opener: Opener) -> None:
    store = opener()
    client, name = store._client, store._collection
    client.drop_alias(ALIAS)
    client.drop_collection(name)
    client.create_collection(name, dimension=DIMENSIONS, primary_field_name=KEY, id_type="string", max_length=32)
    client.create_alias(name, ALIAS)
    store = opener()
    store.upsert([key(1)], unit_vectors(1))
    assert store.lost([key(1), key(2)]) == {key(2): Loss.ABSENT}
    assert client.describe_collection(ALIAS)["collection_name"] == name
