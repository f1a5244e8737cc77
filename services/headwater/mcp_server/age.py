"""The index's age in words."""

from headwater.domain.answer import AsOf, ViewFreshness
from headwater.mcp_server.hits import short_ref
from headwater.mcp_server.reply import ViewState

_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def ago(seconds: float) -> str:
    """`12 s ago`, in the largest unit that is whole."""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return "just now"


def as_of_line(view: AsOf, states: dict[tuple[str, str], ViewFreshness], now: float) -> str:
    """Repository, ref, commit, and how old that is if it is still what the index holds."""
    line = f"{view.repo} {short_ref(view.ref)} {view.commit[:12]}"
    state = states.get((view.repo, view.ref))
    if state is None:
        return line
    if state.commit != view.commit:
        return f"{line} (by now {state.commit[:12]} is searchable)"
    coming = _coming(state)
    return (
        f"{line} (searchable since {ago(now - state.published_at)}{f'; {coming} is being indexed' if coming else ''})"
    )


def view_state(state: ViewFreshness, now: float) -> ViewState:
    return ViewState(
        view=f"{state.repo}@{short_ref(state.ref)}",
        commit=state.commit[:12],
        age=ago(now - state.published_at) if state.commit else "",
        proven=state.tree_proven,
        default=state.default,
        indexing=_coming(state),
    )


def _coming(state: ViewFreshness) -> str:
    return state.opened_commit[:12] if state.opened_commit and state.opened_commit != state.commit else ""
