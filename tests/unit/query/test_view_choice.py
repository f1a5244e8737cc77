"""Which views a question reads."""

import pytest

from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.query_error import NotFoundError
from headwater.domain.question import FreshnessQuestion
from headwater.domain.view import ViewKey, ViewState, private_ref
from headwater.query.named_views import Names
from headwater.query.view_choice import choose_views, readable_views

COMMIT = "c" * 40


def _state(repo: str, ref: str, deleted: bool = False) -> ViewState:
    return ViewState(
        view=ViewKey(repo, ref),
        opened=1,
        opened_commit=COMMIT,
        opened_tree="",
        published=1,
        commit=COMMIT,
        tree="",
        tree_proven=True,
        pushed_at=0.0,
        published_at=0.0,
        vector_complete=True,
        deleted=deleted,
    )


STATES = [
    _state("shop", "refs/heads/topic"),
    _state("shop", "refs/heads/main"),
    _state("shop", "refs/tags/v1"),
    _state("lib", "refs/heads/only"),
    _state("old", "refs/heads/main", deleted=True),
    _state("pinned", "d" * 40),
]


def _chosen(head: str | None = None, grants: Grants = ALLOW_ALL, **fields: tuple[str, ...]) -> list[tuple[str, str]]:
    question = FreshnessQuestion(**fields)  # type: ignore[arg-type]
    states = choose_views(readable_views(STATES, grants), question, Names(default_ref=lambda _repo: head))
    return [(s.view.repo, s.view.ref) for s in states]


def test_by_default_one_view_a_repository() -> None:
    assert _chosen() == [("lib", "refs/heads/only"), ("pinned", "d" * 40), ("shop", "refs/heads/main")]
    assert _chosen("refs/heads/topic", repos=("shop",)) == [("shop", "refs/heads/topic")]


def test_the_git_host_is_asked_only_where_there_is_a_choice() -> None:
    asked: list[str] = []
    choose_views(readable_views(STATES, ALLOW_ALL), FreshnessQuestion(), Names(default_ref=asked.append))
    assert asked == ["shop"]


@pytest.mark.parametrize("ref", ["topic", "refs/heads/topic"])
def test_refs_by_short_and_full_name(ref: str) -> None:
    assert _chosen(refs=(ref,)) == [("shop", "refs/heads/topic")]


def test_a_detached_view_by_the_start_of_its_commit() -> None:
    assert _chosen(refs=("D" * 8,)) == [("pinned", "d" * 40)]


def test_every_view_on_request_but_never_a_deleted_one() -> None:
    assert len(_chosen(refs=("*",))) == 5


def test_unknown_names_are_not_found_and_name_only_what_may_be_read() -> None:
    mine = Grants(repos=frozenset({"lib"}))
    with pytest.raises(NotFoundError) as caught:
        _chosen(grants=mine, repos=("shop",))
    assert caught.value.suggestions == ()
    with pytest.raises(NotFoundError) as caught:
        _chosen(grants=mine, refs=("main",))
    assert caught.value.suggestions == ("only",)


def test_a_private_view_exists_for_its_owner_alone_and_is_no_default() -> None:
    ref = private_ref("user:ann", "lib-1a2b3c")
    states = [_state("lib", ref), _state("lib", "refs/tags/v1"), _state("alone", ref)]

    def chosen(principal: str, *refs: str) -> list[tuple[str, str]]:
        readable = readable_views(states, Grants(principal=principal))
        found = choose_views(readable, FreshnessQuestion(refs=refs), Names())
        return [(s.view.repo, s.view.ref) for s in found]

    assert chosen("user:ann") == [("alone", ref), ("lib", "refs/tags/v1")]
    assert chosen("user:ann", "lib-1a2b3c") == [("alone", ref), ("lib", ref)]
    for other in ("", "user:bob", "ann", "anyone"):
        assert chosen(other, "*") == [("lib", "refs/tags/v1")]
        with pytest.raises(NotFoundError):
            chosen(other, "lib-1a2b3c")
