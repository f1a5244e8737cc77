"""TLS and SASL as librdkafka's properties name them, understood for a client library that takes other words."""

import ssl
from collections.abc import Mapping
from typing import Literal

import msgspec

from headwater.settings import SettingsError

Mechanism = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]
PROTOCOLS = ("plaintext", "ssl", "sasl_plaintext", "sasl_ssl")
MECHANISMS: tuple[Mechanism, ...] = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_UNDERSTOOD = frozenset(
    {
        "security.protocol",
        "sasl.mechanism",
        "sasl.mechanisms",
        "sasl.username",
        "sasl.password",
        "ssl.ca.location",
        "ssl.certificate.location",
        "ssl.key.location",
        "ssl.key.password",
    }
)


class Security(msgspec.Struct, frozen=True):
    """How a broker is spoken to. `mechanism` is None without SASL, the paths are "" where nothing is given."""

    tls: bool = False
    ca: str = ""
    certificate: str = ""
    key: str = ""
    key_password: str = ""
    mechanism: Mechanism | None = None
    username: str = ""
    password: str = ""

    def tls_context(self) -> ssl.SSLContext | None:
        """Verifies the broker's certificate and name. Raises SettingsError for a file that can't be used."""
        if not self.tls:
            return None
        try:
            context = ssl.create_default_context(cafile=self.ca or None)
            if self.certificate:
                context.load_cert_chain(self.certificate, self.key or None, self.key_password or None)
        except (OSError, ssl.SSLError) as error:
            raise SettingsError(f"a TLS file of the Kafka properties can't be used: {error}") from error
        return context


def security_from(properties: Mapping[str, str]) -> Security:
    """Raises SettingsError for a protocol, mechanism or security property that isn't understood."""
    unknown = [n for n in properties if n.startswith(("ssl.", "sasl.")) and n not in _UNDERSTOOD]
    if unknown:
        raise SettingsError(
            f"this runner doesn't know the Kafka properties {', '.join(sorted(unknown))}: leave them out or use"
            " the runner kafka"
        )
    protocol = properties.get("security.protocol", "plaintext").lower()
    if protocol not in PROTOCOLS:
        raise SettingsError(f"security.protocol is one of {', '.join(PROTOCOLS)}, not {protocol}")
    return Security(
        tls=protocol.endswith("ssl"),
        ca=properties.get("ssl.ca.location", ""),
        certificate=properties.get("ssl.certificate.location", ""),
        key=properties.get("ssl.key.location", ""),
        key_password=properties.get("ssl.key.password", ""),
        mechanism=_mechanism(properties) if protocol.startswith("sasl_") else None,
        username=properties.get("sasl.username", ""),
        password=properties.get("sasl.password", ""),
    )


def _mechanism(properties: Mapping[str, str]) -> Mechanism:
    named = properties.get("sasl.mechanisms") or properties.get("sasl.mechanism", "PLAIN")
    found = next((mechanism for mechanism in MECHANISMS if mechanism == named.upper()), None)
    if found is None:
        raise SettingsError(f"sasl.mechanism is one of {', '.join(MECHANISMS)} under this runner, not {named}")
    return found
