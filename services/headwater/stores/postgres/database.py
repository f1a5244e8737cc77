"""PostgreSQL through psycopg: a pool of connections, transactions that run again, and its errors as the port's."""

import random
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, LifoQueue
from typing import Any, TypeVar

import msgspec
import psycopg
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import Int8Dumper

from headwater.stores.catalog import CatalogCorruptError, CatalogUnavailableError, VersionMismatchError
from headwater.stores.postgres import schema
from headwater.stores.postgres.name_index import PostgresNameIndex
from headwater.stores.postgres.posting_log import PostingLog
from headwater.stores.postgres.spelling import cleaned, numbered, spelled
from headwater.stores.postgres.term_index import PostgresTermIndex
from headwater.stores.postgres.text_index import PostgresTextIndex
from headwater.stores.relational.database import Row, Session

T = TypeVar("T")
Connection = psycopg.Connection[Row]

_FEW = 24  # rows that go in one by one, in one round trip
_CONFLICTS = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)
_UNAVAILABLE = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction)
_DAMAGED = (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted)
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class PostgresSettings(msgspec.Struct, frozen=True):
    """Limits of one process; seconds."""

    connections: int = 16
    wait_s: float = 10.0  # for a free connection
    connect_s: int = 5
    read_s: float = 30.0  # a statement
    write_s: float = 300.0  # a statement, waiting for locks included
    attempts: int = 6  # of a transaction that got in another's way


class PostgresSession:
    """`Session` on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cursor = connection.cursor(binary=True)

    def rows(self, sql: str, *params: Any) -> list[Row]:
        statement = spelled(sql)
        return self._cursor.execute(statement.sql.encode(), statement.bind(params)).fetchall()

    def run(self, sql: str, *params: Any) -> int:
        statement = spelled(sql)
        return self._cursor.execute(statement.sql.encode(), statement.bind(params)).rowcount

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._cursor.executemany(spelled(sql).sql.encode(), cleaned(list(rows)))

    def insert(self, table: str, columns: str, rows: Iterable[Sequence[Any]], conflict: str = "") -> None:
        added = list(cleaned(list(rows)))
        if not added:
            return
        if len(added) <= _FEW:
            sql = f"INSERT INTO {table}({columns}) VALUES({numbered(len(added[0]))}) {conflict}"
            self._cursor.executemany(sql.encode(), added)
        elif not conflict:
            self._copy(f"{table}({columns})", added)
        else:
            stage = self._stage(table, columns)
            self._copy(stage, added)
            self.run(f"INSERT INTO {table}({columns}) SELECT {columns} FROM {stage} {conflict}")
            self.run(f"DELETE FROM {stage}")

    def script(self, statements: str) -> None:
        self._connection.execute(statements.encode(), prepare=False)

    def _stage(self, table: str, columns: str) -> str:
        """A temporary table of these columns, which the connection keeps."""
        name = f"stage_{table}_{zlib.crc32(columns.encode())}"
        if not self.rows("SELECT to_regclass(?) IS NOT NULL", f"pg_temp.{name}")[0][0]:
            made = f"CREATE TEMP TABLE {name} ON COMMIT DELETE ROWS AS SELECT {columns} FROM {table} WITH NO DATA"
            self._cursor.execute(made.encode())
        return f"pg_temp.{name}"

    def _copy(self, target: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._cursor.copy(f"COPY {target} FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)


class Lone:
    """A connection outside the pool, for what lasts as long as it does; each statement is its own transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._session = connection, PostgresSession(connection)

    def rows(self, sql: str, *params: Any) -> list[Row]:
        with explained():
            return self._session.rows(sql, *params)

    def close(self) -> None:
        self._connection.close()


class PostgresDatabase:
    """The catalog's schema in one database. Writers lock rows; `alone` is a lock that they all share otherwise."""

    def __init__(self, url: str, settings: PostgresSettings, name: str) -> None:
        if not name.isidentifier() or name != name.lower():
            raise ValueError(f"{name!r} can't name a schema: use lower-case letters, digits and underscores")
        self._url, self._settings, self._name = url, settings, name
        self._writers = _lock_key(f"{name} writers")
        self._merging = _lock_key(f"{name} merge")
        self.terms, self.names, self.texts = PostgresTermIndex(), PostgresNameIndex(), PostgresTextIndex()
        self._free = threading.BoundedSemaphore(settings.connections)
        self._idle: LifoQueue[Connection] = LifoQueue()
        self._closed = False

    def prepare(self, facts: dict[str, str]) -> None:
        """Lay out a new schema with these facts; raises VersionMismatchError when an existing one's facts differ."""
        facts = {"schema": schema.SCHEMA_VERSION, **facts}
        with self._transaction(f"SELECT pg_advisory_xact_lock({self._writers})") as session:
            if not session.rows("SELECT 1 FROM pg_namespace WHERE nspname = ?", self._name):
                self._lay_out(session, facts)
            stored: dict[str, str] = dict(session.rows("SELECT name, value FROM meta"))
        for name, value in facts.items():
            if stored.get(name) != value:
                raise VersionMismatchError(
                    f"the catalog {self._name} was made with {name} {stored.get(name)}, this start has {value}:"
                    " build a shadow index in another schema, or drop this one and index again"
                )

    @contextmanager
    def read(self) -> Iterator[Session]:
        with explained(), self._connection(_READ) as connection:
            yield PostgresSession(connection)

    def write(self, work: Callable[[Session], T], *, alone: bool = False) -> T:
        lock = f"SELECT pg_advisory_xact_lock{'' if alone else '_shared'}({self._writers})"
        for attempt in range(self._settings.attempts):
            try:
                with self._transaction(lock) as session:
                    done = work(session)
                break
            except _ConflictError as conflict:
                last = conflict
                time.sleep(random.uniform(0, 0.02 * 2**attempt))
        else:
            raise CatalogUnavailableError(f"other writers kept getting in the way: {last}") from last
        if self.terms.log.due or self.texts.log.due:
            with suppress(CatalogUnavailableError):  # the work is done, and a merge can wait
                self.compact()
        return done

    def size(self) -> int:
        sql = (
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'"
        )
        with self.read() as session:
            return int(session.rows(sql, self._name)[0][0])

    def compact(self) -> None:
        """Merge the logs, unless somebody else is at it; vacuuming is the server's."""
        logs = (self.terms.log, self.texts.log)
        for log in logs:
            log.due = False
        for log in logs:
            self.write(partial(self._merge, log))

    def _merge(self, log: PostingLog, session: Session) -> None:
        if session.rows("SELECT pg_try_advisory_xact_lock(?)", self._merging)[0][0]:
            log.merge(session)

    def drop(self) -> None:
        """Everything that is in the schema, if it is there."""
        self.write(lambda session: session.run(f'DROP SCHEMA IF EXISTS "{self._name}" CASCADE'), alone=True)

    def lone(self) -> Lone:
        """A new connection of its own."""
        with explained():
            return Lone(self._connect())

    def close(self) -> None:
        self._closed = True
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                return

    @contextmanager
    def _transaction(self, first: str) -> Iterator[PostgresSession]:
        limit = f"SET LOCAL statement_timeout = {round(self._settings.write_s * 1000)}"
        with explained(), self._connection(f"BEGIN; {limit}; {first}") as connection:
            yield PostgresSession(connection)
            connection.execute("COMMIT", prepare=False)

    @contextmanager
    def _connection(self, begin: str) -> Iterator[Connection]:
        """A connection in a transaction, which is rolled back unless it was committed."""
        if self._closed:
            raise CatalogUnavailableError(f"the catalog {self._name} is closed")
        if not self._free.acquire(timeout=self._settings.wait_s):
            raise CatalogUnavailableError(f"all {self._settings.connections} connections to the catalog are in use")
        try:
            connection = self._begun(begin)
            try:
                yield connection
            finally:
                self._put_back(connection)
        finally:
            self._free.release()

    def _begun(self, begin: str) -> Connection:
        """Idle connections that turn out to be lost, as after a restart of the server, are dropped."""
        while True:
            try:
                connection = self._idle.get_nowait()
            except Empty:
                connection = self._connect()
                try:
                    connection.execute(begin.encode(), prepare=False)
                except BaseException:
                    connection.close()
                    raise
                return connection
            try:
                connection.execute(begin.encode(), prepare=False)
                return connection
            except _UNAVAILABLE:
                if not connection.broken:
                    self._put_back(connection)
                    raise
                connection.close()

    def _put_back(self, connection: Connection) -> None:
        try:
            if connection.info.transaction_status != TransactionStatus.IDLE:
                connection.execute("ROLLBACK", prepare=False)
        except psycopg.Error:
            connection.close()
        if self._closed:
            connection.close()
        if not connection.closed:
            self._idle.put_nowait(connection)

    def _connect(self) -> Connection:
        connection: Connection = psycopg.connect(
            self._url,
            autocommit=True,
            cursor_factory=psycopg.RawCursor,
            connect_timeout=self._settings.connect_s,
            application_name="headwater",
            keepalives_idle=30,
            keepalives_interval=10,
            keepalives_count=3,
        )
        connection.adapters.register_dumper(int, Int8Dumper)
        connection.execute(
            f'SET search_path = "{self._name}", public; SET jit = off; SET join_collapse_limit = 1;'
            f"SET statement_timeout = {round(self._settings.read_s * 1000)};"
            f"SET idle_in_transaction_session_timeout = {round(self._settings.write_s * 1000)};"
            "SET client_encoding = 'UTF8'; SET random_page_cost = 1.1",
            prepare=False,
        )
        return connection

    def _lay_out(self, session: PostgresSession, facts: dict[str, str]) -> None:
        for statement in (schema.EXTENSION, schema.VIEW_IDS, f'CREATE SCHEMA "{self._name}"'):
            session.run(statement)
        session.script(schema.STATEMENTS)
        session.insert("meta", "name, value", facts.items())


class _ConflictError(Exception):
    """Another transaction got in the way."""


@contextmanager
def explained() -> Iterator[None]:
    """psycopg's errors as those of the catalog port."""
    try:
        yield
    except _CONFLICTS as error:
        raise _ConflictError(str(error)) from error
    except _UNAVAILABLE as error:
        raise CatalogUnavailableError(f"the catalog's database can't be used now: {str(error).strip()}") from error
    except _DAMAGED as error:
        raise CatalogCorruptError(
            f"the catalog's database is damaged ({str(error).strip()}): restore it, or index the repositories again"
        ) from error


def _lock_key(name: str) -> int:
    """A key for advisory locks of one argument."""
    return zlib.crc32(f"headwater {name}".encode())
