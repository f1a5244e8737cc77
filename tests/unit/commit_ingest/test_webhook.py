"""Deliveries of the three hosts: genuine pushes are read, forged and malformed ones refused, others ignored."""

import hashlib
import hmac
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.commit_ingest.hook import read_post_receive
from headwater.commit_ingest.replay_guard import ReplayGuard
from headwater.commit_ingest.webhook import ForgedError, MalformedError, Push, read_push

SECRET = "s3cret"
A, B, ZERO = "a" * 40, "b" * 40, "0" * 40
GITHUB = {
    "ref": "refs/heads/main",
    "before": A,
    "after": B,
    "repository": {"full_name": "team/shop", "clone_url": "https://host.example/team/shop.git", "id": 7},
    "commits": [],
}
GITLAB = {
    "object_kind": "push",
    "ref": "refs/tags/v1",
    "before": ZERO,
    "after": B,
    "project": {"path_with_namespace": "team/shop", "git_http_url": "https://host.example/team/shop.git"},
}


def signed(host: str, payload: Any, secret: str = SECRET, event: str | None = None) -> tuple[dict[str, str], bytes]:
    body = json.dumps(payload).encode()
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    headers = {
        "github": {"x-hub-signature-256": f"sha256={digest}", "x-github-event": event or "push"},
        "gitea": {"x-gitea-signature": digest, "x-gitea-event": event or "push"},
        "gitlab": {"x-gitlab-token": secret, "x-gitlab-event": event or "Tag Push Hook"},
    }
    return headers[host] | {f"x-{host}-delivery": "d1", "x-gitlab-event-uuid": "d1"}, body


@pytest.mark.parametrize("host", ["github", "gitea"])
def test_a_signed_push_is_read(host: str) -> None:
    push = read_push(host, *signed(host, GITHUB), SECRET)
    assert push == Push(("team/shop", "https://host.example/team/shop.git"), "refs/heads/main", A, B)


def test_a_gitlab_tag_push_is_read_and_a_new_ref_has_no_before() -> None:
    push = read_push("gitlab", *signed("gitlab", GITLAB), SECRET)
    assert push is not None
    assert (push.names[0], push.ref, push.before, push.after) == ("team/shop", "refs/tags/v1", "", B)


def test_a_deleted_ref_has_no_after() -> None:
    push = read_push("github", *signed("github", GITHUB | {"after": ZERO}), SECRET)
    assert push is not None
    assert push.after == ""


@pytest.mark.parametrize("host", ["github", "gitlab", "gitea"])
def test_another_secret_an_absent_signature_and_an_empty_secret_are_refused(host: str) -> None:
    headers, body = signed(host, GITHUB, "other")
    with pytest.raises(ForgedError):
        read_push(host, headers, body, SECRET)
    with pytest.raises(ForgedError):
        read_push(host, {}, body, SECRET)
    headers, body = signed(host, GITHUB, "")
    with pytest.raises(ForgedError):
        read_push(host, headers, body, "")


def test_a_changed_body_is_refused() -> None:
    headers, body = signed("github", GITHUB)
    with pytest.raises(ForgedError):
        read_push("github", headers, body.replace(b"main", b"evil"), SECRET)


def test_events_of_other_kinds_are_ignored() -> None:
    assert read_push("github", *signed("github", {"zen": "x"}, event="ping"), SECRET) is None


@pytest.mark.parametrize("payload", [[], {}, {"ref": 1}, GITHUB | {"after": None}, GITHUB | {"repository": {}}])
def test_a_malformed_push_says_what_is_wrong(payload: Any) -> None:
    with pytest.raises(MalformedError):
        read_push("github", *signed("github", payload), SECRET)


@given(st.binary(max_size=200))
def test_no_signed_body_is_more_than_malformed(body: bytes) -> None:
    digest = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    headers = {"x-hub-signature-256": f"sha256={digest}", "x-github-event": "push"}
    with pytest.raises(MalformedError):
        read_push("github", headers, body, SECRET)


def test_post_receive_lines() -> None:
    pushes = read_post_receive("shop", f"{A} {B} refs/heads/main\n{B} {ZERO} refs/heads/with space\n")
    assert [(p.ref, p.before, p.after) for p in pushes] == [
        ("refs/heads/main", A, B),
        ("refs/heads/with space", B, ""),
    ]
    with pytest.raises(MalformedError):
        read_post_receive("shop", "nonsense\n")


def test_a_delivery_is_taken_once_within_the_window() -> None:
    now = 0.0
    guard = ReplayGuard(lambda: now, window=10)
    assert guard.is_new("d1")
    guard.remember("d1")
    assert not guard.is_new("d1")
    now = 11
    assert guard.is_new("d1")


def test_the_guard_is_bounded() -> None:
    guard = ReplayGuard(lambda: 0.0, capacity=3)
    for i in range(10):
        guard.remember(f"d{i}")
    assert guard.is_new("d0")
    assert not guard.is_new("d9")
