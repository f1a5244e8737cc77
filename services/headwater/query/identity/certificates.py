"""Client certificates: who a verified one names, and the server's own, read again when their files change."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import grpc
from cryptography import x509

from headwater.domain.principal import Principal
from headwater.domain.query_error import UnauthenticatedError
from headwater.query.identity.settings import AccessSettings
from headwater.settings import SettingsError

_FIELDS = {"common-name": "x509_common_name", "alternative-name": "x509_subject_alternative_name"}


def certificate_principal(
    transport: Mapping[str, Sequence[bytes]], named_by: str, clock: Callable[[], float] = time.time
) -> Principal | None:
    """The caller that the transport has verified, by its first name of this kind; None without a certificate.

    A connection outlives what it was opened with. Raises UnauthenticatedError once the certificate has expired.
    """
    shown = transport.get("x509_pem_cert", ())
    if b"ssl" not in transport.get("transport_security_type", ()) or not shown:
        return None
    if x509.load_pem_x509_certificate(shown[0]).not_valid_after_utc.timestamp() < clock():
        raise UnauthenticatedError("BAD_CERTIFICATE", "the client certificate has expired: connect with a new one")
    names = [n.decode("utf-8", "replace") for n in transport.get(_FIELDS[named_by], ())]
    name = next((n for n in names if n and n.isprintable()), None)
    return None if name is None else Principal(f"cert:{name}")


def server_credentials(settings: AccessSettings) -> grpc.ServerCredentials | None:
    """None: plain text. Files that change are read again; bad new ones leave the last good ones in force.

    Raises SettingsError.
    """
    if not settings.tls_certificate and not settings.tls_key and not settings.client_ca:
        return None
    if not settings.tls_certificate or not settings.tls_key:
        raise SettingsError("HEADWATER_ACCESS_TLS_CERTIFICATE and HEADWATER_ACCESS_TLS_KEY go together")
    files = _TlsFiles(settings)
    return grpc.dynamic_ssl_server_credentials(files.first(), files.changed, bool(settings.client_ca))


class _TlsFiles:
    def __init__(self, settings: AccessSettings) -> None:
        names = (settings.tls_key, settings.tls_certificate, settings.client_ca)
        self._paths = [Path(name) for name in names if name]
        self._seen: tuple[tuple[int, int, int], ...] = ()

    def first(self) -> grpc.ServerCertificateConfiguration:
        try:
            return self._read()
        except OSError as error:
            raise SettingsError(f"a TLS file can't be read: {error}") from error

    def changed(self) -> grpc.ServerCertificateConfiguration | None:
        """Asked at every handshake; None keeps what is in force."""
        try:
            return self._read() if self._stamps() != self._seen else None
        except OSError:
            return None

    def _read(self) -> grpc.ServerCertificateConfiguration:
        seen = self._stamps()
        key, chain, *roots = [path.read_bytes() for path in self._paths]
        self._seen = seen
        return grpc.ssl_server_certificate_configuration([(key, chain)], roots[0] if roots else None)

    def _stamps(self) -> tuple[tuple[int, int, int], ...]:
        stats = [path.stat() for path in self._paths]
        return tuple((s.st_mtime_ns, s.st_size, s.st_ino) for s in stats)
