"""Requests of the page to responses: files, and questions under the caller's grants, each observed whatever its end."""

import logging
import secrets
import threading
from collections.abc import Mapping
from time import perf_counter

from headwater.domain.answer import Answer, FreshnessAnswer
from headwater.domain.asking import Asker
from headwater.domain.grants import Grants
from headwater.domain.query_error import ExhaustedError, ForbiddenError, QueryError, UnexpectedError
from headwater.metrics import METRICS
from headwater.tracing.queries import traced
from headwater.web.api import Api
from headwater.web.caller import NOBODY, Asked, Authorise, HttpCaller, Observe
from headwater.web.request import Headers, Names, check_headers, check_same_site, read_target
from headwater.web.response import RefusedError, Response, failure, static_files

MAX_CONCURRENT = 32
AUTHORISED_FOR_S = 1.0  # what takes longer is authorised again before it leaves
LOG = logging.getLogger(__name__)


class Site:
    """Safe to use from several threads."""

    def __init__(self, asker: Asker, authorise: Authorise, observe: Observe, names: Names) -> None:
        self._api, self._authorise, self._observe, self._names = Api(asker), authorise, observe, names
        self._files = static_files()
        self._slots = threading.BoundedSemaphore(MAX_CONCURRENT)

    def get(self, target: str, headers: Headers, peer: str) -> Response:
        """`headers` have lower-case names. Never raises."""
        name = target.partition("?")[0].removeprefix("/api/")
        if not target.startswith("/api/"):
            try:
                check_headers(headers, self._names)
                path = read_target(target).path
            except RefusedError as error:
                return failure(error)
            return self._files.get(path) or failure(RefusedError(404, "NOT_FOUND", "nothing is here: go to /"))
        return self._asked(name if name in self._api.names() else "?", target, headers, HttpCaller(headers, peer))

    def _asked(self, name: str, target: str, headers: Headers, caller: HttpCaller) -> Response:
        asked = _Asking(name, caller.peer())
        try:
            response = self._answered(asked, target, headers, caller)
            self._observe(asked.ended(None))
        except QueryError as error:
            return self._failed(asked, error)
        except Exception:
            number = secrets.token_hex(6)  # found in the log by the id that the caller is told
            LOG.exception("web %s failed unexpectedly: %s", name, number)
            return self._failed(asked, UnexpectedError(number))
        METRICS.count("headwater_query_requests_total", method=f"web {name}", code="OK")
        return response

    def _failed(self, asked: "_Asking", error: QueryError) -> Response:
        METRICS.count("headwater_query_requests_total", method=f"web {asked.name}", code=error.reason)
        try:
            self._observe(asked.ended(error))
        except QueryError:
            LOG.debug("a refused question could not be recorded either")
        return failure(error)

    def _answered(self, asked: "_Asking", target: str, headers: Headers, caller: HttpCaller) -> Response:
        """Raises QueryError."""
        check_headers(headers, self._names)
        check_same_site(headers)
        asked.parameters = read_target(target).parameters
        if asked.name == "?":
            raise RefusedError(404, "NOT_FOUND", f"ask /api/ for one of {', '.join(self._api.names())}")
        if not self._slots.acquire(blocking=False):
            raise ExhaustedError("BUSY", "too many questions at once: try again in a second")
        try:
            asked.grants = self._authorise(caller)
            asked.answer, body = self._traced(asked.name, asked.parameters, caller, asked.grants)
            if asked.seconds > AUTHORISED_FOR_S and not _may_still_read(asked.answer, self._authorise(caller)):
                raise ForbiddenError("ACCESS_ENDED", "what you may read has changed meanwhile: ask again")
        finally:
            self._slots.release()
        return Response(200, "application/json", body)

    def _traced(
        self, name: str, parameters: Mapping[str, str], caller: HttpCaller, grants: Grants
    ) -> tuple[Answer | FreshnessAnswer, bytes]:
        return traced(
            f"web {name}", caller.invocation_metadata, lambda: self._api.answer(name, parameters, grants), _first
        )


class _Asking:
    """A question while it is answered."""

    def __init__(self, name: str, peer: str) -> None:
        self.name, self._peer, self._started = name, peer, perf_counter()
        self.parameters: Mapping[str, str] = {}
        self.grants: Grants = NOBODY
        self.answer: Answer | FreshnessAnswer | None = None

    @property
    def seconds(self) -> float:
        return perf_counter() - self._started

    def ended(self, error: QueryError | None) -> Asked:
        answer = None if error is not None else self.answer
        return Asked(self.name, self.parameters, self._peer, self.grants, error, answer, self.seconds)


def _may_still_read(answer: Answer | FreshnessAnswer, grants: Grants) -> bool:
    if isinstance(answer, FreshnessAnswer):
        return all(grants.allows_repo(view.repo) for view in answer.views)
    views = all(grants.allows_repo(view.repo) for view in answer.as_of)
    return views and all(grants.allows(result.repo, result.path) for result in answer.results)


def _first(answered: tuple[Answer | FreshnessAnswer, bytes]) -> Answer | FreshnessAnswer:
    return answered[0]
