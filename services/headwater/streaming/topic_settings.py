"""The settings of every topic as committed in schemas/topics, one file a topic."""

from functools import cache
from pathlib import Path

import msgspec


class TopicSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One topic. `owner` is the service to ask when something is wrong with what is in it."""

    name: str
    owner: str
    event: str  # file in schemas/events
    key: tuple[str, ...]
    partitions: int
    cleanup: str  # delete, compact, or both with a comma
    retention_hours: int  # 0: not by time
    max_message_bytes: int
    why: str

    def configuration(self) -> dict[str, str]:
        """As Kafka's topic configuration."""
        settings = {
            "cleanup.policy": self.cleanup,
            "max.message.bytes": str(self.max_message_bytes),
            "message.timestamp.type": "LogAppendTime",  # brokers refuse what a clock an hour ahead has stamped
        }
        if self.retention_hours:
            settings["retention.ms"] = str(self.retention_hours * 3_600_000)
        if "compact" in self.cleanup:
            settings["min.compaction.lag.ms"] = str(24 * 3_600_000)  # a stage that lags less misses nothing
        return settings


def schemas_folder() -> Path:
    """`schemas/` of the checkout, or the copy inside the installed package."""
    packaged = Path(__file__).resolve().parents[1] / "schemas"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[3] / "schemas"


@cache
def topic_settings() -> tuple[TopicSettings, ...]:
    """Every topic file, by name. Raises msgspec.ValidationError for a file that is wrong."""
    decode = msgspec.json.Decoder(TopicSettings).decode
    return tuple(decode(file.read_bytes()) for file in sorted((schemas_folder() / "topics").glob("*.json")))
