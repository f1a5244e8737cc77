"""What the page gets: answers as small JSON values, code already classified."""

import msgspec

from headwater.domain.answer import Answer, AsOf, FreshnessAnswer, Result, ViewFreshness
from headwater.web.highlight import Line, lines_of

MAX_VIEWS_NAMED = 20


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One result."""

    repo: str
    ref: str
    path: str
    line: int
    last: int
    col: int
    language: str
    kind: str
    lines: list[Line]
    symbol: str = ""
    name: str = ""
    signature: str = ""
    certainty: str = ""
    definition: str = ""
    duplicates: int = 0
    generated: bool = False


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One page of an answer; `as_of` holds the views that its results are from, or some of those searched."""

    results: list[Place]
    total: int
    complete: bool
    degraded: tuple[str, ...]
    next_page: str
    kind: str
    as_of: list[AsOf]
    views: int
    milliseconds: int


class View(msgspec.Struct, frozen=True, kw_only=True):
    """One view to choose, and how fresh it is."""

    repo: str
    ref: str
    commit: str
    proven: bool
    default: bool
    indexing: str
    age: float  # seconds since it became searchable


def page(answer: Answer, seconds: float) -> Page:
    used = {(r.repo, r.ref) for r in answer.results}
    named = [view for view in answer.as_of if not used or (view.repo, view.ref) in used]
    return Page(
        results=[_place(result) for result in answer.results],
        total=answer.total,
        complete=answer.complete or bool(answer.next_page_token),
        degraded=answer.degraded,
        next_page=answer.next_page_token,
        kind=str(answer.kind or ""),
        as_of=named[:MAX_VIEWS_NAMED],
        views=len(answer.as_of),
        milliseconds=round(seconds * 1000),
    )


def views(answer: FreshnessAnswer, now: float) -> list[View]:
    return [_view(view, now) for view in answer.views]


def _place(result: Result) -> Place:
    at = result.range
    last = at.end_line - 1 if at.end_col == 1 and at.end_line > at.start_line else at.end_line
    return Place(
        repo=result.repo,
        ref=result.ref,
        path=result.path,
        line=at.start_line,
        last=last,
        col=at.start_col,
        language=result.language,
        kind=result.kind,
        lines=lines_of(result),
        symbol=result.symbol,
        name=result.qualified or result.symbol,
        signature=result.signature,
        certainty=str(result.certainty or ""),
        definition=result.definition,
        duplicates=result.duplicates,
        generated=result.generated,
    )


def _view(view: ViewFreshness, now: float) -> View:
    coming = view.opened_commit if view.opened_commit != view.commit else ""
    return View(
        repo=view.repo,
        ref=view.ref,
        commit=view.commit,
        proven=view.tree_proven,
        default=view.default,
        indexing=coming,
        age=max(0.0, now - view.published_at) if view.commit else 0.0,
    )
