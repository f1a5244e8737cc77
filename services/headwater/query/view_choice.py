"""Which views a question reads: those it names, else each repository's default."""

from collections.abc import Callable, Iterable, Sequence

from headwater.domain.grants import Grants
from headwater.domain.query_error import NotFoundError
from headwater.domain.question import Question
from headwater.domain.view import ViewState

DefaultRef = Callable[[str], str | None]  # a repository's HEAD, where the git host tells it

_USUAL_DEFAULTS = ("refs/heads/main", "refs/heads/master", "refs/heads/trunk", "refs/heads/develop")


def readable_views(states: Iterable[ViewState], grants: Grants) -> list[ViewState]:
    """Those that exist for the caller, in (repository, ref) order."""
    return sorted((s for s in states if not s.deleted and grants.allows_view(s.view)), key=lambda state: state.view)


def choose_views(visible: Sequence[ViewState], question: Question, default_ref: DefaultRef) -> Sequence[ViewState]:
    """Of those that exist for the caller, in their order. Raises NotFoundError, which names only these."""
    in_repos = _in_repos(visible, question.repos)
    if not question.refs:
        return default_views(in_repos, default_ref)
    if "*" in question.refs:
        return in_repos
    chosen = [s for s in in_repos if any(ref_matches(s, wanted) for wanted in question.refs)]
    if not chosen:
        known = sorted({short_ref(s.view.ref) for s in in_repos})[:10]
        raise NotFoundError(
            "UNKNOWN_REF", f"no view of {', '.join(question.refs)}: ask ListViews for what is indexed", tuple(known)
        )
    return chosen


def _in_repos(visible: Sequence[ViewState], repos: Sequence[str]) -> Sequence[ViewState]:
    if not repos:
        return visible
    known = {s.view.repo for s in visible}
    for repo in repos:
        if repo not in known:
            near = tuple(sorted(k for k in known if repo.lower() in k.lower() or k.lower() in repo.lower())[:5])
            raise NotFoundError(
                "UNKNOWN_REPOSITORY", f"no repository '{repo}': ask ListViews for what is indexed", near
            )
    return [s for s in visible if s.view.repo in repos]


def default_views(states: Sequence[ViewState], default_ref: DefaultRef) -> list[ViewState]:
    """One view a repository: the only one, its HEAD, a usual default branch, else the first branch."""
    by_repo: dict[str, list[ViewState]] = {}
    for state in states:
        by_repo.setdefault(state.view.repo, []).append(state)
    return [views[0] if len(views) == 1 else _default(views, default_ref(repo)) for repo, views in by_repo.items()]


def _default(views: list[ViewState], head: str | None) -> ViewState:
    by_ref = {s.view.ref: s for s in views}
    for ref in (head, *_USUAL_DEFAULTS):
        if ref in by_ref:
            return by_ref[ref]
    branches = [s for s in views if s.view.ref.startswith("refs/heads/")]
    public = [s for s in views if s.view.owner is None]
    return (branches or public or views)[0]


def ref_matches(state: ViewState, wanted: str) -> bool:
    """Full name, short name (a private view's label), or (a prefix of) the commit id of a detached view."""
    ref = state.view.ref
    if wanted in (ref, short_ref(ref)):
        return True
    detached = state.view.owner is None and not ref.startswith("refs/")
    return detached and len(wanted) >= 7 and ref.startswith(wanted.lower())


def short_ref(ref: str) -> str:
    return ref.split("/", 2)[2] if ref.startswith(("refs/heads/", "refs/tags/", "private/")) else ref
