"""One call as worker threads advance it: who asks, the question, one message after the other, and the record."""

from collections.abc import Iterator
from time import monotonic, perf_counter
from typing import Any

import msgspec
from google.protobuf.message import Message
from google.rpc import code_pb2

from headwater.domain.answer import Answer, AsOf, ContextAnswer
from headwater.domain.grants import Grants
from headwater.domain.query_error import ForbiddenError, QueryError, UnavailableError
from headwater.domain.question import Question
from headwater.domain.view import ViewKey
from headwater.metrics import METRICS
from headwater.query.caller import Authorise, Caller
from headwater.query.deadline import MAX_SECONDS, Deadline, cancelled
from headwater.query.engine import Engine
from headwater.query.identity.audit import AuditLog, AuditRecord, asked, now, object_of
from headwater.query.method import Method
from headwater.query.replies import is_still_allowed, touched_by
from headwater.query.session import without_waiting
from headwater.rpc.status import status_of
from headwater.runtime.cancellation import Cancellation, cancelled_by
from headwater.tracing import names
from headwater.tracing.queries import traced

AUTHORISED_FOR_S = 1.0  # what takes longer is authorised again before it leaves
RETURN_MARGIN_S = 0.02  # the reply must leave before the caller gives up on it
NOBODY = Grants(repos=frozenset())


class Call:
    """Advanced by one thread at a time."""

    def __init__(
        self,
        method: Method,
        raw: bytes,
        caller: Caller,
        authorise: Authorise,
        audit: AuditLog | None,
        time_left: float | None,
    ) -> None:
        self.method, self.cancellation = method, Cancellation()
        self.deadline = Deadline(MAX_SECONDS, cancellation=self.cancellation)  # until its own is known
        self.sent, self.parts = b"", 0
        self._raw, self._caller, self._authorise, self._audit = raw, caller, authorise, audit
        self._ends = None if time_left is None else monotonic() + time_left - min(RETURN_MARGIN_S, time_left / 2)
        self._grants, self._authorised_at, self._started = NOBODY, 0.0, perf_counter()
        self._request: Message | None = None
        self._question: Any = None
        self._answer: object = None
        self._messages: Iterator[Message] | None = None
        self._waited_for: tuple[ViewKey, ...] = ()
        self._as_of: tuple[AsOf, ...] = ()
        self._results = 0

    @property
    def counted_as(self) -> str:
        """Whose share of what is limited by caller."""
        return self._caller.counted_as(self._grants)

    def advance(self) -> bool:
        """Makes the next message ready to be `sent`; False when there is none. Raises QueryError.

        Raises NotYetError for a commit that isn't there: advance it again once it `holds`.
        """
        if self.cancellation.cancelled:
            raise cancelled()
        with cancelled_by(self.cancellation), without_waiting():
            if self._question is None:
                self._open()
            elif self._waited_for:
                self._renew()
            message = self._next()
            if message is not None:
                self._check(message)
        if message is None or not self.method.streams:
            self._succeeded()
        return message is not None

    def wait_for(self, views: tuple[ViewKey, ...]) -> None:
        self._waited_for, self._messages = views, None

    def holds(self, engine: Engine) -> bool:
        """Whether what it waits for is there, for a caller who may still read it. Raises QueryError."""
        with cancelled_by(self.cancellation):
            self._renew()
            return engine.holds(self._question, self._grants)

    def failed(self, error: QueryError) -> None:
        code = code_pb2.Code.Name(status_of(error).code)
        METRICS.count("headwater_query_requests_total", method=self.method.name, code=code)
        try:
            self._record(code, error.reason)
        except UnavailableError:
            return  # it is an error already

    def _open(self) -> None:
        self._grants, self._authorised_at = self._authorise(self._caller), monotonic()
        self._request = self.method.parsed(self._raw)
        left = None if self._ends is None else max(0.001, self._ends - monotonic())
        question = self.method.question(self._request, left)
        if isinstance(question, Question):
            self.deadline = Deadline(question.timeout_s, cancellation=self.cancellation)
        self._question = question

    def _renew(self) -> None:
        """Raises QueryError for a caller who is no longer known, or may no longer read what is waited for."""
        self._grants, self._authorised_at = self._authorise(self._caller), monotonic()
        if not all(map(self._grants.allows_view, self._waited_for)):
            raise access_ended()

    def _next(self) -> Message | None:
        if self._messages is not None:
            return next(self._messages, None)
        if self.method.streams and self._audit is not None and self._audit.required:
            self._record("STARTED", "")
        metadata = self._caller.invocation_metadata
        return traced(names.QUERY_PREFIX + self.method.name, metadata, self._first, lambda _message: self._answer)

    def _first(self) -> Message | None:
        question = self._question
        if isinstance(question, Question):
            question = msgspec.structs.replace(question, timeout_s=max(self.deadline.remaining(), 0.001))
        self._answer = self.method.ask(question, self._grants)
        messages = iter(self.method.replies(self._answer))
        first = next(messages, None)
        self._messages = messages
        return first

    def _check(self, message: Message) -> None:
        """What leaves, leaves under grants of now."""
        if self.parts or monotonic() - self._authorised_at > AUTHORISED_FOR_S:
            self._renew()
            if not is_still_allowed(message, self._grants):
                raise access_ended()
        self.sent, self.parts = message.SerializeToString(), self.parts + 1
        as_of, results = touched_by(message)
        self._as_of, self._results = self._as_of or as_of, self._results + results

    def _succeeded(self) -> None:
        self._record("OK", "")
        _measure(self.method.name, self._answer, perf_counter() - self._started)

    def _record(self, code: str, reason: str) -> None:
        """Raises UnavailableError where nothing may be answered without a record."""
        if self._audit is None:
            return
        record = AuditRecord(
            at=now(),
            method=self.method.name,
            principal=self._grants.principal,
            peer=self._caller.peer(),
            code=code,
            reason=reason,
            seconds=round(perf_counter() - self._started, 4),
            as_of=self._as_of,
            results=self._results,
            query=asked(self._request) if self._request is not None else "",
            object=object_of(self._request) if self._request is not None else "",
        )
        self._audit.record(record)


def access_ended() -> ForbiddenError:
    return ForbiddenError("ACCESS_ENDED", "what you may read has changed meanwhile: ask again")


def _measure(method: str, answer: object, seconds: float) -> None:
    kind = str(answer.kind or "") if isinstance(answer, Answer) else ""
    METRICS.count("headwater_query_requests_total", method=method, code="OK")
    METRICS.observe("headwater_query_seconds", seconds, method=method, kind=kind)
    if isinstance(answer, Answer | ContextAnswer):
        for part in answer.degraded:
            METRICS.count("headwater_query_degraded_total", part=part)
    if isinstance(answer, Answer):
        METRICS.count("headwater_query_results_total", len(answer.results), method=method)
        METRICS.count("headwater_query_empty_total", not answer.results, method=method)
