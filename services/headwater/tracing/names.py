"""The names of spans and attributes; those of messaging are still moving in OpenTelemetry, so they are only here."""

from enum import StrEnum

QUERY_PREFIX = "headwater.v1.QueryService/"
PUSH = "push"
PUBLISHED = "published"  # an event of the span in which a generation became visible

SYSTEM = "messaging.system"
DESTINATION = "messaging.destination.name"
OPERATION = "messaging.operation.type"
BATCH = "messaging.batch.message_count"
GROUP = "messaging.consumer.group.name"
REPO = "headwater.repo"
REF = "headwater.ref"
PUSHED_AT = "headwater.pushed_at"
COMMIT = "headwater.commit"
KIND = "headwater.query.kind"
RESULTS = "headwater.query.results"
COMPLETE = "headwater.query.complete"
DEGRADED = "headwater.query.degraded"
PRINCIPAL = "enduser.id"
RPC_SYSTEM = "rpc.system"
ERROR = "error.type"


class Kind(StrEnum):
    """What a span's process does in the exchange."""

    INTERNAL = "INTERNAL"
    SERVER = "SERVER"
    CLIENT = "CLIENT"
    PRODUCER = "PRODUCER"
    CONSUMER = "CONSUMER"


def consumed(stage: str, topic: str, messages: int) -> dict[str, str | int]:
    """The attributes of handling a batch."""
    return {SYSTEM: "kafka", OPERATION: "process", DESTINATION: topic, GROUP: stage, BATCH: messages}


def sent(topic: str) -> dict[str, str | int]:
    """The attributes of publishing."""
    return {SYSTEM: "kafka", OPERATION: "send", DESTINATION: topic}
