"""Kafka's security properties, as another client library needs them."""

import ssl

import pytest

from headwater.settings import SettingsError
from headwater.streaming.security import Security, security_from


def test_nothing_given_is_plain_text() -> None:
    assert security_from({"linger.ms": "5"}) == Security()
    assert security_from({}).tls_context() is None


def test_sasl_over_tls() -> None:
    given = {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "headwater",
        "sasl.password": "s3cret",
    }
    security = security_from(given)
    assert security == Security(tls=True, mechanism="SCRAM-SHA-512", username="headwater", password="s3cret")
    context = security.tls_context()
    assert context is not None
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED


@pytest.mark.parametrize(
    ("properties", "named"),
    [
        ({"security.protocol": "tls"}, "security.protocol"),
        ({"security.protocol": "sasl_ssl", "sasl.mechanism": "GSSAPI"}, "sasl.mechanism"),
        ({"ssl.keystore.location": "/x"}, "ssl.keystore.location"),
    ],
)
def test_what_is_not_understood_is_refused(properties: dict[str, str], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        security_from(properties)


def test_a_missing_file_is_a_setting_that_is_wrong() -> None:
    with pytest.raises(SettingsError, match="TLS file"):
        Security(tls=True, ca="/does/not/exist.pem").tls_context()
