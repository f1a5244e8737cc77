"""Where the brokers are, and how our consumers and producers are configured; no client library is touched here."""

from typing import Any, Protocol

import msgspec

from headwater.streaming.settlement import MAX_MESSAGE_BYTES

SESSION_MS = 10_000  # a dead member's partitions move after this
SLOWEST_WORK_MS = 300_000  # polling goes on during work; this bounds a loop that hangs


class Access(Protocol):
    """The way to the brokers; what it holds may be renewed while a client made with it is running."""

    def connection(self) -> "Connection":
        """As of now. Raises SettingsError."""
        ...

    def fingerprint(self) -> str:
        """Another one once clients must be made anew."""
        ...


class Connection(msgspec.Struct, frozen=True):
    """`properties` are further librdkafka properties (TLS, SASL). It is an access, too: one that is never renewed.

    Each edition of the index has topics and groups of its own on the brokers; everybody else knows them by plain names.
    """

    brokers: str
    properties: dict[str, str] = {}
    edition: int = 1

    def connection(self) -> "Connection":
        return self

    def fingerprint(self) -> str:
        return ""

    def wire(self, name: str) -> str:
        """What a topic or group is called on the brokers."""
        return name if self.edition == 1 else f"{name}-{self.edition}"

    def plain(self, name: str) -> str:
        """The inverse of `wire`."""
        return name if self.edition == 1 else name.removesuffix(f"-{self.edition}")

    def configuration(self, **own: Any) -> dict[str, Any]:
        return {
            "bootstrap.servers": self.brokers,
            "log_level": 3,
            "reconnect.backoff.max.ms": 2_000,
            **self.properties,
            **{name.replace("_", "."): value for name, value in own.items() if not name.endswith("_cb")},
            **{name: value for name, value in own.items() if name.endswith("_cb")},
        }

    def member(self, group: str, instance: str, **callbacks: Any) -> dict[str, Any]:
        """A static member of a consumer group, so that a restart within the session moves no partition."""
        group = self.wire(group)
        return self.configuration(
            group_id=group,
            group_instance_id=f"{group}-{instance}",
            partition_assignment_strategy="cooperative-sticky",
            session_timeout_ms=SESSION_MS,
            max_poll_interval_ms=SLOWEST_WORK_MS,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            isolation_level="read_committed",
            enable_partition_eof=True,
            queued_max_messages_kbytes=16_384,
            fetch_wait_max_ms=100,
            statistics_interval_ms=2_000,
            **callbacks,
        )

    def reader(self) -> dict[str, Any]:
        """Reads what is committed as of now; no member of anything."""
        return self.configuration(
            group_id="headwater-read-to-end",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            isolation_level="read_committed",
            enable_partition_eof=True,
        )

    def producer(self, transactional_id: str | None = None, **callbacks: Any) -> dict[str, Any]:
        own: dict[str, Any] = {}
        if transactional_id:
            own = {
                "transactional_id": self.wire(transactional_id),
                "retry_backoff_ms": 10,
                "transaction_timeout_ms": 30_000,
            }
        return self.configuration(
            enable_idempotence=True,
            linger_ms=5,
            partitioner="murmur2_random",  # as the Java and Faust clients, so that a key has one partition
            compression_type="lz4",
            message_max_bytes=MAX_MESSAGE_BYTES + 65_536,
            **own,
            **callbacks,
        )
