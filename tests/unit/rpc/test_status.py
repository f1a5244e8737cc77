"""Errors as rich status."""

import base64
from urllib.parse import quote

import pytest
from google.rpc import code_pb2, error_details_pb2
from grpc_status.rpc_status import to_status

from headwater.domain.query_error import (
    DeadlinePassedError,
    InvalidQuestionError,
    NotFoundError,
    PageExpiredError,
    QueryError,
    UnavailableError,
)
from headwater.rpc.status import status_of


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidQuestionError("query", "m"), code_pb2.INVALID_ARGUMENT),
        (NotFoundError("R", "m"), code_pb2.NOT_FOUND),
        (DeadlinePassedError("R", "m"), code_pb2.DEADLINE_EXCEEDED),
        (PageExpiredError("R", "m"), code_pb2.FAILED_PRECONDITION),
        (UnavailableError("R", "m"), code_pb2.UNAVAILABLE),
    ],
)
def test_codes(error: QueryError, code: int) -> None:
    status = status_of(error)
    info = error_details_pb2.ErrorInfo()
    assert status.code == code
    assert status.details[0].Unpack(info)
    assert (info.domain, info.reason) == ("headwater", error.reason)


def test_an_invalid_field_is_named() -> None:
    bad = error_details_pb2.BadRequest()
    assert status_of(InvalidQuestionError("limit", "give less")).details[1].Unpack(bad)
    assert (bad.field_violations[0].field, bad.field_violations[0].description) == ("limit", "give less")


def test_a_retry_time_is_given() -> None:
    retry = error_details_pb2.RetryInfo()
    assert status_of(UnavailableError("R", "m", 1.5)).details[1].Unpack(retry)
    assert retry.retry_delay.ToTimedelta().total_seconds() == 1.5


@pytest.mark.parametrize("letter", ["a", "é", "\x00", "🦀"])
def test_what_a_caller_sent_never_makes_an_error_too_long_for_its_headers(letter: str) -> None:
    error = InvalidQuestionError("refs", f"no such ref: {letter * 100_000}")
    error.metadata |= {f"{n}{letter * 40}": letter * 40 for n in range(100)}
    trailers = to_status(status_of(error))
    sent = len(quote(trailers.details)) + sum(len(base64.b64encode(value)) for _, value in trailers.trailing_metadata)
    assert sent < 8_192
    assert trailers.details.startswith("no such ref: ")
