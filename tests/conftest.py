"""The real components as session fixtures: each starts once, on free loopback ports, and is stopped at the end."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from headwater.runtime.installed import stack_dir
from headwater.stack import COMPONENTS, Component, MissingComponentError, Running
from support.catalogs import NewStore, PostgresStore, SqliteStore

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: programs under test would ignore it
    signal.signal(signal.SIGINT, signal.default_int_handler)

_STACK = (pytest.mark.stack, pytest.mark.xdist_group("stack"))
STACK_FIXTURES = {"kafka", "milvus", "triton", "postgres"}
_RUNNING: dict[str, Running] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever uses a real component is marked `stack` and stays on one worker, so that it starts once.

    Four servers and the services share two cores with the tests, so a wait may end too early: such a test is run
    again, and pytest's summary says so (R).
    """
    for item in items:
        if STACK_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("stack")
            item.add_marker(pytest.mark.xdist_group("stack"))
        if item.get_closest_marker("stack"):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=1))


@pytest.fixture(scope="session")
def stack_data() -> Iterator[Path]:
    """A folder that PostgreSQL's own user may reach too."""
    folder = Path(tempfile.mkdtemp(prefix="headwater-stack-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A component that ended, for want of memory as likely as not, fails one test and not all that come after it."""
    for name in STACK_FIXTURES & set(getattr(item, "fixturenames", ())):
        running = _RUNNING.get(name)
        if running is not None and not running.alive():
            running.respawn()
            running.wait_healthy()


def _started(component: Component, data: Path) -> Running:
    try:
        _RUNNING[component.name] = component.start(stack_dir(), data / component.name)
        return _RUNNING[component.name]
    except MissingComponentError as missing:
        if os.environ.get("HEADWATER_STACK_REQUIRED"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def kafka(stack_data: Path) -> Iterator[Running]:
    running = _started(COMPONENTS["kafka"], stack_data)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def milvus_server(stack_data: Path) -> Iterator[Running]:
    running = _started(COMPONENTS["milvus"], stack_data)
    yield running
    running.stop()


@pytest.fixture
def milvus(milvus_server: Running) -> Running:
    """Empty: it has one alias for the live vectors, and whatever a test leaves would be another one's."""
    from pymilvus import MilvusClient

    client = MilvusClient(f"http://{milvus_server.address('grpc')}")
    for collection in client.list_collections():
        for alias in client.list_aliases(collection)["aliases"]:
            client.drop_alias(alias)
        client.drop_collection(collection)
    client.close()
    return milvus_server


@pytest.fixture(scope="session")
def triton(stack_data: Path) -> Iterator[Running]:
    running = _started(COMPONENTS["triton"], stack_data)
    yield running
    running.stop()


@pytest.fixture(scope="session", params=["sqlite", pytest.param("postgres", marks=_STACK)])
def new_store(request: pytest.FixtureRequest) -> NewStore:
    """Makes a store for a catalog; every test that asks for it runs on each implementation."""
    if request.param == "sqlite":
        return SqliteStore
    server: Running = request.getfixturevalue("postgres")
    return partial(PostgresStore, f"postgresql://app@127.0.0.1:{server.ports['sql']}/postgres")


@pytest.fixture(scope="session")
def postgres(stack_data: Path) -> Iterator[Running]:
    running = _started(COMPONENTS["postgres"], stack_data)
    yield running
    running.stop()
