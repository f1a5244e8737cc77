"""The vectors on Milvus, connected to when they are first needed and again after they were away."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from headwater.clients.embedding_model import Int8Matrix
from headwater.deployment.parts.editions import is_live
from headwater.domain.version import PipelineVersion
from headwater.settings import load_settings
from headwater.stores.milvus_settings import MilvusSettings
from headwater.stores.milvus_vectors import MilvusVectorStore
from headwater.stores.vector_store import Loss, VectorHit, VectorStore, VectorsUnavailableError

PAUSE_S = 2.0  # after a failed attempt to connect


class ConnectingVectorStore:
    """VectorStore that a service can start without: until it is connected, every request says that it is away."""

    def __init__(self, connect: Callable[[], VectorStore], clock: Callable[[], float] = time.monotonic) -> None:
        self._connect, self._clock = connect, clock
        self._lock = threading.Lock()
        self._store: VectorStore | None = None
        self._failed, self._reason = float("-inf"), ""

    def upsert(self, hashes: Sequence[str], vectors: Int8Matrix) -> None:
        self.store().upsert(hashes, vectors)

    def delete(self, hashes: Sequence[str]) -> None:
        self.store().delete(hashes)

    def present(self, hashes: Sequence[str]) -> set[str]:
        return self.store().present(hashes)

    def lost(self, hashes: Sequence[str]) -> dict[str, Loss]:
        return self.store().lost(hashes)

    def intact(self) -> bool:
        return self.store().intact()

    def search(self, query: Int8Matrix, limit: int) -> list[VectorHit]:
        return self.store().search(query, limit)

    def search_within(self, query: Int8Matrix, hashes: Sequence[str], limit: int) -> list[VectorHit]:
        return self.store().search_within(query, hashes, limit)

    def hashes(self) -> Iterator[str]:
        return self.store().hashes()

    def count(self) -> int:
        return self.store().count()

    def store(self) -> VectorStore:
        """Raises VectorsUnavailableError, VersionMismatchError."""
        with self._lock:
            if self._store is None:
                self._store = self._connected()
            return self._store

    def _connected(self) -> VectorStore:
        if self._clock() - self._failed < PAUSE_S:
            raise VectorsUnavailableError(self._reason)
        try:
            return self._connect()
        except VectorsUnavailableError as error:
            self._failed, self._reason = self._clock(), str(error)
            raise


def open_vectors(environ: Mapping[str, str], version: PipelineVersion) -> ConnectingVectorStore:
    """Those of this version; the alias follows when it is the live one. Raises SettingsError."""
    settings = load_settings(MilvusSettings, "milvus", environ)

    def connect() -> MilvusVectorStore:
        store = MilvusVectorStore(settings, version, shadow=True)
        if is_live(environ, version):
            store.promote()
        return store

    return ConnectingVectorStore(connect)
