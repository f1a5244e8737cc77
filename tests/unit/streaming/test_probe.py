"""Heartbeats: one into every partition, answered once what came before is done, never shown to the stage."""

from collections.abc import Iterable, Sequence

import msgspec

from headwater.events import FileChanged, Heartbeat, Lane
from headwater.streaming.codec import decode_event, encode_event
from headwater.streaming.errors import NotNowError, RetryableError
from headwater.streaming.message import Partition, Received, ToSend
from headwater.streaming.probe import probed_topics, probes
from headwater.streaming.settlement import Policy, Settlement, settle
from headwater.streaming.stage import Outgoing

PLACE = Partition("file-changed", 2)
EVENT = FileChanged(repo="r", ref="x", generation=1, path="a", mode=0o100644, blob="0" * 40, pushed_at=1.0)


class Recorder:
    name = "ast-chunker"

    def __init__(self, error: Exception | None = None) -> None:
        self.handled: list[FileChanged] = []
        self._error = error

    def handle(self, batch: Sequence[FileChanged]) -> Iterable[Outgoing]:
        self.handled += batch
        if self._error is not None:
            raise self._error
        return ()


def received(offset: int, sent: ToSend) -> Received:
    return Received(PLACE, offset, sent.key, sent.value, dict(sent.headers))


def probe() -> ToSend:
    counts = dict.fromkeys(probed_topics(), 3)
    return next(p for p in probes(counts, 7.0) if (p.topic, p.partition) == PLACE)


def settled(stage: Recorder) -> Settlement:
    event = Received(PLACE, 4, b"k", encode_event(EVENT), {})
    return settle(stage, [event, received(5, probe())], {}, Policy())


def test_one_goes_into_every_partition_of_both_lanes() -> None:
    sent = list(probes(dict.fromkeys(probed_topics(), 3), 7.0))
    assert len(sent) == 3 * len(probed_topics()) == len({(p.topic, p.partition) for p in sent})
    assert {"commit-received", "file-changed-bulk", "index-applied"} <= {p.topic for p in sent}
    assert "heartbeat" not in {p.topic for p in sent}


def test_the_stage_never_sees_it_and_its_stamp_is_the_answer() -> None:
    stage = Recorder()
    result = settled(stage)
    assert stage.handled == [EVENT]
    assert result.offsets == {PLACE: 6}
    (answer,) = result.send
    heartbeat = decode_event(answer.topic, answer.value)
    assert isinstance(heartbeat, Heartbeat)
    assert msgspec.structs.replace(heartbeat, hops=()) == Heartbeat(
        id="file-changed/2", sent_at=7.0, partition=2, lane=Lane.LIVE
    )
    assert [stage for stage, _at in heartbeat.hops] == ["ast-chunker"]


def test_while_work_waits_there_is_no_answer() -> None:
    assert settled(Recorder(RetryableError("later"))).send == []
    assert settled(Recorder(NotNowError("down"))).send == []
