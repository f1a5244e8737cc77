"""What a policy lets whom read."""

import unicodedata
from typing import Any

import pytest

from headwater.domain.policy import Policy, PolicyError, doubts, parse_policy
from headwater.domain.principal import ANONYMOUS, Principal

TREE = {
    "version": 1,
    "groups": {"core": ["user:ann", "cert:builder"]},
    "grants": [
        {"to": ["group:core"], "repositories": ["acme/*"], "deny": ["secret/", "*.pem"]},
        {"to": ["authenticated"], "repositories": ["acme/docs", "tools"], "allow": ["guide/**", "README.md"]},
        {"to": ["user:eve"], "repositories": ["acme/*"], "deny": ["**"]},
        {"to": ["anyone"], "repositories": ["open-*"]},
    ],
    "admins": ["group:ops", "user:ann"],
}
POLICY = Policy(parse_policy(TREE))
ANN, BOB = Principal("user:ann"), Principal("user:bob")


@pytest.mark.parametrize(
    ("who", "repo", "path", "allowed"),
    [
        (ANN, "acme/app", "src/a.py", True),
        (ANN, "acme/app", "secret/a.py", False),
        (ANN, "acme/app", "x/secret/a.py", False),
        (ANN, "acme/app", "x/key.pem", False),
        (ANN, "acme/app/deeper", "a", False),
        (ANN, "other", "a", False),
        (ANN, "acme/docs", "anything", True),
        (ANN, "acme/docs", "secret/x", False),
        (BOB, "acme/docs", "guide/a/b.md", True),
        (BOB, "acme/docs", "README.md", True),
        (BOB, "acme/docs", "x/README.md", True),
        (BOB, "acme/docs", "src/a.py", False),
        (BOB, "tools", "guide/x", True),
        (BOB, "acme/app", "src/a.py", False),
        (Principal("cert:builder"), "acme/app", "a", True),
        (Principal("user:builder"), "acme/app", "a", False),
        (Principal("user:x", frozenset({"core"})), "acme/app", "a", True),
        (Principal("user:eve", frozenset({"core"})), "acme/app", "a", False),
        (ANONYMOUS, "open-source", "a", True),
        (ANONYMOUS, "acme/docs", "README.md", False),
        (BOB, "open-source", "a", True),
        (BOB, "unknown", "a", False),
    ],
)
def test_f14_a_decision(who: Principal, repo: str, path: str, allowed: bool) -> None:
    assert POLICY.grants(who).allows(repo, path) is allowed


def test_whole_repositories_need_no_rule() -> None:
    grants = POLICY.grants(BOB)
    assert grants.rule_for("open-source") is None
    assert grants.rule_for("tools") is not None
    assert Policy(parse_policy({"version": 1, "grants": []})).grants(BOB).path_rule is None


def test_callers_of_the_same_grants_share_what_is_learnt_of_them() -> None:
    assert POLICY.grants(BOB).path_rule is POLICY.grants(Principal("user:carl")).path_rule
    assert POLICY.grants(ANN).path_rule is not POLICY.grants(BOB).path_rule


def test_admins() -> None:
    assert [POLICY.grants(p).admin for p in (ANN, BOB, Principal("user:o", frozenset({"ops"})))] == [True, False, True]


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ({"grants": []}, "version"),
        ({"version": 2, "grants": []}, "version"),
        ({"version": 1, "grants": [{"to": ["bob"], "repositories": ["x"]}]}, r"grants\[0\].to\[0\]"),
        ({"version": 1, "grants": [{"to": [], "repositories": ["x"]}]}, "to"),
        ({"version": 1, "grants": [{"to": ["user:b"], "repositories": ["x"], "denny": ["y"]}]}, "denny"),
        ([], "object"),
        (None, "object"),
    ],
)
def test_a_bad_policy_says_where(tree: object, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        parse_policy(tree)


@pytest.mark.parametrize(
    "subject",
    [
        "user:*",
        "group:plat*",
        "cert:*",
        "user: ann",
        "user:ann ",
        "user:a\n",
        "user:\u200bann",
        "anyone\n",
        "User:ann",
        "ann",
    ],
)
def test_s9_a_subject_that_no_caller_has_is_refused(subject: str) -> None:
    for tree in (
        {"grants": [{"to": [subject], "repositories": ["x"]}]},
        {"grants": [], "groups": {"g": [subject]}},
        {"grants": [], "admins": [subject]},
    ):
        with pytest.raises(PolicyError):
            parse_policy({"version": 1, **tree})


@pytest.mark.parametrize("name", ["", " g", "group:g", "user:ann", "g\u202e"])
def test_s9_a_group_that_nothing_can_name_is_refused(name: str) -> None:
    with pytest.raises(PolicyError, match="groups"):
        parse_policy({"version": 1, "grants": [], "groups": {name: ["user:ann"]}})


def test_s9_groups_of_groups_and_names_in_another_normal_form_are_denied_as_well() -> None:
    deny = {"to": ["group:outer", "user:jos\u00e9"], "repositories": ["**"], "deny": ["**"]}
    groups = {"outer": ["group:inner"], "inner": ["user:ann", "group:outer"]}
    tree = {"version": 1, "groups": groups, "grants": [{"to": ["anyone"], "repositories": ["**"]}, deny]}
    policy = Policy(parse_policy(tree))
    assert [policy.grants(p).allows("a", "b") for p in (ANN, BOB, Principal("user:jose\u0301"))] == [False, True, False]


def test_s9_what_is_valid_but_says_less_than_it_seems_is_doubted() -> None:
    grant = {"to": ["anyone", "anyone"], "repositories": ["*"], "allow": ["a/"], "deny": ["a/"]}
    said = " ".join(doubts(parse_policy({"version": 1, "grants": [grant], "groups": {"lone": ["user:a"]}})))
    for part in ("grants[0].to: 'anyone' stands twice", "write '**'", "'a/' is denied", "'lone' is named nowhere"):
        assert part in said
    assert not list(doubts(parse_policy({**TREE, "groups": {"core": ["user:ann"]}})))


@pytest.mark.parametrize("rule", ["NFC", "NFD"])
@pytest.mark.parametrize("path", ["NFC", "NFD"])
def test_r9_a_rule_about_a_path_holds_in_every_normal_form(rule: Any, path: Any) -> None:
    typed, there = unicodedata.normalize(rule, "gehälter"), unicodedata.normalize(path, "gehälter")
    grant = {"to": ["anyone"], "repositories": ["*"]}
    denied = Policy(parse_policy({"version": 1, "grants": [{**grant, "deny": [f"{typed}/"]}]})).grants(ANN)
    allowed = Policy(parse_policy({"version": 1, "grants": [{**grant, "allow": [f"{typed}/*.py"]}]})).grants(ANN)
    assert not denied.allows("r", f"{there}/a.py")
    assert denied.allows("r", "gehalter/a.py")
    assert allowed.allows("r", f"{there}/a.py")
    assert not allowed.allows("r", "gehalter/a.py")
