"""The page's questions: URL parameters in, JSON values out, over the same engine as every other front."""

import time
from collections.abc import Callable, Mapping
from time import perf_counter

import msgspec

from headwater.domain.answer import Answer, FreshnessAnswer
from headwater.domain.asking import Asker
from headwater.domain.grants import Grants
from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import (
    DefinitionsQuestion,
    FreshnessQuestion,
    GrepQuestion,
    Place,
    SearchQuestion,
    UsagesQuestion,
)
from headwater.metrics import METRICS
from headwater.web import shown

Parameters = Mapping[str, str]
PAGE_SIZE = 20
USAGES_PAGE = 200
TIMEOUT_S = 10.0


class Api:
    """Answers `/api/NAME?parameters`. Raises QueryError."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._questions: dict[str, Callable[[Parameters, Grants], Answer]] = {
            "search": self._search,
            "grep": self._grep,
            "definitions": self._definitions,
            "usages": self._usages,
        }

    def names(self) -> tuple[str, ...]:
        return (*self._questions, "views")

    def answer(self, name: str, parameters: Parameters, grants: Grants) -> tuple[Answer | FreshnessAnswer, bytes]:
        """What the engine answers, and what the page gets of it."""
        if name == "views":
            found = self._asker.views(FreshnessQuestion(timeout_s=TIMEOUT_S), grants)
            return found, msgspec.json.encode({"views": shown.views(found, time.time())})
        started = perf_counter()
        answer = self._questions[name](parameters, grants)
        seconds = perf_counter() - started
        METRICS.observe("headwater_query_seconds", seconds, method=f"web {name}", kind=str(answer.kind or ""))
        return answer, msgspec.json.encode(shown.page(answer, seconds))

    def _search(self, given: Parameters, grants: Grants) -> Answer:
        repos, refs = _view(given)
        question = SearchQuestion(
            query=given.get("q", ""),
            repos=repos,
            refs=refs,
            limit=PAGE_SIZE,
            page_token=given.get("page", ""),
            timeout_s=TIMEOUT_S,
        )
        return self._asker.search(question, grants)

    def _grep(self, given: Parameters, grants: Grants) -> Answer:
        repos, refs = _view(given)
        question = GrepQuestion(
            pattern=given.get("q", ""),
            regex=given.get("regex") == "1",
            repos=repos,
            refs=refs,
            limit=PAGE_SIZE,
            page_token=given.get("page", ""),
            timeout_s=TIMEOUT_S,
        )
        return self._asker.grep(question, grants)

    def _definitions(self, given: Parameters, grants: Grants) -> Answer:
        repos, refs = _view(given)
        question = DefinitionsQuestion(
            symbol=given.get("symbol", ""), place=_place(given), repos=repos, refs=refs, timeout_s=TIMEOUT_S
        )
        return self._asker.definitions(question, grants)

    def _usages(self, given: Parameters, grants: Grants) -> Answer:
        """The first USAGES_PAGE of them; `total` counts all."""
        repos, refs = _view(given)
        question = UsagesQuestion(
            symbol=given.get("symbol", ""),
            place=_place(given),
            repos=repos,
            refs=refs,
            timeout_s=TIMEOUT_S,
            limit=USAGES_PAGE,
            page_token=given.get("page", ""),
        )
        return self._asker.usages(question, grants)


def _view(given: Parameters) -> tuple[tuple[str, ...], tuple[str, ...]]:
    repo, ref = given.get("repo", ""), given.get("ref", "")
    return (repo,) if repo else (), (ref,) if ref else ()


def _place(given: Parameters) -> Place | None:
    """A place goes before a name."""
    if not given.get("path"):
        return None
    try:
        return Place(given["path"], int(given.get("line", "")), int(given.get("col", "")))
    except ValueError:
        raise InvalidQuestionError("line", "a place needs its line and column as numbers") from None
