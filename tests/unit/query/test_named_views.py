"""What a name means among the views that may be read: every spelling that git takes, and never a guess between two."""

import pytest

from headwater.domain.query_error import NotFoundError
from headwater.domain.question import FreshnessQuestion
from headwater.domain.view import ViewKey, ViewState
from headwater.query.named_views import Names
from headwater.query.view_choice import choose_views

MAIN, OLD, LOOSE = "a1" * 20, "b2" * 20, "b2" * 19 + "ff"


def _state(repo: str, ref: str, commit: str) -> ViewState:
    return ViewState(
        view=ViewKey(repo, ref),
        opened=1,
        opened_commit=commit,
        opened_tree="",
        published=1,
        commit=commit,
        tree="",
        tree_proven=True,
        pushed_at=0.0,
        published_at=0.0,
        vector_complete=True,
    )


SHOP = [
    _state("acme/shop", "refs/heads/main", MAIN),
    _state("acme/shop", "refs/heads/topic", MAIN),
    _state("acme/shop", "refs/heads/v2", OLD),
    _state("acme/shop", "refs/remotes/origin/dev", OLD),
    _state("acme/shop", "refs/tags/v1", OLD),
    _state("acme/shop", "refs/tags/v2", OLD),
]
GIT = {
    "refs/heads/main": MAIN,
    "refs/remotes/origin/main": MAIN,
    "refs/tags/release": MAIN,
    "refs/heads/elsewhere": "c3" * 20,
}


def _refs(*refs: str, repos: tuple[str, ...] = (), head: str | None = "refs/heads/main") -> list[str]:
    names = Names(
        default_ref=lambda _repo: head,
        commit_of=lambda _repo, ref: GIT.get(ref),
        repository_at=lambda path: "acme/shop" if path == "." else None,
    )
    chosen = choose_views(SHOP, FreshnessQuestion(refs=refs, repos=repos), names)
    return [s.view.ref.removeprefix("refs/") for s in chosen]


@pytest.mark.parametrize(
    ("name", "ref"),
    [
        ("HEAD", "heads/main"),
        ("@", "heads/main"),
        ("HEAD^{}", "heads/main"),
        ("main", "heads/main"),
        ("heads/main", "heads/main"),
        ("refs/heads/main", "heads/main"),
        ("origin/dev", "remotes/origin/dev"),
        ("remotes/origin/dev", "remotes/origin/dev"),
        ("origin/main", "heads/main"),
        ("release", "heads/main"),
        ("v1", "tags/v1"),
        ("tags/v1", "tags/v1"),
        ("v1^{}", "tags/v1"),
        ("v1^{commit}", "tags/v1"),
        ("v1^0", "tags/v1"),
        (MAIN, "heads/main"),
        (MAIN[:7].upper(), "heads/main"),
    ],
)
def test_r5_a_ref_is_found_by_every_spelling_that_git_takes(name: str, ref: str) -> None:
    assert _refs(name) == [ref]


@pytest.mark.parametrize("name", ["nothing", "elsewhere", "mai", MAIN[:6], "c3" * 20, "^{}", "", "refs/heads/"])
def test_r5_what_is_not_indexed_is_unknown(name: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        _refs(name)
    assert caught.value.reason == "UNKNOWN_REF"


def test_r5_a_branch_and_a_tag_of_one_name_are_told_apart_by_the_caller() -> None:
    with pytest.raises(NotFoundError) as caught:
        _refs("v2")
    assert caught.value.reason == "AMBIGUOUS_REF"
    assert caught.value.suggestions == ("refs/heads/v2", "refs/tags/v2")
    assert _refs("heads/v2") == ["heads/v2"]


def test_r5_a_short_commit_id_that_begins_two_commits_is_no_name() -> None:
    states = [*SHOP, _state("acme/shop", LOOSE, LOOSE)]
    with pytest.raises(NotFoundError, match="several commits"):
        choose_views(states, FreshnessQuestion(refs=(LOOSE[:8],)), Names())
    chosen = choose_views(states, FreshnessQuestion(refs=(LOOSE,)), Names())
    assert [s.view.ref for s in chosen] == [LOOSE]


def test_r5_a_branch_called_like_a_commit_takes_nothing_from_the_commit() -> None:
    states = [*SHOP, _state("acme/shop", f"refs/heads/{MAIN}", OLD)]
    chosen = choose_views(states, FreshnessQuestion(refs=(MAIN,)), Names())
    assert [s.commit for s in chosen] == [MAIN]


def test_r5_head_is_never_another_branch() -> None:
    assert _refs("HEAD", head="refs/heads/topic") == ["heads/topic"]
    with pytest.raises(NotFoundError):
        _refs("HEAD", head="refs/heads/elsewhere")


@pytest.mark.parametrize(
    "name", ["acme/shop", "shop", "Acme/Shop.git", "https://ann@host/acme/shop.git", "git@host:acme/shop", "shop/", "."]
)
def test_r5_a_repository_is_found_by_its_name_the_end_of_it_its_url_and_the_folder(name: str) -> None:
    assert _refs("main", repos=(name,)) == ["heads/main"]


@pytest.mark.parametrize("name", ["", "/", "..", "hop", "../acme/shop", "other/shop"])
def test_r5_other_names_of_repositories_are_unknown(name: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        _refs("main", repos=(name,))
    assert caught.value.reason == "UNKNOWN_REPOSITORY"


def test_r5_one_end_of_two_repositories_is_ambiguous() -> None:
    states = [*SHOP, _state("other/shop", "refs/heads/main", OLD)]
    with pytest.raises(NotFoundError) as caught:
        choose_views(states, FreshnessQuestion(repos=("shop",)), Names())
    assert (caught.value.reason, caught.value.suggestions) == ("AMBIGUOUS_REPOSITORY", ("acme/shop", "other/shop"))
