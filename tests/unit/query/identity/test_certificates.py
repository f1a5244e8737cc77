"""A certificate names its caller for as long as it is valid, also on a connection that was opened before."""

import time
from pathlib import Path

import pytest

from headwater.domain.principal import Principal
from headwater.domain.query_error import UnauthenticatedError
from headwater.query.identity.certificates import certificate_principal
from support.loopback import Authority


def test_s10_a_certificate_that_expires_during_a_connection_no_longer_names_anybody(tmp_path: Path) -> None:
    chain = max(Authority(tmp_path).issue("builder", hours=1), key=lambda pem: b"CERTIFICATE" in pem)
    transport = {
        "transport_security_type": (b"ssl",),
        "x509_pem_cert": (chain,),
        "x509_common_name": (b"builder",),
    }
    assert certificate_principal(transport, "common-name") == Principal("cert:builder")
    with pytest.raises(UnauthenticatedError, match="connect with a new one"):
        certificate_principal(transport, "common-name", lambda: time.time() + 7200)
