"""Heartbeats among the events: one into each partition, stamped by the runner after what came before it.

An answer says that everything in front of the probe is done, so its age is that of the oldest thing still waiting.
"""

import time
from collections.abc import Iterable, Mapping

import msgspec

from headwater.events import Heartbeat, Lane
from headwater.streaming.codec import LANE, encode_event
from headwater.streaming.message import Received, ToSend
from headwater.topology import HEARTBEAT, STAGES, TOPICS

HEADER = "heartbeat"

_decode = msgspec.json.Decoder(Heartbeat).decode


def probed_topics() -> dict[str, Lane]:
    """Every real topic that a stage consumes, but for the answers' own, with its lane."""
    parents = [TOPICS[name] for stage in STAGES for name in stage.consumes if name != HEARTBEAT.name]
    return {topic.lane(lane): lane for topic in parents for lane in Lane if lane is Lane.LIVE or topic.bulk}


def probes(partitions: Mapping[str, int], now: float) -> Iterable[ToSend]:
    """One for every partition; `partitions` counts them by real topic."""
    for topic, lane in probed_topics().items():
        for number in range(partitions[topic]):
            identity = f"{topic}/{number}"
            heartbeat = Heartbeat(id=identity, sent_at=now, partition=number, lane=lane)
            headers = ((LANE, lane.value.encode()), (HEADER, b"1"))
            yield ToSend(topic, f"{HEADER}/{number}".encode(), encode_event(heartbeat), headers, number)


def is_probe(message: Received) -> bool:
    return HEADER in message.headers


def answer(message: Received, stage: str) -> ToSend:
    """The stage's stamp on a probe. What was sent by others under this header is passed over, whatever it holds."""
    try:
        heartbeat = _decode(message.value or b"")
    except msgspec.MsgspecError:
        heartbeat = Heartbeat(id="unreadable", sent_at=0.0)
    stamped = msgspec.structs.replace(heartbeat, hops=(*heartbeat.hops, (stage, time.time())))
    return ToSend(HEARTBEAT.name, stamped.id.encode(), encode_event(stamped))
