"""Which refs moved, and what a repository is called."""

import pytest

from headwater.commit_ingest.process import followed, known_heads, moved, repository_name, with_head
from headwater.domain.view import ViewKey

REFS = {"refs/heads/main": "1", "refs/heads/release/1.0": "2", "refs/tags/v1": "3"}


@pytest.mark.parametrize(
    ("pattern", "refs"),
    [
        ("main", ["refs/heads/main"]),
        ("refs/tags/v1", ["refs/tags/v1"]),
        ("release/*", ["refs/heads/release/1.0"]),
        ("*", list(REFS)),
        ("Main", []),
    ],
)
def test_followed(pattern: str, refs: list[str]) -> None:
    assert list(followed(REFS, [pattern])) == refs


def test_moved_new_and_deleted_refs_give_one_event_each() -> None:
    known = {"refs/heads/main": "0", "refs/tags/v1": "3", "refs/heads/gone": "9"}
    events = moved("r", REFS, known, 5.0, "poll")
    assert [(e.ref, e.before, e.after) for e in events] == [
        ("refs/heads/main", "0", "1"),
        ("refs/heads/release/1.0", "", "2"),
        ("refs/heads/gone", "9", ""),
    ]


def test_detached_views_are_no_heads() -> None:
    views = [(ViewKey("r", "refs/heads/main"), "1"), (ViewKey("r", "a" * 40), "a" * 40), (ViewKey("x", "refs/y"), "2")]
    assert known_heads(views, "r") == {"refs/heads/main": "1"}


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        (None, "folder"),
        ("https://git.example.com/team/product.git", "team/product"),
        ("git@git.example.com:team/product.git", "team/product"),
        ("ssh://git@git.example.com/group/sub/product", "sub/product"),
        ("/srv/mirrors/product.git", "folder"),
    ],
)
def test_a_repository_is_named_after_its_remote_or_its_folder(origin: str | None, name: str) -> None:
    assert repository_name("folder", origin, {}, "/x/folder") == name


def test_a_name_is_kept_by_its_location_and_numbered_for_another() -> None:
    taken = {"folder": "/a/folder"}
    assert repository_name("folder", None, taken, "/a/folder") == "folder"
    assert repository_name("folder", None, taken, "/b/folder") == "folder-2"


@pytest.mark.parametrize("pattern", ["main", "heads/main", "refs/heads/main", "heads/*", "m*", "*"])
def test_r5_a_ref_is_followed_by_every_spelling_of_its_name(pattern: str) -> None:
    assert followed({"refs/heads/main": "c"}, [pattern]) == {"refs/heads/main": "c"}
    assert followed({"refs/heads/main": "c"}, ["tags/main", "eads/main"]) == {}


def test_r5_head_is_the_branch_that_it_names() -> None:
    assert with_head(["HEAD", "@", "topic"], lambda: "refs/heads/main") == ["refs/heads/main"] * 2 + ["topic"]
    assert with_head(["HEAD"], lambda: None) == ["HEAD"]
