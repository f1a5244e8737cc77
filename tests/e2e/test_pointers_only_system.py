"""The deployed system in pointers-only mode: no component writes source anywhere, and callers read it all the same.

Kafka, PostgreSQL, Milvus, Triton and every service run with all they have to log, crash in the middle of a batch and
set events aside; then every file, topic, table and row is searched. A control finds the strings where they are kept.
"""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("confluent_kafka")

import psycopg
from pymilvus import MilvusClient

from headwater.deployment.system import Plan, System
from headwater.domain.answer import ViewFreshness
from headwater.domain.query_error import QueryError
from headwater.domain.question import FreshnessQuestion, GrepQuestion, SearchQuestion, UsagesQuestion
from headwater.rpc.asking import RemoteAsker
from headwater.stack import MissingComponentError
from headwater.stack.process import free_ports
from headwater.streaming.dead_letters import list_letters
from headwater.streaming.kafka import Publisher, read_to_end
from headwater.streaming.message import ToSend
from headwater.streaming.topic_settings import topic_settings
from headwater.topology import STAGES
from support.canaries import CANARIES, FILES, ask_everything, found_below, found_in, found_in_parts
from support.deployed import MAIN
from support.git_http import GitHost, serving
from support.git_repo import RepoBuilder

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack"), pytest.mark.timeout(600)]

REPO, ANN, BOB = "acme/zoo", "anns-git-token", "bobs-git-token"
CRASHED = ("ast-chunker", "embedder", "defref-sink")
QUICK = {
    "HEADWATER_COMMIT_INGEST_POLL_S": "1",
    "HEADWATER_RECONCILER_HEARTBEAT_S": "1",
    "HEADWATER_RECONCILER_LOOK_S": "1",
    "HEADWATER_RECONCILER_PROOF_S": "2",
    "HEADWATER_RECONCILER_VECTOR_GRACE_S": "30",
    "HEADWATER_RECONCILER_QUERY": "",
}
POINTERS = {"HEADWATER_INDEXING_POINTERS_ONLY": "true", "HEADWATER_INDEXING_TERM_KEY": "a key that nobody guesses"}
VERBOSE = "import logging\n_set = logging.basicConfig\nlogging.basicConfig = lambda **k: _set(**{**k, 'level': 10})\n"


class Zoo:
    """One system on one repository of a git host, and a folder for everything that it writes."""

    def __init__(self, system: System, host: GitHost, git: RepoBuilder, folder: Path, web: str) -> None:
        self.system, self.host, self.git, self.folder, self.web = system, host, git, folder, web
        self.files = dict(FILES)

    def asker(self, token: str) -> RemoteAsker:
        return RemoteAsker(f"127.0.0.1:{self.system.ports['query!']}", (("x-git-token", token),))

    def push(self, files: dict[str, bytes]) -> None:
        """Until its commit is searchable, with its vectors."""
        self.files |= files
        commit, deadline = self.git.commit(dict(self.files)), time.monotonic() + 120
        while not any(v.commit == commit and v.vector_complete for v in self._views()):
            assert time.monotonic() < deadline, f"{commit} is not searchable; see {self.folder}"
            time.sleep(0.3)

    def _views(self) -> list[ViewFreshness]:
        with self.asker(ANN) as asked:
            try:
                return [v for v in asked.views(FreshnessQuestion()).views if v.ref == MAIN]
            except QueryError:
                return []

    def crash(self, name: str) -> None:
        """As a fault in native code does it: with a dump, if the system lets it."""
        os.kill(self.system.services[name].pid, signal.SIGABRT)

    def set_aside(self) -> None:
        """Every stage finds events that it can't take, among them real ones that were damaged."""
        topics = [name for spec in STAGES for name in spec.consumes if name != "heartbeat"]
        read = read_to_end(self.system.connection, topics)
        real = {m.partition.topic: m.value for m in read if m.value and b'"lane":"' in m.value}
        damaged = [ToSend(topic, b"k", value.replace(b'"lane":"', b'"lane":"un')) for topic, value in real.items()]
        assert len(damaged) > 3
        before = len(list(list_letters(self.system.connection)))
        Publisher(self.system.connection).publish([*damaged, *(ToSend(t, b"k", b'{"repo": 7}') for t in topics)])
        deadline = time.monotonic() + 60
        while len(list(list_letters(self.system.connection))) < before + len(damaged) + len(topics):
            assert time.monotonic() < deadline
            time.sleep(0.5)


@contextmanager
def running(settings: dict[str, str]) -> Iterator[Zoo]:
    folder = Path(tempfile.mkdtemp(prefix="headwater-zoo-"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    written = folder / "written"
    (written / "tmp").mkdir(parents=True)
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(VERBOSE)
    (folder / "kafka.properties").write_text("debug=topic,msg\n")
    git = RepoBuilder(folder / "host" / f"{REPO}.git")
    git.repo.config["uploadpack.allowFilter"] = True
    git.commit({path: content for path, content in FILES.items() if "big" not in path})
    web = f"127.0.0.1:{free_ports(('web',))['web']}"
    try:
        with ExitStack() as opened:
            host = opened.enter_context(serving(GitHost(folder / "host", ANN)))
            everything = {
                **QUICK,
                "HEADWATER_ACCESS_ANONYMOUS": "true",
                "HEADWATER_ACCESS_GIT_HOST": "github",
                "HEADWATER_ACCESS_GIT_HOST_API": host.url,
                "HEADWATER_ACCESS_GIT_HOST_TTL_S": "0.5",
                "HEADWATER_ACCESS_AUDIT_LOG": str(written / "audit.log"),
                "HEADWATER_ACCESS_AUDIT_QUERIES": "true",
                "HEADWATER_QUERY_OUTCOMES": str(written / "outcomes.jsonl"),
                "HEADWATER_QUERY_WEB": web,
                "HEADWATER_QUERY_KAFKA_PROPERTIES": str(folder / "kafka.properties"),
                "HEADWATER_EMBEDDER_KAFKA_PROPERTIES": str(folder / "kafka.properties"),
                "PYTHONPATH": str(folder / "site"),
                "TMPDIR": str(written / "tmp"),
                **settings,
            }
            plan = Plan(data=written, repositories={REPO: host.location(REPO)}, settings=everything)
            system = opened.enter_context(System(plan))
            _log_every_statement(system)
            yield Zoo(system, host, git, folder, web)
    except MissingComponentError as missing:
        if os.environ.get("HEADWATER_STACK_REQUIRED"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _database(system: System) -> str:
    return system.environ()["HEADWATER_CATALOG_URL"]


def _log_every_statement(system: System) -> None:
    with psycopg.connect(_database(system), autocommit=True) as connection:
        for setting in (
            "log_statement = 'all'",
            "log_parameter_max_length_on_error = -1",
            "log_min_messages = 'debug1'",
        ):
            connection.execute(f"ALTER SYSTEM SET {setting}".encode())
        connection.execute("SELECT pg_reload_conf()")


def live_through(zoo: Zoo) -> dict[str, str]:
    """Pushes, crashes in batches, events set aside, and every question; the text of the answers."""
    zoo.push({})
    for number, name in enumerate(CRASHED):
        more = {
            f"more/part{n}.py": b"def part_%d_%d(x):\n    # qzcomment\n    return x + 735197424\n" % (number, n)
            for n in range(60)
        }
        zoo.git.commit(zoo.files | more)
        time.sleep(1.2)
        zoo.crash(name)
        zoo.push(more)
    zoo.set_aside()
    zoo.push({"last.py": b"LAST = 'qzliteral'\n"})
    with zoo.asker(ANN) as asked:
        texts = ask_everything(asked)
    texts["page"] = (
        urlopen(Request(f"http://{zoo.web}/api/search?q=weigh_wombats", headers={"X-Git-Token": ANN}), timeout=30)
        .read()
        .decode()
    )
    return texts


def everywhere(zoo: Zoo) -> dict[str, set[str]]:
    """What is found: in files, in topics as a consumer reads them, in tables, and in the rows of vectors."""
    system = zoo.system
    found = found_below(zoo.folder / "written")
    found["Kafka"] = set()
    topics = [topic.name for topic in topic_settings()]
    for message in read_to_end(system.connection, topics):
        found["Kafka"] |= found_in(message.value or b"") | found_in(message.key or b"")
    with psycopg.connect(_database(system)) as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for schema, table in tables:
            found[f"PostgreSQL {schema}.{table}"] = found_in_parts(_rows(connection, schema, table))
    client = MilvusClient(system.environ()["HEADWATER_MILVUS_ADDRESS"])
    for collection in client.list_collections():
        rows = client.query(collection, filter="", output_fields=["*"], limit=10_000)
        assert rows
        found[f"Milvus {collection}"] = found_in_parts(repr(row).encode() for row in rows)
    client.close()
    return {place: canaries for place, canaries in found.items() if canaries}


def _rows(connection: psycopg.Connection, schema: str, table: str) -> Iterator[bytes]:
    for row in connection.execute(f'SELECT * FROM "{schema}"."{table}"'.encode()):
        yield from (v if isinstance(v, bytes) else str(v).encode() for v in row if v is not None)


def test_no_component_holds_source_and_every_answer_has_its_text() -> None:
    with running(POINTERS) as zoo:
        texts = live_through(zoo)
        assert [name for name, text in texts.items() if not text] == []
        assert "qzdefault" in texts["definitions"]
        assert {token for token, _ in zoo.host.asked} == {ANN}
        _the_host_decides(zoo)
        assert everywhere(zoo) == {}
        _nothing_stays_in_memory()
        assert [p for p in (zoo.folder / "written").rglob("core*") if p.is_file() and p.stat().st_size > 1 << 20] == []


def _nothing_stays_in_memory() -> None:
    """What a batch reads is gone with it, and what a crash left behind with the next batch."""
    deadline = time.monotonic() + 30
    while left := list(Path("/dev/shm").glob("headwater-*")):
        assert time.monotonic() < deadline, left
        time.sleep(1)


def _the_host_decides(zoo: Zoo) -> None:
    """A host that refuses text costs the text; a caller whom it refuses the repository sees nothing."""
    zoo.push({"late.py": b"def tell_late(x):\n    return tell_late('qzliteral')\n"})
    zoo.host.refuses_blobs = True
    with zoo.asker(ANN) as asked:
        found = asked.search(SearchQuestion(query="tell_late"))
        assert [(r.path, r.snippet) for r in found.results] == [("late.py", "")]
        assert found.degraded == ("text",)
        assert asked.usages(UsagesQuestion(symbol="tell_late")).degraded == ("text",)
        assert not asked.grep(GrepQuestion(pattern="tell_late")).complete
    zoo.host.refuses_blobs = False
    with zoo.asker(BOB) as asked, pytest.raises(QueryError):
        asked.search(SearchQuestion(query="tell_late"))


def test_the_same_search_finds_source_where_it_is_kept() -> None:
    with running({}) as zoo:
        live_through(zoo)
        places = everywhere(zoo)
    found = {canary for canaries in places.values() for canary in canaries}
    assert found == set(CANARIES)  # mirrors hold what is left out of the index, too
    assert {"Kafka", "PostgreSQL headwater.texts"} <= places.keys()
    assert any(place.startswith("kafka/") for place in places)
    assert any(place.startswith("postgres/") for place in places)
