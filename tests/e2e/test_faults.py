"""The deployed system through faults: after each, the index equals a fresh one, with no loss and no ghost.

HEADWATER_OUTAGE_S lengthens the outages of components (60 in the long form).
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import grpc
import pytest

pytest.importorskip("confluent_kafka")

from confluent_kafka import Consumer, KafkaException, TopicPartition

from headwater.deployment.services import SERVICES
from headwater.deployment.system import Plan, System
from headwater.events import Lane
from headwater.settings import prefix
from headwater.stack import MissingComponentError
from headwater.streaming.dead_letters import list_letters
from headwater.streaming.kafka import Publisher, read_to_end
from headwater.streaming.message import ToSend
from headwater.streaming.probe import is_probe
from headwater.topology import STAGES, TOPICS
from support.deployed import SETTINGS, Deployed
from support.footprint import Footprint
from support.git_repo import RepoBuilder
from support.rig import REPO

pytestmark = [pytest.mark.faults, pytest.mark.stack, pytest.mark.xdist_group("stack"), pytest.mark.timeout(600)]

OUTAGE_S = float(os.environ.get("HEADWATER_OUTAGE_S", "8"))
PIPELINE = [name for name in SERVICES if name not in ("query", "commit-ingest")]
CARRIED = [name for name in TOPICS if name != "heartbeat"]


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A disk of its own that a test can fill, where this user may mount one."""
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=1g", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)


@pytest.fixture(scope="module")
def deployed() -> Iterator[Deployed]:
    folder = Path(tempfile.mkdtemp(prefix="headwater-faults-"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    git = RepoBuilder(folder / "repo.git")
    plan = Plan(data=folder / "data", repositories={REPO: str(git.path)}, settings=SETTINGS)
    try:
        with small_disk(plan.data / "postgres") as disk, System(plan) as system:
            made = Deployed(system, git, disk)
            made.wait_current(made.edit())
            yield made
    except MissingComponentError as missing:
        if os.environ.get("HEADWATER_STACK_REQUIRED"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("stage", PIPELINE)
def test_a_stage_killed_in_a_batch(deployed: Deployed, stage: str, tmp_path: Path) -> None:
    deployed.edit(120)
    time.sleep(0.25)
    os.kill(deployed.running(stage).pid, signal.SIGKILL)
    deployed.wait_current(deployed.edit(120))
    deployed.check_equals_fresh(tmp_path)


def test_commit_ingest_killed_with_a_push_that_nobody_told(deployed: Deployed, tmp_path: Path) -> None:
    os.kill(deployed.running("commit-ingest").pid, signal.SIGKILL)
    deployed.wait_current(deployed.edit(tell=False))
    deployed.check_equals_fresh(tmp_path)


@contextmanager
def outage(deployed: Deployed, component: str) -> Iterator[float]:
    deployed.stop(component)
    begun = time.monotonic()
    try:
        yield begun
        time.sleep(max(0.0, OUTAGE_S - (time.monotonic() - begun)))
    finally:
        deployed.start(component)


def test_f6_without_milvus_the_lexical_side_answers_and_says_so(deployed: Deployed, tmp_path: Path) -> None:
    with outage(deployed, "milvus"):
        commit = deployed.edit()
        deployed.wait_current(commit, vector=False)
        assert deployed.definition_paths("act_3") == ["src/part3/act3.py"]
        assert "vector" in deployed.search("where is a step taken").summary.degraded
    deployed.wait_current(commit)
    deployed.wait_whole_answers()
    deployed.check_equals_fresh(tmp_path)


def test_f7_without_triton_the_lexical_side_answers_and_says_so(deployed: Deployed, tmp_path: Path) -> None:
    with outage(deployed, "triton"):
        commit = deployed.edit()
        deployed.wait_current(commit, vector=False)
        assert deployed.definition_paths("act_3") == ["src/part3/act3.py"]
        assert "vector" in deployed.search("where is a step taken").summary.degraded
    deployed.wait_current(commit)
    deployed.wait_whole_answers()
    deployed.check_equals_fresh(tmp_path)


def test_without_kafka_the_last_commit_is_answered_and_pushes_are_refused(deployed: Deployed, tmp_path: Path) -> None:
    before = deployed.git.repo.references["refs/heads/main"].target
    with outage(deployed, "kafka"):
        commit = deployed.edit(tell=False)
        assert deployed.hook(commit) == 503
        assert [v.commit for v in deployed.views()] == [str(before)]
        assert deployed.definition_paths("act_3") == ["src/part3/act3.py"]
    deployed.wait_current(commit, 180)
    deployed.check_equals_fresh(tmp_path)


def test_without_postgres_the_query_service_says_that_it_cannot_answer(deployed: Deployed, tmp_path: Path) -> None:
    with outage(deployed, "postgres"):
        commit = deployed.edit(tell=False)
        with pytest.raises(grpc.RpcError) as refused:
            deployed.search("act_3")
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        deadline = time.monotonic() + 10
        while deployed.running("query").healthy():  # what /readyz says is up to a second old
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert deployed.running("query").alive()
    deployed.wait_current(commit)
    deployed.check_equals_fresh(tmp_path)


def test_a_full_disk_of_the_catalog_holds_pushes_back_and_loses_nothing(deployed: Deployed, tmp_path: Path) -> None:
    if deployed.catalog_disk is None:
        pytest.skip("this user may not mount a small disk")
    ballast = deployed.catalog_disk / "ballast"
    with ballast.open("wb") as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 20))
    try:
        commit = deployed.edit(120)
        time.sleep(OUTAGE_S)
    finally:
        ballast.unlink()
    deployed.wait_current(commit, 180)
    deployed.check_equals_fresh(tmp_path)


def sent_again(deployed: Deployed, backwards: bool) -> None:
    """Everything that any stage ever read, written once more."""
    connection = deployed.system.connection
    for name in CARRIED:
        for topic in {TOPICS[name].lane(lane) for lane in Lane}:
            messages = [m for m in read_to_end(connection, [topic]) if not is_probe(m)]
            again = [ToSend(topic, m.key, m.value, tuple(m.headers.items())) for m in messages]
            Publisher(connection).publish(again[::-1] if backwards else again)


@pytest.mark.parametrize("backwards", [False, True], ids=["duplicated", "reordered"])
def test_e6_every_event_again(deployed: Deployed, backwards: bool, tmp_path: Path) -> None:
    deployed.wait_current(deployed.edit(10))
    sent_again(deployed, backwards)
    deployed.wait_current(deployed.edit(10))
    deployed.check_equals_fresh(tmp_path)


def skip_over(deployed: Deployed, stage: str, topic: str) -> int:
    """Drop what waits for a stopped stage: commit its group at the ends. Gives the events dropped."""
    consumer = Consumer(deployed.system.connection.configuration(group_id=stage, enable_auto_commit=False))
    numbers = consumer.list_topics(topic, 30).topics[topic].partitions
    ends, dropped = [], 0
    for place in consumer.committed([TopicPartition(topic, n) for n in numbers], 30):
        _low, end = consumer.get_watermark_offsets(place, 30)
        dropped += end - max(place.offset, 0)
        ends.append(TopicPartition(topic, place.partition, end))
    deadline = time.monotonic() + 30  # until the stopped member has left its group
    while True:
        try:
            consumer.commit(offsets=ends, asynchronous=False)
        except KafkaException:
            assert time.monotonic() < deadline
            time.sleep(0.5)
        else:
            break
    consumer.close()
    return dropped


@pytest.mark.parametrize(
    ("stage", "topic"),
    [("ast-chunker", "file-changed"), ("embedder", "chunk-changed"), ("defref-sink", "symbols-changed")],
)
def test_a_dropped_event_is_missed_and_its_paths_are_sent_again(
    deployed: Deployed, stage: str, topic: str, tmp_path: Path
) -> None:
    deployed.stop(stage)
    commit = deployed.edit(6)
    time.sleep(2)
    assert skip_over(deployed, stage, topic) > 0
    deployed.start(stage)
    deployed.wait_current(commit, 120)
    deployed.check_equals_fresh(tmp_path)


def test_f3_poison_in_every_topic_is_set_aside_with_its_reason(deployed: Deployed, tmp_path: Path) -> None:
    before = len(list(list_letters(deployed.system.connection)))
    poisoned = [name for spec in STAGES for name in spec.consumes]
    Publisher(deployed.system.connection).publish([ToSend(name, b"k", b'{"repo": 7}') for name in poisoned])
    deployed.wait_current(deployed.edit(5))
    deadline = time.monotonic() + 30
    while len(letters := list(list_letters(deployed.system.connection))) < before + len(poisoned):
        assert time.monotonic() < deadline
        time.sleep(0.3)
    assert all(letter.letter.reason.startswith("not a valid event") for letter in letters[before:])
    deployed.check_equals_fresh(tmp_path)


@contextmanager
def second_worker(deployed: Deployed, stage: str, folder: Path, **changed: str) -> Iterator[None]:
    environ = {**os.environ, **deployed.system.environ(), **changed}
    environ |= {f"{prefix(stage)}INSTANCE": "2", f"{prefix(stage)}HEALTH_PORT": "0"}
    command = [sys.executable, "-P", "-m", "headwater.cli.main", "service", stage]
    with (folder / "second.log").open("wb") as log:
        worker = subprocess.Popen(command, env=environ, stdout=log, stderr=log)
    try:
        yield
        assert worker.poll() is None, (folder / "second.log").read_text("utf-8")[-2000:]
    finally:
        worker.terminate()
        worker.wait(30)


@pytest.mark.parametrize("stage", ["merkle-differ", "defref-sink"])
def test_e5_two_workers_share_the_partitions_while_pushes_go_on(deployed: Deployed, stage: str, tmp_path: Path) -> None:
    with second_worker(deployed, stage, tmp_path):
        for _ in range(16):
            commit = deployed.edit(8)
            time.sleep(0.5)
        deployed.wait_current(commit)
    deployed.wait_current(deployed.edit(8))
    deployed.check_equals_fresh(tmp_path)


def test_f17_many_pushes_and_questions_leave_every_service_flat(deployed: Deployed, tmp_path: Path) -> None:
    names = list(deployed.system.services)
    deployed.soak(12)
    pids = {name: deployed.running(name).pid for name in names}
    before = {name: Footprint.of(pid) for name, pid in pids.items()}
    deployed.soak(80)
    assert {name: deployed.running(name).pid for name in names} == pids
    grown = {
        name: Footprint.of(pid).grown_beyond(before[name], handles=8, threads=8, megabytes=32)
        for name, pid in pids.items()
    }
    assert {name: what for name, what in grown.items() if what} == {}
    deployed.check_equals_fresh(tmp_path)


def test_a_large_file_that_the_chunker_can_not_read_is_listed_with_its_reason_and_repaired(
    deployed: Deployed, tmp_path: Path
) -> None:
    """It knows no repositories; what is small travels in the events."""
    deployed.stop("ast-chunker")
    with second_worker(deployed, "ast-chunker", tmp_path, HEADWATER_GIT_REPOSITORIES=""):
        deployed.files["large.txt"] = b"".join(b"words of line %d\n" % n for n in range(20_000))
        deployed.wait_current(deployed.edit(5), vector=False)
        large = deployed.file_status("large.txt")
        assert large.status == "parked"
        assert "HEADWATER_GIT_REPOSITORIES" in large.reason
    deployed.start("ast-chunker")
    deadline = time.monotonic() + 60
    while deployed.file_status("large.txt").status != "indexed":
        assert time.monotonic() < deadline
        time.sleep(0.5)
    del deployed.files["large.txt"]
    deployed.wait_current(deployed.edit(5))
    deployed.check_equals_fresh(tmp_path)


def test_rows_lost_by_the_vector_store_are_found_and_made_again(deployed: Deployed, tmp_path: Path) -> None:
    deployed.wait_current(deployed.edit(5))
    vectors, victims = deployed.vectors(), sorted(deployed.hashes())[:7]
    vectors.delete(victims)
    deadline = time.monotonic() + 90
    while vectors.present(victims) != set(victims):
        assert time.monotonic() < deadline
        time.sleep(0.5)
    deployed.wait_current(deployed.edit(5))
    deployed.check_equals_fresh(tmp_path)
