"""A small shop of a repository, an engine over it, and the same engine behind a loopback query service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.clients.static_model import StaticModel
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.query.server import QueryServer, ServerSettings
from headwater.rpc.asking import RemoteAsker
from headwater.structural.answering import StructuralAnswering
from headwater.structural.flowgraph.cache import FolderGraphCache
from support.small_index import SmallIndex

MODEL = StaticModel()
MANY = "".join(f"def caller_{n}():\n    return write({n})\n\n\n" for n in range(120))
FILES = {
    "shop/store.py": (
        "class Store:\n"
        '    """Keeps orders on disk."""\n\n'
        "    def save(self, order):\n"
        '        """Write the order to disk."""\n'
        "        return write(order)\n\n\n"
        "def write(x):\n    return x\n"
    ),
    "app.py": "from shop.store import write as put\n\nput(1)\nput(2)\n",
    "many.py": f"from shop.store import write\n\n\n{MANY}",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, MODEL)
    made.commit(FILES)
    yield made
    made.close()


@pytest.fixture
def engine(index: SmallIndex, tmp_path: Path) -> Iterator[Engine]:
    vectors, structural = VectorSide(index.model, index.vectors), StructuralAnswering(FolderGraphCache(tmp_path))
    made = Engine(Parts(reader=index.catalog, vectors=vectors, structural=structural))
    yield made
    made.close()


@pytest.fixture
def remote(engine: Engine) -> Iterator[RemoteAsker]:
    settings = ServerSettings(address="127.0.0.1:0", grace_s=1)
    with QueryServer(engine, settings) as server, RemoteAsker(f"127.0.0.1:{server.port}") as asker:
        yield asker
