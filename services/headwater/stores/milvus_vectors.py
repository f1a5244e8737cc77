"""The vector store on a Milvus server; the one module that imports pymilvus."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import pymilvus.exceptions as milvus_errors
from pymilvus import DataType, MilvusClient

from headwater.clients.deadline import BusyError, DeadlineCaller, DeadlineError
from headwater.clients.embedding_model import Int8Matrix
from headwater.domain.version import PipelineVersion
from headwater.metrics import METRICS, Metrics
from headwater.stores.catalog import VersionMismatchError
from headwater.stores.milvus_settings import MilvusSettings, collection_name
from headwater.stores.vector_store import Loss, VectorHit, VectorsUnavailableError
from headwater.stores.vectors.checksum import vector_checksums

ALIAS = "headwater_live"
KEY, VECTOR, CHECK = "hash", "vector", "checksum"
KEYS_PER_REQUEST = 1_000
MARGIN = 16  # beyond the limit, so that equal scores at its edge are cut in the order of hashes
LARGEST_SEARCH = 16_384
_FULL = ("quota", "deny to write", "force deny", "rate limit", "memory limit")
_NOT_LOADED = ("not loaded", "not been loaded")

T = TypeVar("T")


class MilvusVectorStore:
    """See VectorStore. The live collection is behind an alias; a shadow one is written beside it until promoted."""

    def __init__(
        self, settings: MilvusSettings, version: PipelineVersion, shadow: bool = False, metrics: Metrics = METRICS
    ) -> None:
        """Creates the collection if need be. Raises VersionMismatchError, VectorsUnavailableError."""
        self._settings, self._version, self._metrics = settings, version, metrics
        self._collection = collection_name(version)
        self._caller, self._loading = DeadlineCaller(settings.threads, "milvus"), Lock()
        self._client = self._ask("connect", self._connect, settings.write_deadline_s)
        self._ask("open", lambda: self._open(shadow), settings.write_deadline_s)

    def upsert(self, hashes: Sequence[str], vectors: Int8Matrix) -> None:
        checks = self._checks(hashes, vectors)
        stored = zip(self._stored(vectors), checks, strict=True)
        rows = dict(zip(hashes, stored, strict=True))  # two rows of one key in a request would both stay
        keys = iter(rows)
        while part := list(islice(keys, self._settings.rows_per_request(self._version.dimensions))):
            data = [{KEY: key, VECTOR: rows[key][0], CHECK: rows[key][1]} for key in part]
            self._write("upsert", partial(self._client.upsert, self._collection, data))

    def delete(self, hashes: Sequence[str]) -> None:
        for part in _parts(hashes, KEYS_PER_REQUEST):
            self._write("delete", partial(self._client.delete, self._collection, ids=part))

    def present(self, hashes: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for part in _parts(hashes, KEYS_PER_REQUEST):
            found |= {row[KEY] for row in self._rows(part, [KEY])}
        return found

    def lost(self, hashes: Sequence[str]) -> dict[str, Loss]:
        found: dict[str, Loss] = {}
        for part in _parts(hashes, KEYS_PER_REQUEST):
            rows = self._rows_despite_duplicates(part)
            found |= {key: Loss.ABSENT for key in part if key not in rows}
            found |= dict.fromkeys(self._altered(rows), Loss.ALTERED)
            if self._counted(list(rows)) > len(rows):
                found |= {key: Loss.DUPLICATED for key in rows if self._counted([key]) > 1}
        return found

    def intact(self) -> bool:
        """What is lost is found by the reconciler, and known by the catalog's marks."""
        return True

    def search(self, query: Int8Matrix, limit: int) -> list[VectorHit]:
        if not query.any() or limit < 1:
            return []
        wanted = min(limit + MARGIN, LARGEST_SEARCH)
        found = self._ask(
            "search",
            lambda: self._client.search(
                self._collection,
                data=[self._stored(query[None])[0]],
                limit=wanted,
                anns_field=VECTOR,
                search_params=self._settings.search_parameters(wanted),
                consistency_level=self._settings.consistency,
            ),
            self._settings.deadline_s,
        )
        return _ranked(((hit.id, hit.distance) for hit in found[0]), limit)

    def search_within(self, query: Int8Matrix, hashes: Sequence[str], limit: int) -> list[VectorHit]:
        """Exact whatever the index is: a filtered graph search loses rows when the filter admits few (F11)."""
        if not query.any():
            return []
        length, scores = float(np.linalg.norm(query.astype(np.float32))), {}
        for part in _parts(hashes, KEYS_PER_REQUEST):
            for row in self._rows(part, [KEY, VECTOR]):
                vector = _loaded(row[VECTOR], self._settings.vector)
                product = float(vector @ query.astype(np.float32))
                scores[row[KEY]] = product / max(length * float(np.linalg.norm(vector)), 1e-9)
        return _ranked(scores.items(), limit)

    def hashes(self) -> Iterator[str]:
        """By key, a batch at a time: no offset grows and no window ends (F9).

        Not by the client's own iterator, which on a server of 2.3 reads as of the client's clock and misses rows.
        """
        last = ""
        while rows := self._ask("hashes", partial(self._page, last), self._settings.write_deadline_s):
            yield from rows
            last = rows[-1]

    def count(self) -> int:
        rows = self._ask(
            "count",
            lambda: self._client.query(
                self._collection, filter="", output_fields=["count(*)"], consistency_level="Strong"
            ),
            self._settings.write_deadline_s,
        )
        return int(rows[0]["count(*)"])

    def promote(self) -> None:
        """Cut over: readers of the alias see this collection from now on; backwards by promoting the other one."""
        self._ask("promote", lambda: self._point(ALIAS), self._settings.write_deadline_s)

    def release(self) -> None:
        """Drop this collection. Raises VersionMismatchError when it is the live one."""
        if self._live() == self._collection:
            raise VersionMismatchError(f"{self._collection} is live; promote another one before it is released")
        self._ask("release", lambda: self._client.drop_collection(self._collection), self._settings.write_deadline_s)

    def close(self) -> None:
        self._caller.close()
        self._client.close()

    def _connect(self) -> MilvusClient:
        return MilvusClient(uri=self._settings.address, token=self._settings.token, timeout=10, dedicated=True)

    def _open(self, shadow: bool) -> None:
        live = self._live_name()
        if live and live != self._collection and not shadow:
            raise VersionMismatchError(
                f"the live vectors are {live}, this process is configured for {self._collection}; "
                "build a shadow index and promote it"
            )
        if self._client.has_collection(self._collection) and not self._has_checksums():
            self._drop_former(live)
            live = live if live != self._collection else ""
        if not self._client.has_collection(self._collection):
            self._create()
        if not live and not shadow:
            self._point(ALIAS)

    def _has_checksums(self) -> bool:
        return any(field["name"] == CHECK for field in self._client.describe_collection(self._collection)["fields"])

    def _drop_former(self, live: str) -> None:
        """Rows without checksums are not trusted; the reconciler finds them absent and has them made again."""
        if live == self._collection:
            self._client.drop_alias(ALIAS)
        self._client.drop_collection(self._collection)

    def _create(self) -> None:
        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field(KEY, DataType.VARCHAR, is_primary=True, max_length=32)  # bytes; hashes are 32 hex
        kind = DataType.INT8_VECTOR if self._settings.vector == "int8" else DataType.FLOAT_VECTOR
        schema.add_field(VECTOR, kind, dim=self._version.dimensions)
        schema.add_field(CHECK, DataType.INT64)
        index = self._client.prepare_index_params()
        index.add_index(
            VECTOR, index_type=self._settings.index, metric_type="COSINE", params=self._settings.index_parameters()
        )
        self._client.create_collection(self._collection, schema=schema, index_params=index)

    def _point(self, alias: str) -> None:
        if self._live_name():
            self._client.alter_alias(self._collection, alias)
        else:
            self._client.create_alias(self._collection, alias)

    def _live(self) -> str:
        return self._ask("alias", self._live_name, self._settings.write_deadline_s)

    def _live_name(self) -> str:
        """The collection behind the alias, "" when there is none."""
        if not self._client.has_collection(ALIAS):
            return ""
        return str(self._client.describe_collection(ALIAS)["collection_name"])

    def _rows(self, keys: Sequence[str], fields: list[str]) -> list[dict[str, Any]]:
        return self._ask(
            "get",
            lambda: list(
                self._client.get(self._collection, ids=list(keys), output_fields=fields, consistency_level="Strong")
            ),
            self._settings.write_deadline_s,
        )

    def _rows_despite_duplicates(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """By key. An answer has no more rows than keys were asked for, so that duplicates push others out of it."""
        found: dict[str, dict[str, Any]] = {}
        while more := {row[KEY]: row for row in self._rows([k for k in keys if k not in found], [KEY, VECTOR, CHECK])}:
            found |= more
            if len(found) == len(keys):
                break
        return found

    def _counted(self, keys: Sequence[str]) -> int:
        """Rows of these keys, each of them where a key has several."""
        rows = self._ask(
            "count",
            lambda: self._client.query(
                self._collection,
                filter=f"{KEY} in {json.dumps(list(keys))}",
                output_fields=["count(*)"],
                consistency_level="Strong",
            ),
            self._settings.write_deadline_s,
        )
        return int(rows[0]["count(*)"]) if keys else 0

    def _altered(self, rows: Mapping[str, Mapping[str, Any]]) -> set[str]:
        if not rows:
            return set()
        matrix = np.stack([_loaded(row[VECTOR], self._settings.vector) for row in rows.values()])
        checks = self._checks(list(rows), matrix.astype(np.int8))
        return {
            key
            for (key, row), check, held in zip(rows.items(), checks, matrix, strict=True)
            if row[CHECK] != check or (held != np.round(held)).any()
        }

    def _checks(self, hashes: Sequence[str], vectors: Int8Matrix) -> list[int]:
        keys = bytes.fromhex("".join(hashes))
        found: list[int] = vector_checksums(keys, vectors, str(self._version)).view(np.int64).tolist()
        return found

    def _page(self, after: str) -> list[str]:
        """The next hashes past `after`; a limited query answers in the order of keys."""
        rows = self._client.query(
            self._collection,
            filter=f'{KEY} > "{after}"',
            output_fields=[KEY],
            limit=LARGEST_SEARCH,
            consistency_level="Strong",
        )
        return sorted(row[KEY] for row in rows)

    def _stored(self, vectors: Int8Matrix) -> Sequence[Any]:
        if self._settings.vector == "int8":
            return list(vectors)
        rows: list[list[float]] = vectors.astype(np.float32).tolist()
        return rows

    def _write(self, kind: str, work: Callable[[], object]) -> None:
        try:
            self._ask(kind, work, self._settings.write_deadline_s)
        except VectorsUnavailableError as error:
            if any(word in str(error).lower() for word in _FULL):
                self._metrics.set("headwater_vectors_writes_paused", 1)
                raise VectorsUnavailableError(f"writes paused, searches go on: {error}") from error
            raise
        self._metrics.set("headwater_vectors_writes_paused", 0)

    def _ask(self, kind: str, work: Callable[[], T], seconds: float) -> T:
        try:
            with self._metrics.timed("headwater_vectors_request_seconds", kind=kind):
                return self._caller.call(partial(self._loaded, work), seconds)
        except (DeadlineError, BusyError) as error:
            raise VectorsUnavailableError(f"milvus {kind}: {error}") from error
        except (milvus_errors.MilvusException, RuntimeError, OSError) as error:
            raise VectorsUnavailableError(f"milvus {kind}: {error}") from error

    def _loaded(self, work: Callable[[], T]) -> T:
        """`work`, again once the server has loaded the collection, if it said that it hasn't: so after its restart.

        Whoever runs out of time meanwhile goes without; the load goes on, and is asked for once.
        """
        try:
            return work()
        except milvus_errors.MilvusException as error:
            if not _is_not_loaded(error) or not self._loading.acquire(blocking=False):
                raise
        try:
            self._client.load_collection(self._collection, timeout=self._settings.write_deadline_s)
        finally:
            self._loading.release()
        return work()


def _is_not_loaded(error: milvus_errors.MilvusException) -> bool:
    return any(words in str(error).lower() for words in _NOT_LOADED)


def _ranked(scores: Any, limit: int) -> list[VectorHit]:
    hits = [VectorHit(key, round(float(score), 6)) for key, score in scores]
    return sorted(hits, key=lambda hit: (-hit.score, hit.content_hash))[:limit]


def _parts(keys: Sequence[str], size: int) -> Iterator[list[str]]:
    distinct = list(dict.fromkeys(keys))
    for start in range(0, len(distinct), size):
        yield distinct[start : start + size]


def _loaded(value: Any, kind: str) -> Any:
    if kind == "int8" and isinstance(value, bytes):
        return np.frombuffer(value, np.int8).astype(np.float32)
    return np.asarray(value, np.float32)
