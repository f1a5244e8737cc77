"""Deliveries of git hosts and hooks: genuine ones are published once, and accepted only when the broker has them."""

import hashlib
import hmac
import http.client
import json
from collections.abc import Iterator, Sequence

import pytest

pytest.importorskip("confluent_kafka")

from headwater.commit_ingest.deliveries import Deliveries
from headwater.commit_ingest.endpoint import Endpoint
from headwater.commit_ingest.webhook import MAX_BODY
from headwater.events import CommitReceived
from headwater.streaming.errors import InvalidEventError
from headwater.streaming.kafka import DeliveryError

SECRET, TOKEN = "s3cret", "t0ken"
A, B, ZERO = "a" * 40, "b" * 40, "0" * 40
REPOSITORIES = {"acme/shop": "https://git.example.com/acme/shop.git", "local": "/srv/git/local.git"}


class Broker:
    """Keeps what is published, or fails."""

    def __init__(self) -> None:
        self.events: list[CommitReceived] = []
        self.error: Exception | None = None

    def publish(self, events: Sequence[CommitReceived]) -> None:
        if self.error is not None:
            raise self.error
        self.events += events


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
def deliveries(broker: Broker) -> Deliveries:
    secrets = {"github": SECRET, "gitlab": SECRET, "gitea": SECRET, "hook": TOKEN}
    return Deliveries(lambda: REPOSITORIES, broker.publish, secrets, ["main"], clock=lambda: 7.0)


def github(ref: str = "refs/heads/main", name: str = "acme/shop") -> bytes:
    return json.dumps({"ref": ref, "before": A, "after": B, "repository": {"full_name": name}}).encode()


def signed(body: bytes, delivery: str = "1", secret: str = SECRET) -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"x-github-event": "push", "x-hub-signature-256": f"sha256={digest}", "x-github-delivery": delivery}


def test_a_push_is_taken_once(deliveries: Deliveries, broker: Broker) -> None:
    body = github()
    assert deliveries.take("/webhook/github", signed(body), body).status == 202
    assert deliveries.take("/webhook/github", signed(body), body).status == 200
    event = CommitReceived(repo="acme/shop", ref="refs/heads/main", before=A, after=B, pushed_at=7.0, cause="webhook")
    assert broker.events == [event]


def test_what_the_broker_did_not_confirm_may_be_sent_again(deliveries: Deliveries, broker: Broker) -> None:
    body = github()
    broker.error = DeliveryError("timed out")
    assert deliveries.take("/webhook/github", signed(body), body).status == 503
    broker.error = None
    assert deliveries.take("/webhook/github", signed(body), body).status == 202
    broker.error = InvalidEventError("too large")
    another = github("refs/heads/main") + b" "
    assert deliveries.take("/webhook/github", signed(another), another).status == 413


def test_s15_a_replay_is_known_by_what_is_signed(deliveries: Deliveries, broker: Broker) -> None:
    body = github()
    replies = [deliveries.take("/webhook/github", signed(body, delivery), body) for delivery in ("1", "2", "")]
    assert [reply.status for reply in replies] == [202, 200, 200]
    assert len(broker.events) == 1


@pytest.mark.parametrize(
    ("path", "headers", "body", "status"),
    [
        ("/webhook/github", signed(github(), secret="other"), github(), 401),
        ("/webhook/github", {}, github(), 401),
        ("/webhook/gitlab", {"x-gitlab-event": "Push Hook", "x-gitlab-token": SECRET}, b"{}", 400),
        ("/webhook/github", signed(github(name="other/repo")), github(name="other/repo"), 404),
        ("/webhook/github", signed(github("refs/heads/topic")), github("refs/heads/topic"), 200),
        ("/webhook/bitbucket", {}, b"", 404),
        ("/webhook/", {}, b"", 404),
        ("/hook", {"x-headwater-token": "wrong"}, b"", 401),
        ("/hook", {"x-headwater-token": TOKEN, "x-headwater-repository": "local"}, b"nonsense", 400),
    ],
)
def test_refusals_publish_nothing(
    deliveries: Deliveries, broker: Broker, path: str, headers: dict[str, str], body: bytes, status: int
) -> None:
    assert deliveries.take(path, headers, body).status == status
    assert broker.events == []


def test_the_post_receive_hook(deliveries: Deliveries, broker: Broker) -> None:
    headers = {"x-headwater-token": TOKEN, "x-headwater-repository": "local"}
    lines = f"{A} {ZERO} refs/heads/main\n{A} {B} refs/heads/other\n".encode()
    assert deliveries.take("/hook", headers, lines).status == 202
    assert [(e.ref, e.after, e.cause) for e in broker.events] == [("refs/heads/main", "", "hook")]


@pytest.fixture
def endpoint(deliveries: Deliveries) -> Iterator[Endpoint]:
    made = Endpoint(deliveries, ("127.0.0.1", 0))
    made.start()
    yield made
    made.stop()


def post(endpoint: Endpoint, path: str, body: bytes | None, headers: dict[str, str]) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", endpoint.port, timeout=5)
    try:
        connection.putrequest("POST", path)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        return connection.getresponse().status
    finally:
        connection.close()


def test_over_http(endpoint: Endpoint, broker: Broker) -> None:
    body = github()
    length = {"Content-Length": str(len(body))}
    assert post(endpoint, "/webhook/github?x=1", body, {**signed(body), **length}) == 202
    assert len(broker.events) == 1
    assert post(endpoint, "/webhook/github", None, {}) == 411
    assert post(endpoint, "/webhook/github", None, {"Content-Length": str(MAX_BODY + 1)}) == 413
