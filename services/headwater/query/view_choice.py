"""Which views a question reads: those it names, else each repository's default."""

from collections.abc import Iterable, Sequence

from headwater.domain.grants import Grants
from headwater.domain.query_error import NotFoundError
from headwater.domain.question import Question
from headwater.domain.view import ViewState
from headwater.query.named_views import Names, default_views, repository_called, short_ref, views_called


def readable_views(states: Iterable[ViewState], grants: Grants) -> list[ViewState]:
    """Those that exist for the caller, in (repository, ref) order."""
    return sorted((s for s in states if not s.deleted and grants.allows_view(s.view)), key=lambda state: state.view)


def choose_views(visible: Sequence[ViewState], question: Question, names: Names) -> Sequence[ViewState]:
    """Of those that exist for the caller, in their order. Raises NotFoundError, which names only these."""
    in_repos = _in_repos(visible, question.repos, names)
    if not question.refs:
        return default_views(in_repos, names.default_ref)
    if "*" in question.refs:
        return in_repos
    chosen = {s.view for wanted in question.refs for s in views_called(in_repos, wanted, names)}
    if not chosen:
        known = sorted({short_ref(s.view.ref) for s in in_repos})[:10]
        raise NotFoundError("UNKNOWN_REF", f"no view of {', '.join(question.refs)}", tuple(known))
    return [s for s in in_repos if s.view in chosen]


def _in_repos(visible: Sequence[ViewState], repos: Sequence[str], names: Names) -> Sequence[ViewState]:
    if not repos:
        return visible
    known = {s.view.repo for s in visible}
    chosen = {repository_called(known, repo, names) for repo in repos}
    return [s for s in visible if s.view.repo in chosen]
