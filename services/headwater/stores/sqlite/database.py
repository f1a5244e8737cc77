"""SQLite through apsw: pooled readers, one fenced writer, and its errors as the catalog port's."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, TypeVar

import apsw
import msgspec

from headwater.runtime.private_files import Lock, LockedError, make_private, take_lock
from headwater.stores.catalog import CatalogCorruptError, CatalogUnavailableError, VersionMismatchError
from headwater.stores.relational.database import Row, Session
from headwater.stores.sqlite.name_index import SqliteNameIndex
from headwater.stores.sqlite.schema import SCHEMA_VERSION, STATEMENTS
from headwater.stores.sqlite.term_index import SqliteTermIndex
from headwater.stores.sqlite.text_index import SqliteTextIndex

T = TypeVar("T")

_BUSY_MS = 5_000
_IDLE_READERS = 16
_VACUUM_PAGES = 2_000  # in one transaction, so that nobody waits long
_WRITER_CACHE, _READER_CACHE = -65_536, -16_384  # KiB
_PRAGMAS = """
PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 1073741824;
PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 16777216;
"""
_UNAVAILABLE = (
    apsw.BusyError,
    apsw.LockedError,
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.NoMemError,
    apsw.InterruptError,
    apsw.ConnectionClosedError,
    apsw.PermissionsError,
    apsw.ProtocolError,
)
_TOKENS = {
    "@ints": "(SELECT value FROM json_each(?))",
    "@texts": "(SELECT value FROM json_each(?))",
    "@hexes": "(SELECT unhex(value) FROM json_each(?))",
    "@locked": "",  # there is one writer
    "@scope": (
        "(SELECT value ->> 0 AS i, value ->> 1 AS view, value ->> 2 AS generation, value ->> 3 AS above,"
        " value ->> 4 AS above_generation FROM json_each(?))"
    ),
}


class SqliteSession:
    """`Session` on one apsw connection."""

    _spelled: dict[str, str] = {}  # noqa: RUF012 - a cache of pure results, shared on purpose

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def rows(self, sql: str, *params: Any) -> list[Row]:
        return self.connection.execute(_spell(sql), _bind(params)).fetchall()

    def run(self, sql: str, *params: Any) -> int:
        self.connection.execute(_spell(sql), _bind(params))
        return self.connection.changes()

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self.connection.executemany(_spell(sql), rows)

    def insert(self, table: str, columns: str, rows: Iterable[Sequence[Any]], conflict: str = "") -> None:
        places = ", ".join("?" * (columns.count(",") + 1))
        self.connection.executemany(f"INSERT INTO {table}({columns}) VALUES({places}) {conflict}", rows)


class SqliteDatabase:
    """One catalog file. The writer's lease is a lock that dies with its process, fenced by an epoch in the file."""

    def __init__(self, path: str | Path, max_pages: int | None = None) -> None:
        self.path = Path(path)
        self.terms = SqliteTermIndex()
        self.names = SqliteNameIndex()
        self.texts = SqliteTextIndex()
        self._max_pages = max_pages
        self._idle: LifoQueue[apsw.Connection] = LifoQueue(_IDLE_READERS)
        self._write_lock = threading.RLock()
        self._writer: SqliteSession | None = None
        self._lease: Lock | None = None
        self._epoch = 0
        self._closed = False

    def prepare(self, facts: dict[str, str]) -> None:
        """Lay out a new file with these facts; raises VersionMismatchError when an existing file's facts differ."""
        facts = {"schema": SCHEMA_VERSION, **facts}
        with self._explained(), self._exclusively():
            connection = self._connect(write=True)
            try:
                session = SqliteSession(connection)
                if not session.rows("SELECT 1 FROM sqlite_schema LIMIT 1"):
                    _lay_out(session, facts)
                self._compare(session, facts)
            finally:
                connection.close()

    @contextmanager
    def read(self) -> Iterator[Session]:
        with self._explained():
            connection = self._reader()
            try:
                connection.execute("BEGIN")
                yield SqliteSession(connection)
            finally:
                self._put_back(connection)

    def write(self, work: Callable[[Session], T], *, alone: bool = False) -> T:
        with self.transaction() as session:
            return work(session)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """One durable transaction of the single writer; takes the lease when needed."""
        with self._write_lock, self._explained():
            session = self._leased_writer()
            connection = session.connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                self._check_fence(session)
                yield session
                connection.execute("COMMIT")
            except BaseException:
                self._roll_back(connection)
                raise

    def size(self) -> int:
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def compact(self) -> None:
        with self._write_lock, self._explained():
            connection = self._leased_writer().connection
            while connection.execute("PRAGMA freelist_count").get:
                connection.execute(f"PRAGMA incremental_vacuum({_VACUUM_PAGES})").fetchall()
            connection.set_busy_timeout(0)  # readers are not waited for: the log is shortened next time
            try:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except apsw.BusyError:
                return
            finally:
                connection.set_busy_timeout(_BUSY_MS)

    def close(self) -> None:
        with self._write_lock:
            self._closed = True
            self._stop_writing()
            while True:
                try:
                    self._idle.get_nowait().close()
                except Empty:
                    break

    def _reader(self) -> apsw.Connection:
        if self._closed:
            raise CatalogUnavailableError(f"the catalog {self.path} is closed")
        try:
            return self._idle.get_nowait()
        except Empty:
            return self._connect(write=False)

    def _put_back(self, connection: apsw.Connection) -> None:
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except apsw.Error:
            connection.close(True)
            return
        if self._closed or self._idle.full():
            connection.close()
            return
        self._idle.put_nowait(connection)

    def _connect(self, write: bool) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if write else 0)
        connection = apsw.Connection(str(self.path), flags=flags, statementcachesize=200)
        try:
            self._set_up(connection, write)
        except BaseException:
            connection.close(True)
            raise
        return connection

    def _set_up(self, connection: apsw.Connection, write: bool) -> None:
        connection.set_busy_timeout(_BUSY_MS)
        connection.execute(_PRAGMAS)
        connection.execute(f"PRAGMA cache_size = {_WRITER_CACHE if write else _READER_CACHE}")
        if not write:
            connection.execute("PRAGMA query_only = 1")
        elif self._max_pages is not None:
            connection.execute(f"PRAGMA max_page_count = {self._max_pages}")

    def _leased_writer(self) -> SqliteSession:
        if self._closed:
            raise CatalogUnavailableError(f"the catalog {self.path} is closed")
        if self._writer is None:
            try:
                self._lease = self._take_lease()
                self._writer = SqliteSession(self._connect(write=True))
                self._writer.run("UPDATE counters SET value = value + 1 WHERE name = 'epoch'")
                self._epoch = self._stored_epoch(self._writer)
            except BaseException:
                self._stop_writing()  # whoever comes next, here or elsewhere, starts afresh
                raise
        return self._writer

    def _take_lease(self) -> Lock:
        try:
            return take_lock(Path(f"{self.path}.lease"), wait=False)
        except LockedError as error:
            raise CatalogUnavailableError(
                f"another process writes to {self.path}: stop it, or send it the request"
            ) from error

    def _roll_back(self, connection: apsw.Connection) -> None:
        """A connection that can't even do that is given up, with the lease: it would refuse every later transaction."""
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except apsw.Error:
            self._stop_writing()

    def _stop_writing(self) -> None:
        """Gives the lease back, whatever state the connection is in."""
        writer, self._writer = self._writer, None
        lease, self._lease = self._lease, None
        if writer is not None:
            with suppress(apsw.Error):
                writer.connection.close(True)
        if lease is not None:
            lease.release()

    def _check_fence(self, session: SqliteSession) -> None:
        if self._stored_epoch(session) != self._epoch:
            raise CatalogUnavailableError(f"another writer took over {self.path}: open the catalog again")

    @staticmethod
    def _stored_epoch(session: SqliteSession) -> int:
        return int(session.rows("SELECT value FROM counters WHERE name = 'epoch'")[0][0])

    def _compare(self, session: Session, facts: dict[str, str]) -> None:
        if not session.rows("SELECT 1 FROM sqlite_schema WHERE name = 'meta'"):
            raise CatalogCorruptError(f"{self.path} is no catalog of this program: name another file")
        stored: dict[str, str] = dict(session.rows("SELECT name, value FROM meta"))
        for name, value in facts.items():
            if stored.get(name) != value:
                raise VersionMismatchError(
                    f"{self.path} was made with {name} {stored.get(name)}, this start has {value}:"
                    " build a shadow index in another file, or delete this one and index again"
                )

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        """Two processes may start on a new file at once: the second waits for the first's schema."""
        with take_lock(Path(f"{self.path}.create")):
            if not self.path.exists():  # never opened beside SQLite, whose locks end when any descriptor is closed
                make_private(self.path)  # its log and shared memory take its mode
            yield

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except _UNAVAILABLE as error:
            raise CatalogUnavailableError(f"the catalog {self.path} can't be used now: {error}") from error
        except OSError as error:
            raise CatalogUnavailableError(f"the catalog {self.path} can't be used now: {error}") from error
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise CatalogCorruptError(
                f"{self.path} is damaged ({error}): delete it and index the repositories again"
            ) from error


def _lay_out(session: SqliteSession, facts: dict[str, str]) -> None:
    session.run("PRAGMA auto_vacuum = INCREMENTAL")
    session.run("PRAGMA journal_mode = WAL")
    session.run("BEGIN IMMEDIATE")
    session.connection.execute(STATEMENTS)
    session.run_many("INSERT INTO meta(name, value) VALUES(?, ?)", facts.items())
    session.run("COMMIT")


def _spell(sql: str) -> str:
    found = SqliteSession._spelled.get(sql)
    if found is None:
        found = sql
        for token, spelling in _TOKENS.items():
            found = found.replace(token, spelling)
        SqliteSession._spelled[sql] = found
    return found


def _bind(params: Sequence[Any]) -> Sequence[Any]:
    return [msgspec.json.encode(p).decode() if isinstance(p, list | tuple) else p for p in params]
