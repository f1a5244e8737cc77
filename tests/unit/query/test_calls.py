"""Every call leaves one record, however it ends."""

from collections.abc import Iterator
from typing import Any

import pytest

from headwater.domain.answer import AsOf, Range, Result, StructuralReport
from headwater.domain.query_error import UnavailableError
from headwater.query.calls import Calls
from headwater.query.identity.audit import AuditRecord
from headwater.rpc.generated.structural_pb2 import StructuralSearchRequest

VIEW = AsOf("r", "refs/heads/main", "c" * 40)


class Kept(list[AuditRecord]):
    """An `AuditLog` in memory."""

    keeps_queries = False

    def record(self, record: AuditRecord) -> None:
        self.append(record)


class AbortedError(Exception):
    """What grpc raises once a call is aborted."""


class Context:
    """The part of a `grpc.ServicerContext` that a call uses."""

    def invocation_metadata(self) -> tuple[()]:
        return ()

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    def abort_with_status(self, _status: object) -> None:
        raise AbortedError


def _parts() -> Iterator[StructuralReport]:
    found = Result(repo="r", ref=VIEW.ref, commit=VIEW.commit, path="a.py", language="", range=Range(1, 1, 1, 2, 0, 1))
    yield StructuralReport(as_of=(VIEW,), results=(found,))
    yield StructuralReport(results=(found,))
    raise UnavailableError("GONE", "try again")


def _stream(log: Kept) -> Iterator[StructuralReport]:
    context: Any = Context()
    return Calls(audit=log).stream(context, "StructuralSearch", StructuralSearchRequest(), lambda _grants: _parts())


def test_what_a_caller_took_before_going_away_is_recorded() -> None:
    log = Kept()
    stream: Any = _stream(log)
    next(stream)
    stream.close()
    assert [(r.code, r.as_of, r.results) for r in log] == [("CANCELLED", (VIEW,), 1)]


def test_what_was_given_before_a_failure_is_recorded() -> None:
    log = Kept()
    with pytest.raises(AbortedError):
        list(_stream(log))
    assert [(r.code, r.as_of, r.results) for r in log] == [("UNAVAILABLE", (VIEW,), 2)]
