"""Every call leaves one record, whatever its end; what leaves is still allowed; no fault of the program is told."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, cast

import grpc
import pytest

from headwater.domain.answer import AsOf, Range, Result, StructuralReport
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.query_error import UnauthenticatedError, UnavailableError
from headwater.domain.question import StructuralQuestion
from headwater.query.caller import Authorise, Caller, allow_all
from headwater.query.calls import Calls
from headwater.query.engine import Engine
from headwater.query.identity.audit import AuditRecord
from headwater.query.method import Method
from headwater.query.workers import Workers
from headwater.rpc import convert
from headwater.rpc.generated.structural_pb2 import StructuralSearchRequest

VIEW = AsOf("r", "refs/heads/main", "c" * 40)
FOUND = Result(repo="r", ref=VIEW.ref, commit=VIEW.commit, path="a.py", language="", range=Range(1, 1, 1, 2, 0, 1))
Ask = Callable[[StructuralQuestion, Grants], Iterator[StructuralReport]]


class Kept(list[AuditRecord]):
    """An `AuditLog` in memory; one that is `full` takes nothing."""

    def __init__(self, required: bool = False, full: bool = False) -> None:
        super().__init__()
        self.required, self._full = required, full

    def record(self, record: AuditRecord) -> None:
        if self._full and self.required:
            raise UnavailableError("AUDIT_UNAVAILABLE", "try again")
        if not self._full:
            self.append(record)


class AbortedError(Exception):
    """What grpc raises once a call is aborted."""


class Context:
    """The part of a `grpc.aio.ServicerContext` that a call uses; its reader goes away after `takes` messages."""

    def __init__(self, takes: int = 1000) -> None:
        self.taken, self._takes, self.status = 0, takes, (grpc.StatusCode.OK, "")

    def invocation_metadata(self) -> tuple[()]:
        return ()

    def auth_context(self) -> dict[str, list[bytes]]:
        return {}

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    def time_remaining(self) -> None:
        return None

    async def write(self, _message: bytes) -> None:
        if self.taken == self._takes:
            raise asyncio.CancelledError
        self.taken += 1

    async def abort(self, code: grpc.StatusCode, details: str, _metadata: object) -> None:
        self.status = (code, details)
        raise AbortedError


def _parts() -> Iterator[StructuralReport]:
    yield StructuralReport(as_of=(VIEW,))
    yield StructuralReport(results=(FOUND,))
    yield StructuralReport(results=(FOUND,))
    raise UnavailableError("GONE", "try again")


def _called(
    log: Kept, context: Context, ask: Ask, raw: bytes = b"", authorise: Authorise = allow_all
) -> tuple[list[tuple[str, int]], Context]:
    """The records, and what the caller saw."""
    method = Method(
        name="StructuralSearch",
        request=StructuralSearchRequest,
        question=convert.structural_question,
        ask=ask,
        replies=convert.structural_responses,
        streams=True,
    )

    async def call() -> None:
        calls = Calls(cast(Engine, None), Workers(2, 2), 2, 8, authorise, log)
        handler: Any = calls.handler(method).unary_stream
        await handler(raw, context)
        # the record of a caller who has gone is written behind its back
        await asyncio.get_running_loop().shutdown_default_executor()

    with pytest.raises((AbortedError, asyncio.CancelledError)):
        asyncio.run(call())
    return [(r.code, r.results) for r in log], context


def test_s16_what_a_caller_took_before_going_away_is_recorded() -> None:
    records, _ = _called(Kept(), Context(takes=2), lambda _q, _g: _parts())
    assert records == [("CANCELLED", 2)]


def test_s16_what_was_given_before_a_failure_is_recorded() -> None:
    records, context = _called(Kept(), Context(), lambda _q, _g: _parts())
    assert records == [("UNAVAILABLE", 2)]
    assert (context.taken, context.status) == (3, (grpc.StatusCode.UNAVAILABLE, "try again"))


def test_s16_bytes_that_are_no_message_are_refused_and_recorded() -> None:
    records, context = _called(Kept(), Context(), lambda _q, _g: _parts(), raw=b"\x1a\x02\xff\xfe")
    assert records == [("INVALID_ARGUMENT", 0)]
    assert "StructuralSearchRequest" in context.status[1]


def test_s16_a_fault_of_the_program_has_a_number_and_is_not_told() -> None:
    def fail(_question: StructuralQuestion, _grants: Grants) -> Iterator[StructuralReport]:
        raise RecursionError("secret words of the program")

    log = Kept()
    records, context = _called(log, Context(), fail)
    assert records == [("INTERNAL", 0)]
    assert context.status[0] is grpc.StatusCode.INTERNAL
    assert "secret" not in context.status[1]
    assert "tell the operator" in context.status[1]


def test_s16_nothing_is_answered_without_a_record_where_one_is_required() -> None:
    asked = []
    records, context = _called(
        Kept(required=True, full=True), Context(), lambda question, _g: (asked.append(question), _parts())[1]
    )
    assert (records, asked, context.taken) == ([], [], 0)
    assert context.status[0] is grpc.StatusCode.UNAVAILABLE


def test_s10_a_stream_ends_before_the_part_that_its_caller_may_no_longer_read() -> None:
    narrow = Grants(repos=frozenset({"other"}))
    given = iter([ALLOW_ALL, ALLOW_ALL, narrow])  # to begin with, before the second part, before the third
    records, context = _called(Kept(), Context(), lambda _q, _g: _parts(), authorise=lambda _caller: next(given))
    assert records == [("PERMISSION_DENIED", 1)]
    assert (context.taken, context.status[0]) == (2, grpc.StatusCode.PERMISSION_DENIED)


def test_s10_a_stream_ends_once_its_callers_token_has_expired() -> None:
    asked = []

    def expires(_caller: Caller) -> Grants:
        asked.append(1)
        if len(asked) > 1:
            raise UnauthenticatedError("BAD_TOKEN", "it has expired")
        return ALLOW_ALL

    records, context = _called(Kept(), Context(), lambda _q, _g: _parts(), authorise=expires)
    assert records == [("UNAUTHENTICATED", 0)]
    assert context.taken == 1
