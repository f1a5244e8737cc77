"""A rollout in the whole streaming system, over Kafka: the program's own commands, with pushes and kills in between."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("confluent_kafka")

from headwater.deployment.system import Plan, System
from headwater.stack import MissingComponentError
from headwater.streaming.kafka import partition_counts
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.topic_settings import topic_settings
from support.deployed import SETTINGS, Deployed
from support.git_repo import RepoBuilder
from support.rig import REPO

pytestmark = [pytest.mark.faults, pytest.mark.stack, pytest.mark.xdist_group("stack"), pytest.mark.timeout(900)]

TOPICS = [t.name for t in topic_settings()]


@pytest.fixture
def deployed() -> Iterator[Deployed]:
    folder = Path(tempfile.mkdtemp(prefix="headwater-rollout-"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    git = RepoBuilder(folder / "repo.git")
    plan = Plan(data=folder / "data", repositories={REPO: str(git.path)}, settings=SETTINGS)
    try:
        with System(plan) as system:
            yield Deployed(system, git)
    except MissingComponentError as missing:
        pytest.skip(str(missing))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def rollout(of: Deployed, *command: str, status: int = 0) -> Any:
    line = [sys.executable, "-P", "-m", "headwater.cli.main", "rollout", *command, "--json"]
    environ = {**os.environ, **of.system.environ()}
    done = subprocess.run(line, env=environ, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


def phases(of: Deployed) -> dict[int, str]:
    return {row["index"]: row["phase"] for row in rollout(of, "status")["indexes"]}


def wait_for(done: Callable[[], bool], seconds: float = 240.0) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(1.0)


def topics_of(of: Deployed, edition: int) -> dict[str, int]:
    return partition_counts(Connection(of.system.connection.brokers, edition=edition), TOPICS)


def test_a_model_is_replaced_while_pushes_go_on(deployed: Deployed) -> None:
    """The new model is the old one under another name: what is tried is the way there and back."""
    deployed.wait_current(deployed.edit())
    wrong = ("start", "--model", "renamed", "--dimensions", "512", "--chunk-model", "static_chunk")
    assert "512" in rollout(deployed, *wrong, status=3)["error"]["message"]
    names = ("--chunk-model", "static_chunk", "--query-model", "static_query")
    rollout(deployed, "start", "--model", "renamed", *names)
    assert phases(deployed) == {1: "live", 2: "building"}
    assert topics_of(deployed, 2).keys() == set(TOPICS)

    def covered() -> bool:
        deployed.wait_current(deployed.edit(5), 120)
        shadow = rollout(deployed, "status")["indexes"][1]
        return shadow["coverage"]["views_done"] == shadow["coverage"]["views"] > 0

    wait_for(covered)
    rollout(deployed, "cutover", "--force", "a test", "--wait", "60")
    assert phases(deployed) == {2: "live", 1: "retained"}
    deployed.running("embedder-2").kill()  # of the edition that answers now; started again by its supervisor
    deployed.wait_current(deployed.edit(5), 120)
    deployed.wait_whole_answers()
    rollout(deployed, "rollback", "--wait", "90")
    deployed.wait_current(deployed.edit(5), 120)
    rollout(deployed, "cutover", "--force", "once more", "--wait", "90")
    rollout(deployed, "release")
    commit = deployed.edit(5)
    deployed.wait_current(commit, 120)
    deployed.wait_whole_answers()
    wait_for(lambda: not topics_of(deployed, 1), 60)
    wait_for(lambda: not deployed.running("embedder").alive(), 60)
    deployed.running("query").restart()
    deployed.wait_current(commit, 120)
