"""Small real servers on loopback: an OIDC issuer, a git host's API, and certificates for them."""

import datetime
import ipaddress
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Answer = tuple[int, Any]


@contextmanager
def http_server(answer: Callable[[str, dict[str, str]], Answer]) -> Iterator[str]:
    """Its URL; `answer` gets the path and the headers (lower case) and gives status and JSON."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, tree = answer(self.path, {k.lower(): v for k, v in self.headers.items()})
            body = json.dumps(tree).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Issuer:
    """Signs tokens and serves its keys; `rotate` replaces the key."""

    def __init__(self) -> None:
        self.url, self._number = "", 0
        self.rotate()

    def rotate(self) -> None:
        self._number += 1
        self._key = ec.generate_private_key(ec.SECP256R1())

    def answer(self, path: str, _headers: dict[str, str]) -> Answer:
        if path == "/.well-known/openid-configuration":
            return 200, {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self._key.public_key()))
        return 200, {"keys": [public | {"kid": str(self._number), "use": "sig", "alg": "ES256"}]}

    def token(self, user: str, **claims: Any) -> str:
        body = {"iss": self.url, "aud": "headwater", "sub": user, "exp": time.time() + 60} | claims
        return jwt.encode(body, self._key, "ES256", headers={"kid": str(self._number)})


class Authority:
    """A certificate authority in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test authority")])
        self.certificate = self._signed(self._name, self._key, is_authority=True)
        self.file = folder / "ca.pem"
        self.file.write_bytes(self.pem)

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def issue(self, name: str, hours: float = 1) -> tuple[bytes, bytes]:
        """(private key, certificate) as PEM, good for 127.0.0.1 and for so long from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return secret, self._signed(subject, key, hours=hours).public_bytes(serialization.Encoding.PEM)

    def _signed(self, subject: x509.Name, key: Any, is_authority: bool = False, hours: float = 1) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=2))
            .not_valid_after(now + datetime.timedelta(hours=hours))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
        )
        return builder.sign(self._key, hashes.SHA256())
