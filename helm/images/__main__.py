"""`make image-smoke`: each image alone, then all of them as the services of a real system.

Alone it must name its settings, be nobody, find nothing that it could write, and never be ready while nothing can be
reached. Then Kafka, PostgreSQL, Milvus, Triton and a process for each service are started; the images' processes take
the places of those, one by one; a pushed commit must become searchable. Exit status 1 when one of these fails.

This is no container engine and no cluster: no seccomp profile, no cgroup limits, no kubelet, and the base as given.
"""

import http.client
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import msgspec

from headwater.deployment.services import SERVICES
from headwater.deployment.system import PROCESSES, Plan, System
from headwater.domain.question import FreshnessQuestion, SearchQuestion
from headwater.rpc.asking import RemoteAsker
from headwater.settings import prefix
from headwater.stack.process import free_ports
from images.image import Image

SETTINGS = {
    "HEADWATER_COMMIT_INGEST_POLL_S": "1",
    "HEADWATER_RECONCILER_LOOK_S": "2",
    # the repository belongs to the images' user, and services that still run outside are root
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}
MAY_NOT_WRITE = (
    'for d in / /etc /opt/headwater /usr/bin /var/lib; do touch "$d/probe" 2>/dev/null && echo "$d"; done; id -u'
)
CLOSED = {
    "HEADWATER_CATALOG_URL": "postgresql://app@127.0.0.1:1/postgres",
    "HEADWATER_MILVUS_ADDRESS": "http://127.0.0.1:1",
    "HEADWATER_TRITON_ADDRESS": "127.0.0.1:1",
}
ALONE_S = 12.0
WAIT_S = 120.0


def alone(service: str, image: Image) -> None:
    """Raises AssertionError, CalledProcessError."""
    printed = image.run("service", service, "--settings")
    variable = f"HEADWATER_{service.replace('-', '_').upper()}_HEALTH_PORT"
    expect(variable in printed, f"{service} names its settings")
    said = image.run("-c", MAY_NOT_WRITE, program=("sh",)).split()
    expect(said == [image.user] and image.user != "0", f"{service} is user {said[-1]} and may write nothing but /tmp")


def expect(good: bool, what: str) -> None:
    sys.stdout.write(f"{'ok' if good else 'FAILED'}  {what}\n")
    sys.stdout.flush()
    if not good:
        raise SystemExit(1)


def replace(system: System, images: dict[str, Image]) -> None:
    """Each process of a service whose image is there becomes one of that image."""
    for name, (service, _own) in PROCESSES.items():
        if service not in images:
            continue
        running = system.services[name]
        system.supervisor.pause(name)
        running.stop()
        argv = images[service].command("service", service)
        running.command = msgspec.structs.replace(running.command, argv=argv)
        running.respawn()
        running.wait_healthy(WAIT_S)
        system.supervisor.resume(name)
        sys.stdout.write(f"ok  {name} of its image is ready\n")


def push(repository: Path, text: str) -> str:
    (repository / "shop.py").write_text(text, "utf-8")
    who = ("-c", "user.name=smoke", "-c", "user.email=smoke@example.com", "-c", f"safe.directory={repository}")
    git = ("git", "-C", str(repository), *who)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "smoke"], check=True)
    return subprocess.check_output([*git, "rev-parse", "HEAD"], text=True).strip()


def searchable(system: System, commit: str) -> float:
    """Seconds until a question that waits for the commit is answered. Raises QueryError."""
    begun = time.monotonic()
    with RemoteAsker(f"127.0.0.1:{system.ports['query!']}") as asker:
        asker.freshness(FreshnessQuestion(min_commit=commit, timeout_s=WAIT_S))
        found = asker.search(SearchQuestion(query="save_order", timeout_s=WAIT_S)).results
    expect([result.path for result in found] == ["shop.py"], "what was pushed is found")
    return time.monotonic() - begun


def health_page(port: int, path: str) -> tuple[int, str]:
    """Status and text; 0 when nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        return reply.status, reply.read().decode()
    except OSError as error:
        return 0, str(error)
    finally:
        connection.close()


def never_ready(service: str, image: Image) -> None:
    """With every address closed a service ends, for its supervisor to start it again, or says why it waits."""
    port, own = free_ports(("health",))["health"], prefix(service)
    given = {**CLOSED, f"{own}BROKERS": "127.0.0.1:1", f"{own}HEALTH_PORT": str(port)}
    known = {line.split()[0] for line in image.run("service", service, "--settings").splitlines() if line}
    given |= {
        name: value for name, value in {f"{own}INSTANCE": "1", f"{own}DATA": "/tmp/faust"}.items() if name in known
    }
    environ = {**os.environ, **given, "HEADWATER_GIT_MIRRORS": str(image.data)}
    with (image.data / f"{service}-alone.log").open("wb") as log:
        process = subprocess.Popen(image.command("service", service), env=environ, stdout=log, stderr=log)
    seen: set[int] = set()
    deadline = time.monotonic() + ALONE_S
    while process.poll() is None and time.monotonic() < deadline:
        seen.add(health_page(port, "/readyz")[0])
        time.sleep(0.2)
    ended = process.poll()
    process.terminate()
    process.wait(WAIT_S)
    expect(
        200 not in seen,
        f"{service} with nothing to reach is never ready: {f'ended with {ended}' if ended else sorted(seen)}",
    )


def main(services: list[str]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="headwater-images-"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    repository, data = folder / "data" / "repository", folder / "data"
    try:
        with ExitStack() as opened:
            repository.mkdir(parents=True)
            subprocess.run(["git", "init", "-q", "-b", "main", str(repository)], check=True)
            images = {s: opened.enter_context(Image.unpacked(f"headwater/{s}", data)) for s in services}
            for service, image in images.items():
                alone(service, image)
                never_ready(service, image)
            push(repository, "def first():\n    return 1\n")
            plan = Plan(data=data, repositories={"shop": str(repository)}, settings=SETTINGS)
            system = opened.enter_context(System(plan))
            user = int(next(iter(images.values())).user)
            for given in (repository, data / "mirrors", data / "faust"):
                given.mkdir(exist_ok=True)
                for place in (given, *given.rglob("*")):
                    os.chown(place, user, user)
            replace(system, images)
            commit = push(repository, "def save_order(order):\n    return order\n")
            expect(True, f"searchable {searchable(system, commit):.1f} s after the commit")
    except BaseException:
        for log in sorted(data.glob("*.log")):
            sys.stdout.write(f"--- {log.name}\n{log.read_text('utf-8', 'replace')[-800:]}\n")
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(SERVICES)))
