"""What a name of a repository or a ref means among the views that a caller may read: one thing, or an error."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from headwater.domain.query_error import NotFoundError
from headwater.domain.ref_name import HEAD, bare_name, full_names
from headwater.domain.repository_name import called
from headwater.domain.view import ViewState

_USUAL_DEFAULTS = ("refs/heads/main", "refs/heads/master", "refs/heads/trunk", "refs/heads/develop")
_SHORTEST_ID, _WHOLE_ID = 7, 40
_HEX = frozenset("0123456789abcdef")
ASKED_OF_GIT = 8  # repositories of one question

DefaultRef = Callable[[str], str | None]
CommitOf = Callable[[str, str], str | None]


def unknown(*_names: str) -> None:
    """Where nothing but the index tells."""
    return


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of names beside the index; each gives None for what it doesn't know."""

    default_ref: DefaultRef = unknown  # a repository's HEAD, where the git host tells it
    commit_of: CommitOf = unknown  # (repository, full ref name): the commit it points at in git
    repository_at: DefaultRef = unknown  # the name of the repository around a path: of callers on this machine alone


def repository_called(known: Iterable[str], wanted: str, names: Names) -> str:
    """Raises NotFoundError, which names only the known."""
    readable = sorted(known)
    found = called(readable, wanted)
    if not found and (here := names.repository_at(wanted)) in readable:
        return str(here)
    if len(found) > 1:
        raise NotFoundError("AMBIGUOUS_REPOSITORY", f"'{wanted}' may be several repositories", tuple(found[:5]))
    if not found:
        near = [k for k in readable if wanted.lower() in k.lower() or k.lower() in wanted.lower()]
        raise NotFoundError("UNKNOWN_REPOSITORY", f"no repository '{wanted}'", tuple(near[:5]))
    return found[0]


def views_called(states: Sequence[ViewState], wanted: str, names: Names) -> list[ViewState]:
    """One view of each repository that has it, by a name of the index; else by what git says that the name is.

    Raises NotFoundError where a name may mean several.
    """
    by_repo = _by_repo(states)
    found = [view for views in by_repo.values() for view in _in_index(views, bare_name(wanted), names)]
    if found or len(by_repo) > ASKED_OF_GIT:
        return found
    return [view for views in by_repo.values() for view in _in_git(views, bare_name(wanted), names)]


def default_views(states: Sequence[ViewState], default_ref: DefaultRef) -> list[ViewState]:
    """One view a repository: the only one, its HEAD, a usual default branch, else the first branch."""
    repos = _by_repo(states).items()
    return [views[0] if len(views) == 1 else _default(views, default_ref(repo)) for repo, views in repos]


def short_ref(ref: str) -> str:
    return ref.split("/", 2)[2] if ref.startswith(("refs/heads/", "refs/tags/", "private/")) else ref


def _in_index(views: list[ViewState], name: str, names: Names) -> list[ViewState]:
    if name in HEAD:
        head = names.default_ref(views[0].view.repo)
        if head is None or head in HEAD:
            return [_default(views, None)]
        name = head
    if len(name) == _WHOLE_ID and (shown := _showing(views, name)):
        return shown
    full = {name, *full_names(name)}
    found = [s for s in views if s.view.ref in full or (s.view.owner is not None and short_ref(s.view.ref) == name)]
    exact = [s for s in found if s.view.ref == name]
    return _only(exact or found, name) or _showing(views, name)


def _in_git(views: list[ViewState], name: str, names: Names) -> list[ViewState]:
    """The view that shows the commit of a ref which has none of its own."""
    repo = views[0].view.repo
    name = (names.default_ref(repo) or name) if name in HEAD else name
    commits = {commit for full in full_names(name) if (commit := names.commit_of(repo, full))}
    if len(commits) > 1:
        raise NotFoundError("AMBIGUOUS_REF", f"'{name}' is more than one ref of {repo}", full_names(name)[1:])
    return [view for commit in commits for view in _showing(views, commit)]


def _showing(views: list[ViewState], commit: str) -> list[ViewState]:
    """The view at (the one commit that begins with) this commit id: views at one commit hold the same."""
    start = commit.lower()
    if len(start) < _SHORTEST_ID or not _HEX.issuperset(start):
        return []
    at = [s for s in views if s.published and s.commit.startswith(start)]
    opened = [s for s in views if s.view.ref.startswith(start)]  # a commit's own view, published or not yet
    if len({s.commit for s in at}) > 1:
        raise NotFoundError(
            "AMBIGUOUS_REF", f"'{commit}' begins several commits", tuple(sorted(s.commit for s in at)[:5])
        )
    return opened[:1] or ([_default(at, None)] if at else [])


def _only(found: list[ViewState], name: str) -> list[ViewState]:
    if len(found) > 1:
        refs = tuple(s.view.ref for s in found[:5])
        raise NotFoundError("AMBIGUOUS_REF", f"'{name}' is more than one ref of {found[0].view.repo}", refs)
    return found


def _default(views: list[ViewState], head: str | None) -> ViewState:
    by_ref = {s.view.ref: s for s in views}
    for ref in (head, *_USUAL_DEFAULTS):
        if ref in by_ref:
            return by_ref[ref]
    branches = [s for s in views if s.view.ref.startswith("refs/heads/")]
    public = [s for s in views if s.view.owner is None]
    return (branches or public or views)[0]


def _by_repo(states: Sequence[ViewState]) -> dict[str, list[ViewState]]:
    found: dict[str, list[ViewState]] = {}
    for state in states:
        found.setdefault(state.view.repo, []).append(state)
    return found
