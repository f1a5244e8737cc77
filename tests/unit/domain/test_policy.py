"""What a policy lets whom read."""

import pytest

from headwater.domain.policy import Policy, PolicyError, parse_policy
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
