"""The brokers' addresses and the files with the credentials for them, which may be replaced at any time."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from headwater.settings import SettingsError
from headwater.streaming.kafka_connection import Connection


class BrokerAccess(msgspec.Struct, frozen=True):
    """`file` holds librdkafka properties, "" for none; `own` are some that it may override."""

    brokers: str
    file: str = ""
    edition: int = 1
    own: dict[str, str] = {}

    def connection(self) -> Connection:
        """With what the file holds now. Raises SettingsError."""
        return Connection(self.brokers, {**self.own, **read_properties(self.file)}, self.edition)

    def fingerprint(self) -> str:
        """Of the file and of every certificate and key that it names, by content: times and links may mislead."""
        digest = hashlib.sha256()
        for path in self._files():
            digest.update(hashlib.sha256(path.read_bytes() if path.is_file() else b"").digest())
        return digest.hexdigest()

    def _files(self) -> Iterator[Path]:
        if not self.file:
            return
        yield Path(self.file)
        try:
            properties = read_properties(self.file)
        except SettingsError:
            return
        yield from (Path(value) for name, value in sorted(properties.items()) if name.endswith(".location"))


def read_properties(file: str) -> dict[str, str]:
    """`name=value` lines, # for comments; {} for no file. Raises SettingsError."""
    if not file:
        return {}
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except OSError as error:
        raise SettingsError(f"can't read the Kafka properties: {error}") from error
    pairs = [line.partition("=") for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return {name.strip(): value.strip() for name, _equals, value in pairs}
