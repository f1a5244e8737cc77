"""A policy file that changes."""

import os
from pathlib import Path

import pytest

from headwater.domain.policy import PolicyError
from headwater.domain.principal import Principal
from headwater.query.identity.policy_source import PolicySource, read_policy

BOB = Principal("user:bob")


def _text(repo: str) -> str:
    return f"version: 1\ngrants:\n  - to: [authenticated]\n    repositories: [{repo}]\n"


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _write(path: Path, text: str) -> None:
    path.with_suffix(".new").write_text(text)
    os.replace(path.with_suffix(".new"), path)


def test_f14_a_change_is_in_force_within_a_second_and_a_bad_one_never(tmp_path: Path) -> None:
    path, clock = tmp_path / "policy.yaml", _Clock()
    _write(path, _text("one"))
    source = PolicySource(path, clock)
    assert source.current().grants(BOB).allows_repo("one")
    _write(path, _text("two"))
    assert source.current().grants(BOB).allows_repo("one")
    clock.now += 1.0
    assert not source.current().grants(BOB).allows_repo("one")
    for bad in ("version: 1\ngrants: [", "version: 1\n", "version: 1\ngrants: [{to: [x], repositories: [y]}]"):
        _write(path, bad)
        clock.now += 1.0
        assert source.current().grants(BOB).allows_repo("two")
    path.unlink()
    clock.now += 1.0
    assert source.current().grants(BOB).allows_repo("two")
    _write(path, _text("three"))
    clock.now += 1.0
    assert source.current().grants(BOB).allows_repo("three")


def test_json_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text('{"version": 1, "grants": [{"to": ["authenticated"], "repositories": ["a"]}]}')
    assert read_policy(path).grants(BOB).allows_repo("a")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version: 1\nversion: 1\ngrants: []", "stands twice"),
        ("a: &x [1]\nb: *x", "aliases"),
        ("{", "no YAML"),
        ("", "object"),
        ("!!python/object/apply:os.system ['true']", "no YAML"),
    ],
)
def test_a_bad_file_says_why(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    with pytest.raises(PolicyError, match=said):
        read_policy(path)


def test_no_file_no_start(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="can't be read"):
        PolicySource(tmp_path / "none")
