"""A broker of its own that asks for a password over TLS, and soon forgets offsets of groups without members."""

from pathlib import Path

from confluent_kafka.admin import (
    AdminClient,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from headwater.runtime.installed import stack_dir
from headwater.stack import Running
from headwater.stack.kafka import Kafka
from headwater.stack.process import free_ports
from headwater.streaming.kafka_connection import Connection
from support.loopback import Authority

REAUTHENTICATE_MS = 3_000  # how long a connection is believed
RETENTION_S = 60.0
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;"


class SecuredKafka:
    """`plain` is the way in for the test itself."""

    def __init__(self, folder: Path) -> None:
        """Raises MissingComponentError."""
        folder.mkdir(parents=True)
        self._folder, self._authority = folder, Authority(folder)
        self._keys = folder / "server.pem"
        self.ports = free_ports(("broker", "controller", "secure"))
        self._write_certificate(1)
        self.running: Running = Kafka(self._properties()).start(stack_dir(), folder / "kafka", self.ports)
        self.plain = Connection(self.running.address("broker"))
        self.secure = self.running.address("secure")

    def set_password(self, user: str, password: str) -> None:
        """In force for new connections at once, for others within `REAUTHENTICATE_MS`."""
        info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4_096)
        admin = AdminClient(self.plain.configuration())
        changed = admin.alter_user_scram_credentials([UserScramCredentialUpsertion(user, info, password.encode())])
        for future in changed.values():
            future.result(30)

    def write_properties(self, file: Path, user: str, password: str) -> None:
        """What a client needs; written beside and moved, as secrets are."""
        lines = {
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-256",
            "sasl.username": user,
            "sasl.password": password,
            "ssl.ca.location": str(self._authority.file),
        }
        fresh = file.with_suffix(".new")
        fresh.write_text("".join(f"{name}={value}\n" for name, value in lines.items()), "utf-8")
        fresh.replace(file)

    def restart_with_certificate(self, hours: float) -> None:
        """One that is good for so long; negative: that has expired."""
        self._write_certificate(hours)
        self.running.restart()

    def _write_certificate(self, hours: float) -> None:
        self._keys.write_bytes(b"".join(self._authority.issue("broker", hours)))

    def _properties(self) -> dict[str, str]:
        at = {name: f"127.0.0.1:{port}" for name, port in self.ports.items()}
        listener = "listener.name.secure"
        return {
            "listeners": f"PLAINTEXT://{at['broker']},SECURE://{at['secure']},CONTROLLER://{at['controller']}",
            "advertised.listeners": f"PLAINTEXT://{at['broker']},SECURE://{at['secure']}",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL",
            "inter.broker.listener.name": "PLAINTEXT",
            "sasl.enabled.mechanisms": "SCRAM-SHA-256",
            f"{listener}.scram-sha-256.sasl.jaas.config": SCRAM,
            f"{listener}.scram-sha-256.connections.max.reauth.ms": str(REAUTHENTICATE_MS),
            f"{listener}.ssl.keystore.type": "PEM",
            f"{listener}.ssl.keystore.location": str(self._keys),
            "offsets.retention.minutes": "1",
            "offsets.retention.check.interval.ms": "2000",
        }
