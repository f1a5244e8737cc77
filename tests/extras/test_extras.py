"""Each service in an environment that holds its own extra and nothing else: it imports, and knows its settings."""

import subprocess
import sys
from pathlib import Path

import pytest

from headwater.deployment.services import SERVICES

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).with_name("uv")
OPENED = {  # what a service imports only when it starts
    "ast-chunker": ("headwater.streaming.faust", "headwater.streaming.kafka_runner"),
    "query": ("headwater.stores.postgres_catalog", "headwater.deployment.smoke"),
    "reconciler": ("headwater.stores.postgres_catalog", "headwater.deployment.topics"),
}
STAGE = ("headwater.stores.postgres_catalog", "headwater.streaming.kafka_runner")


def run(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.extras
@pytest.mark.parametrize("service", SERVICES)
def test_a_service_starts_with_its_own_extra_alone(service: str, tmp_path: Path) -> None:
    if not UV.exists():
        pytest.skip("uv is not beside python: make install")
    environment = tmp_path / "env"
    python = environment / "bin" / "python"
    run(UV, "venv", "-q", "-p", sys.executable, environment)
    install = (UV, "pip", "install", "-q", "-p", python, "--constraint", ROOT / "requirements.lock")
    run(*install, "--link-mode", "hardlink", "--editable", f"{ROOT}[{service}]")
    modules = (f"headwater.deployment.{service.replace('-', '_')}", *OPENED.get(service, STAGE))
    run(python, "-c", "import " + ", ".join(modules))
    printed = run(environment / "bin" / "headwater", "service", service, "--settings")
    assert f"HEADWATER_{service.replace('-', '_').upper()}_HEALTH_PORT" in printed
