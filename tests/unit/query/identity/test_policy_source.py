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
    _write(path, _text("one"))
    path.chmod(0o666)
    clock.now += 1.0
    assert source.current().grants(BOB).allows_repo("two"), "everybody may have written it"
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


def test_s9_a_policy_that_is_being_written_over_counts_once_it_rests(tmp_path: Path) -> None:
    path, clock = tmp_path / "policy.yaml", _Clock()
    path.write_text(_text("one"))
    source = PolicySource(path, clock)
    for half in ("version: 1\ngrants: []\n", _text("two")):
        path.write_text(half)
        clock.now += 1.0
        assert source.current().grants(BOB).allows_repo("one")
    clock.now += 1.0
    assert source.current().grants(BOB).allows_repo("two")


RULE = "version: 1\ngrants:\n  - to: [anyone]\n    repositories: [a]\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("p.yaml", RULE + "    deny: ['b', './secrets/']", r"line 5: grants\[0\].deny\[1\]"),
        ("p.yaml", RULE + "    deny:\n    - b\n    - '{a,b}/'", r"line 7: grants\[0\].deny\[1\]"),
        ("p.yaml", RULE + "    denny: [b]", r"line 3: .*denny"),
        ("p.yaml", RULE + "    deny: [!secrets/]", "line 5: tags"),
        ("p.yaml", RULE + "    deny: [*.pem]", "no YAML"),
        ("p.yaml", RULE + "    deny: [*pem]", "line 5: aliases"),
        ("p.yaml", RULE + "    deny: &d [a]", "line 5: aliases"),
        ("p.yaml", RULE + "    deny: !!str a", "line 5: tags"),
        ("p.yaml", RULE + "    <<: {deny: [b]}", "read as merge"),
        ("p.yaml", RULE + "    deny: [no]", "line 5: 'no' is read as bool: quote it"),
        ("p.yaml", RULE + "    deny: [1.5, ~]", "read as float"),
        ("p.yaml", RULE + "    deny: [2024-01-01]", "read as timestamp"),
        ("p.yaml", RULE + "    deny: [0x1F]", "read as int"),
        ("p.yaml", RULE + "    deny: [17]", "got `int`"),
        ("p.yaml", RULE + "    deny: [~]", "read as null"),
        ("p.yaml", RULE + "    deny:", "read as null"),
        ("p.yaml", RULE + "    deny:\n    - secrets/\n      keys/", "several lines"),
        ("p.yaml", RULE + "    deny: [a]\n    deny: [b]", "'deny' stands twice"),
        ("p.yaml", RULE + "---\nversion: 1", "no YAML"),
        ("p.yaml", RULE + "    ? [a]\n    : b", "a key is one text"),
        ("p.yaml", "[" * 5000, "nested too deep"),
        ("p.yaml", "version: true\ngrants: []", "read as bool"),
        ("p.yaml", RULE.encode("utf-16"), "UTF-8"),
        ("p.yaml", b"\xff", "UTF-8"),
        ("p.yaml", b"\x00", "no YAML"),
        (
            "p.json",
            '{"version": 1, "grants": [{"to": ["anyone"], "repositories": ["a"], "deny": ["b"], "deny": []}]}',
            "twice",
        ),
        (
            "p.json",
            '{"version": 1,\n "grants": [{"to": ["anyone"],\n "repositories": ["a"], "deny": ["/"]}]}',
            "line 3: .*deny",
        ),
        ("p.json", '{"version": 1, "grants": [{"to": ["anyone"], "repositories": ["\\ud800"]}]}', "repositories"),
        ("p.json", '{"version": true, "grants": []}', "version"),
        ("p.json", '{"version": 1.0, "grants": NaN}', "policy"),
        ("p.json", "[" * 100_000, "nested too deep"),
        ("p.json", '{"version": 1, "grants": []', "no JSON"),
        ("p.json", "1" * 5000, "no JSON"),
        ("p.json", " " * (1 << 20) + "1", "more than"),
    ],
)
def test_s9_a_policy_that_is_not_plain_is_refused_with_its_line(
    tmp_path: Path, name: str, content: str | bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(PolicyError, match=f"(?s){said}"):
        read_policy(path)


def test_s9_plain_policies_are_read_whatever_their_dress(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(b"\xef\xbb\xbf# who reads\r\nversion: 1\r\ngrants: [] # nobody\r\n")
    assert not read_policy(path).grants(BOB).allows_repo("a")


def test_s9_what_is_no_file_or_anybody_may_change_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.yaml")
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "p.yaml").write_text(_text("a"))
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "p.yaml").write_text(_text("a"))
    (tmp_path / "p.yaml").chmod(0o646)
    for name, said in (
        ("fifo.yaml", "no file"),
        ("open", "no file|can't be read"),
        ("open/p.yaml", "replace"),
        ("p.yaml", "chmod o-w"),
    ):
        with pytest.raises(PolicyError, match=said):
            read_policy(tmp_path / name)
