"""The Kubernetes API over HTTPS: server-side apply with strict validation, and what the server warns of."""

import http.client
import json
import ssl
from typing import Any

import msgspec

Manifest = dict[str, Any]
OWNER = "headwater-chart-check"


class Unreachable(Exception):  # noqa: N818 it is a state, asked about while the server starts
    """Nobody answers at the port."""


class Reply(msgspec.Struct, frozen=True):
    """`warnings` are the server's, such as of a pod template that its namespace will refuse."""

    status: int
    body: Any
    warnings: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.status < 300

    @property
    def message(self) -> str:
        return str(self.body.get("message", self.body)) if isinstance(self.body, dict) else str(self.body)


class Api:
    """One server; paths of kinds are asked of it and remembered."""

    def __init__(self, port: int, token: str, context: ssl.SSLContext) -> None:
        self._port, self._token, self._context = port, token, context
        self._kinds: dict[tuple[str, str], tuple[str, bool]] = {}

    def send(self, method: str, path: str, body: Manifest | None = None, kind: str = "application/json") -> Reply:
        """Raises Unreachable."""
        connection = http.client.HTTPSConnection("127.0.0.1", self._port, timeout=30, context=self._context)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": kind}
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        except OSError as error:
            raise Unreachable(str(error)) from error
        finally:
            connection.close()
        warned = tuple(value for name, value in answer.getheaders() if name.lower() == "warning")
        return Reply(answer.status, json.loads(text) if text.startswith("{") else text, warned)

    def get(self, path: str) -> Manifest:
        reply = self.send("GET", path)
        if not reply.accepted:
            raise LookupError(f"{path}: {reply.message}")
        found: Manifest = reply.body
        return found

    def apply(self, manifest: Manifest, dry: bool = False) -> Reply:
        """As Helm 4 and `kubectl apply --server-side` do, refusing unknown and duplicate fields."""
        query = f"fieldManager={OWNER}&fieldValidation=Strict&force=true{'&dryRun=All' if dry else ''}"
        path = f"{self.path_of(manifest)}/{manifest['metadata']['name']}?{query}"
        return self.send("PATCH", path, manifest, "application/apply-patch+yaml")

    def path_of(self, manifest: Manifest) -> str:
        """Of the collection that it belongs to. Raises LookupError for a kind that the server doesn't know."""
        version, kind = manifest["apiVersion"], manifest["kind"]
        if (version, kind) not in self._kinds:
            self._discover(version)
        if (version, kind) not in self._kinds:
            raise LookupError(f"{version} has no {kind}")
        plural, namespaced = self._kinds[version, kind]
        place = f"/namespaces/{manifest['metadata'].get('namespace', 'default')}" if namespaced else ""
        return f"{_group_path(version)}{place}/{plural}"

    def _discover(self, version: str) -> None:
        for found in self.get(_group_path(version))["resources"]:
            if "/" not in found["name"]:
                self._kinds[version, found["kind"]] = (found["name"], found["namespaced"])


def _group_path(version: str) -> str:
    return f"/apis/{version}" if "/" in version else f"/api/{version}"
