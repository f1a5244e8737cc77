"""etcd and kube-apiserver as processes on free loopback ports, with a data folder of their own."""

import secrets
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from cluster.api import Api, Unreachable

TOOLS = Path(__file__).resolve().parents[2] / ".stack" / "tools" / "apiserver"
READY_S = 120.0
STOP_S = 20.0


class ControlPlane:
    """A context manager that gives the API; everything is stopped and removed at its end."""

    def __init__(self, tools: Path = TOOLS) -> None:
        self._tools = tools
        self._folder = Path(tempfile.mkdtemp(prefix="headwater-apiserver-"))
        self._running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        try:
            self.api = self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop()

    def versions(self) -> str:
        etcd = subprocess.run([self._tools / "etcd", "--version"], capture_output=True, text=True, check=True).stdout
        return f"kube-apiserver {self.api.get('/version')['gitVersion']}, {etcd.splitlines()[0].lower()}"

    def _start(self) -> Api:
        store, peers, port = (_free_port() for _ in range(3))
        self._run("etcd", *_etcd_flags(self._folder, store, peers))
        key, token, tokens = self._folder / "accounts.key", secrets.token_hex(16), self._folder / "tokens.csv"
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
        tokens.write_text(f'{token},admin,admin,"system:masters"\n', "utf-8")
        self._run("kube-apiserver", *_server_flags(self._folder, store, port, key, tokens))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # it signs its own, on loopback
        api = Api(port, token, context)
        self._wait(api)
        return api

    def _run(self, program: str, *flags: str) -> None:
        with (self._folder / f"{program}.log").open("wb") as log:
            self._running.append(subprocess.Popen([self._tools / program, *flags], stdout=log, stderr=log))

    def _wait(self, api: Api) -> None:
        deadline = time.monotonic() + READY_S
        while not _ready(api):
            if time.monotonic() > deadline or any(process.poll() is not None for process in self._running):
                logs = [f"{log.name}: {log.read_text('utf-8')[-1500:]}" for log in self._folder.glob("*.log")]
                raise SystemExit("the API server doesn't start\n" + "\n".join(logs))
            time.sleep(0.2)

    def _stop(self) -> None:
        for process in reversed(self._running):
            process.terminate()
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def _ready(api: Api) -> bool:
    """Its service account for the namespace `default` is the last thing that it makes itself."""
    try:
        return api.send("GET", "/readyz").status == 200 and api.send("GET", "/api/v1/namespaces/default").status == 200
    except Unreachable:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _etcd_flags(folder: Path, client: int, peer: int) -> list[str]:
    clients, peers = f"http://127.0.0.1:{client}", f"http://127.0.0.1:{peer}"
    return [
        f"--data-dir={folder / 'etcd'}",
        f"--listen-client-urls={clients}",
        f"--advertise-client-urls={clients}",
        f"--listen-peer-urls={peers}",
        f"--initial-advertise-peer-urls={peers}",
        f"--initial-cluster=default={peers}",
        "--unsafe-no-fsync",
    ]


def _server_flags(folder: Path, store: int, port: int, key: Path, tokens: Path) -> list[str]:
    return [
        f"--etcd-servers=http://127.0.0.1:{store}",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={folder / 'certificates'}",
        "--service-account-issuer=https://headwater.invalid",
        f"--service-account-key-file={key}",
        f"--service-account-signing-key-file={key}",
        "--service-cluster-ip-range=10.96.0.0/16",
        f"--token-auth-file={tokens}",
        "--authorization-mode=RBAC",
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        "--v=1",
    ]
