"""Operations of the streaming system on the real broker: letters without content, sent again on demand, and repairs."""

from pathlib import Path

import pytest

pytest.importorskip("confluent_kafka")

from headwater.deployment.operations import operations
from headwater.domain.query_error import InvalidQuestionError, NotFoundError, UnavailableError
from headwater.domain.version import PipelineVersion
from headwater.stack import Running
from headwater.stack.process import free_ports
from headwater.stores.sqlite_catalog import SqliteCatalog
from headwater.streaming.dead_letter import DeadLetter
from headwater.streaming.kafka import Publisher, read_to_end
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.message import Partition
from support.kafka_topics import renew_topics
from support.rig import received


@pytest.fixture
def connection(kafka: Running) -> Connection:
    made = Connection(kafka.address("broker"))
    renew_topics(made, ("file-changed", "commit-received"))
    return made


def test_letters_and_repairs_on_the_real_broker(connection: Connection, tmp_path: Path) -> None:
    letter = DeadLetter(
        source=Partition("file-changed", 0),
        offset=7,
        stage="ast-chunker",
        reason="not a valid event",
        attempts=2,
        at=1.5,
        key=b"k",
        value=b'{"content": "canary-4411"}',
        headers={},
    )
    Publisher(connection).publish([letter.message()])
    catalog = SqliteCatalog(tmp_path / "catalog.db", PipelineVersion("m", 8))
    of = operations(lambda: catalog, connection)
    assert of.letters is not None
    assert of.send is not None
    (listed,) = of.letters.list(["file-changed"])
    assert (listed.stage, listed.reason, listed.attempts) == ("ast-chunker", "not a valid event", 2)
    assert "canary" not in repr(listed)
    assert of.letters.replay([listed.id]) == [listed.id]
    assert [m.value for m in read_to_end(connection, ["file-changed"])] == [letter.value]
    of.send([received("refs/heads/main")])
    assert len(list(read_to_end(connection, ["commit-received"]))) == 1
    with pytest.raises(NotFoundError):
        of.letters.list(["no-such-topic"])
    with pytest.raises(InvalidQuestionError):
        of.letters.replay(["no id"])
    assert of.collect() == 0
    catalog.close()


def test_a_broker_that_is_away_is_said(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path / "catalog.db", PipelineVersion("m", 8))
    of = operations(lambda: catalog, Connection(f"127.0.0.1:{free_ports(('broker',))['broker']}"))
    assert of.letters is not None
    with pytest.raises(UnavailableError):
        of.letters.list([])
    catalog.close()
