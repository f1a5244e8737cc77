"""What `helm test` asks, over a real loopback server."""

from pathlib import Path

from headwater.clients.static_model import StaticModel
from headwater.deployment.smoke import run
from headwater.query.engine import Engine, Parts
from headwater.query.server import QueryServer, ServerSettings
from support.small_index import SmallIndex

FILES = {"store.py": "def save_order(order):\n    return order\n"}


def test_a_question_is_asked_and_its_answer_judged(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, StaticModel())
    engine = Engine(Parts(reader=index.catalog))
    with QueryServer(engine, ServerSettings(address="127.0.0.1:0", grace_s=1)) as server:
        address = {"HEADWATER_SMOKE_ADDRESS": f"127.0.0.1:{server.port}"}
        assert run(address) == 0
        assert run({**address, "HEADWATER_SMOKE_RESULTS": "true"}) == 1, "nothing is published yet"
        index.commit(FILES)
        found = {**address, "HEADWATER_SMOKE_RESULTS": "true", "HEADWATER_SMOKE_QUESTION": "save_order"}
        assert run(found) == 0
        assert run({**found, "HEADWATER_SMOKE_QUESTION": "zzzyyyxxx"}) == 1
    assert run({**address, "HEADWATER_SMOKE_SECONDS": "1"}) == 1, "nobody listens any more"
    engine.close()
    index.close()
