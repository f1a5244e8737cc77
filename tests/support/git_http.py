"""A small git host on loopback: git's own smart HTTP (git http-backend) and GitHub's API for branches and blobs."""

import base64
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pygit2

SERVICE = "service:service-password"  # what the service fetches with


class GitHost:
    """Serves the bare repositories below a folder as owner/name; `readers` are the tokens that read all of them."""

    def __init__(self, root: Path, *readers: str) -> None:
        self.root, self.readers, self.url = root, set(readers), ""
        self.asked: list[tuple[str, str]] = []  # (token, path) of the API
        self.refuses_blobs = False

    def location(self, name: str) -> str:
        """Where the service fetches a repository."""
        return f"{self.url.replace('//', f'//{SERVICE}@')}/{name}.git"

    def api(self, token: str, path: str) -> tuple[int, bytes]:
        self.asked.append((token, path))
        parts = path.partition("?")[0].strip("/").split("/")
        if token not in self.readers or parts[:1] != ["repos"]:
            return 404, b"{}"
        repository = pygit2.Repository(str(self.root / f"{parts[1]}/{parts[2]}.git"))
        if parts[3:] == ["branches"]:
            return 200, json.dumps([{"name": name} for name in repository.branches.local]).encode()
        if parts[3:5] == ["git", "blobs"] and parts[5] in repository and not self.refuses_blobs:
            return 200, bytes(repository[parts[5]].data)  # type: ignore[attr-defined]
        return 404, b"{}"

    def git(self, handler: BaseHTTPRequestHandler) -> bytes:
        """What the CGI program says."""
        path, _, query = handler.path.partition("?")
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length) if length else _chunks(handler)
        environ = {
            **os.environ,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": handler.command,
            "CONTENT_TYPE": handler.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": handler.headers.get("Git-Protocol", ""),
            "REMOTE_USER": "service",
        }
        return subprocess.run(["git", "http-backend"], input=body, env=environ, capture_output=True, check=False).stdout


def _chunks(handler: BaseHTTPRequestHandler) -> bytes:
    """A body in chunks, which git sends when it is long."""
    body = b""
    while handler.headers.get("Transfer-Encoding") == "chunked":
        size = int(handler.rfile.readline(), 16)
        body += handler.rfile.read(size)
        handler.rfile.readline()
        if not size:
            break
    return body


@contextmanager
def serving(host: GitHost) -> Iterator[GitHost]:
    """On a free port until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            scheme, _, token = self.headers.get("Authorization", "").partition(" ")
            if self.path.startswith("/repos/"):
                self._say(*host.api(token, self.path), b"")
            elif scheme != "Basic" or base64.b64decode(token).decode() != SERVICE:
                self._say(401, b"", b"WWW-Authenticate: Basic\r\n")
            else:
                head, _, body = host.git(self).partition(b"\r\n\r\n")
                lines = [line for line in head.split(b"\r\n") if not line.startswith(b"Status:")]
                status = next((line for line in head.split(b"\r\n") if line.startswith(b"Status:")), b"Status: 200")
                self._say(int(status.split()[1]), body, b"".join(line + b"\r\n" for line in lines))

        def do_POST(self) -> None:
            self.do_GET()

        def _say(self, status: int, body: bytes, head: bytes) -> None:
            self.wfile.write(b"HTTP/1.1 %d -\r\nContent-Length: %d\r\n%s\r\n" % (status, len(body), head) + body)

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
