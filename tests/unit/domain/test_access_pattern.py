"""A policy's patterns: whatever isn't plainly of the dialect is refused, and what a deny names can't be read."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.domain.access_pattern import PatternError, name_source, path_source
from headwater.domain.policy import Policy, PolicyError, parse_policy
from headwater.domain.principal import Principal

ANN = Principal("user:ann")
REFUSED = """
!secrets/|./secrets/|../x|a/../b|a/./b|/|//|//secrets/|secrets//|a//b|secrets\\|secrets\\keys|\\*|[secrets|{a,b}/|a,b
 secrets/|secrets/ |secrets /|a/ b|secrets\u00a0/|#secrets|~/x|^x|x$|:(exclude)x|"x"|'x'|`x`|a**b|**a|a/b**|!(a)|@(a)
sec\u200brets/|sec\u202erets/|a\x00|a\x7f|a\n|a\ud800|\ufeffa|a\u2028|[z-a]|[]|[!]|[[:alpha:]]|]x|.git|x/.GIT/config|a%2Fb|
"""


@pytest.mark.parametrize("pattern", sorted(set(REFUSED.strip("\n").replace("a\n|", "").replace("\n", "|").split("|"))))
@pytest.mark.parametrize("field", ["allow", "deny"])
def test_s9_what_is_not_plainly_a_pattern_is_refused_with_its_key(pattern: str, field: str) -> None:
    grant = {"to": ["user:ann"], "repositories": ["**"], field: ["fine", pattern]}
    with pytest.raises(PolicyError) as found:
        parse_policy({"version": 1, "grants": [grant]})
    assert found.value.at == ("grants", 0, field, 1)
    assert f"grants[0].{field}[1]" in str(found.value)


@pytest.mark.parametrize(
    "name", ["", "a/", "/a", "a//b", "./a", "!a", "a**", "{a,b}", "https://h/a", "a ", "a\\b", "\x00"]
)
def test_s9_repositories_are_named_in_the_same_dialect(name: str) -> None:
    with pytest.raises(PolicyError, match=r"repositories"):
        parse_policy({"version": 1, "grants": [{"to": ["anyone"], "repositories": [name]}]})


def _reads(path: str, deny: str, repo: str = "acme/app", names: str = "**") -> bool:
    grants = [{"to": ["anyone"], "repositories": ["**"]}, {"to": ["anyone"], "repositories": [names], "deny": [deny]}]
    return Policy(parse_policy({"version": 1, "grants": grants})).grants(ANN).allows(repo, path)


@pytest.mark.parametrize(
    ("deny", "path"),
    [
        ("secrets/", "a/secrets/b/c"),
        ("secrets/", "Secrets/a"),
        ("*.pem", "A.PEM"),
        ("[!a]x", "Ax"),
        ("[!a]x", "bx"),
        ("caf?", "caf\u00e9"),
        ("[\u00e9]x", "\u00e9x"),
        ("caf\u00e9/", "cafe\u0301/x"),
        ("cafe\u0301/", "caf\u00e9/x"),
        ("\u00c9/", "e\u0301/x"),
        ("a/**/b", "a/b"),
        ("a/**/b", "a/x/y/b/z"),
        ("**/x/*.key", "p/x/a.key"),
        ("a/**", "a/b"),
        ("/top", "top/x"),
        ("x[ ]/", "x /a"),
        ("pages/[[]id[]]", "pages/[id]/x"),
        ("a*b*c", "aXbbXc"),
        ("*", "a\nb"),
    ],
)
def test_s9_what_a_deny_names_in_any_spelling_is_not_read(deny: str, path: str) -> None:
    assert not _reads(path, deny)


@pytest.mark.parametrize(
    ("deny", "path"),
    [("secrets/", "secrets"), ("a/b", "x/a/b"), ("a*c", "a/c"), ("a?c", "a/c"), ("a[!x]c", "a/c"), ("a/**", "a")],
)
def test_a_deny_takes_no_more_than_it_names(deny: str, path: str) -> None:
    assert _reads(path, deny)


def test_s9_a_star_stops_at_the_slash_in_names_too_and_a_deny_holds_in_any_case() -> None:
    star = Policy(parse_policy({"version": 1, "grants": [{"to": ["anyone"], "repositories": ["*"]}]})).grants(ANN)
    assert (star.allows_repo("a"), star.allows_repo("a/b")) == (True, False)
    assert not _reads("s/x", "s/", "Acme/App", "acme/*")


def test_a_long_name_costs_no_more_than_its_square() -> None:
    hostile = ["a*" * 100 + "b", "**/a*/" * 50 + "b", "*[!b]" * 80]
    denied = re.compile("|".join(map(path_source, hostile)), re.DOTALL)
    assert denied.fullmatch("a" * 4000) is not None
    assert re.compile(path_source(hostile[1]), re.DOTALL).fullmatch("a/" * 2000 + "a") is None


PIECES = [
    *"ab\u00e9A*?[]!/\\.{},# -^$'\"",
    "e\u0301",
    "**",
    "[a-b]",
    "[!a]",
    "secrets",
    "/",
    "/",
    "a",
    "b",
    "\u200b",
    "\x00",
]


@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=8),
    st.lists(st.sampled_from([*"abAB/e.", "\u00e9", "e\u0301", "secrets"])),
)
def test_s9_a_deny_is_refused_or_holds(pattern: list[str], path: list[str]) -> None:
    deny, name = "".join(pattern), "/".join(s for s in "".join(path).split("/") if s)
    try:
        reads = _reads(name, deny)
    except PolicyError:
        return
    assert not (reads and name and _names(deny, name)), (deny, name)


@given(st.text(max_size=12))
def test_s9_any_text_is_refused_or_names_itself_in_brackets_or_plain(text: str) -> None:
    for source in (path_source, name_source):
        try:
            compiled = re.compile(source(text), re.DOTALL)
        except PatternError:
            continue
        if not re.search(r"[*?\[\]]", text):
            assert compiled.fullmatch(
                unicodedata.normalize(
                    "NFC", text.removeprefix("/").removesuffix("/") + ("/x" if text.endswith("/") else "")
                )
            )


def _names(deny: str, path: str) -> bool:
    """The oracle: by definition and slowly, of the folder pattern's text and one path."""
    parts = _plain(path).split("/")
    body = _plain(deny)
    if body.endswith("/"):
        parts, body = parts[:-1], body[:-1]  # folders alone
    wanted = body.removeprefix("/").split("/")
    if "/" not in body:
        return any(_name(wanted[0], part) for part in parts)
    return any(_path(wanted, parts[:n]) for n in range(1, len(parts) + 1))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _path(wanted: list[str], parts: list[str]) -> bool:
    if not wanted:
        return not parts
    if wanted[0] == "**":
        return any(_path(wanted[1:], parts[n:]) for n in range(len(parts) + 1)) if wanted[1:] else bool(parts)
    return bool(parts) and _name(wanted[0], parts[0]) and _path(wanted[1:], parts[1:])


def _name(wanted: str, name: str) -> bool:
    if not wanted:
        return not name
    if wanted[0] == "*":
        return any(_name(wanted.lstrip("*"), name[n:]) for n in range(len(name) + 1))
    if not name:
        return False
    if wanted[0] == "[":
        end = wanted.index("]", 3 if wanted[1] in "!^" else 2)
        inner = wanted[1:end]
        chosen = inner.lstrip("!^") if inner[0] in "!^" else inner
        ranges = re.findall(r"(.)-(.)|(.)", chosen, re.DOTALL)
        holds = any((low and low <= name[0] <= high) or name[0] == single for low, high, single in ranges)
        return holds != (inner[0] in "!^") and _name(wanted[end + 1 :], name[1:])
    return (wanted[0] in ("?", name[0]) or wanted[0].lower() == name[0].lower()) and _name(wanted[1:], name[1:])
