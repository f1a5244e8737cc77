"""Query errors as rich gRPC status: ErrorInfo always, field violations and retry times where they help."""

from itertools import accumulate

from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from headwater.domain.query_error import (
    CancelledError,
    DeadlinePassedError,
    ExhaustedError,
    ForbiddenError,
    InvalidQuestionError,
    NotFoundError,
    PageExpiredError,
    QueryError,
    UnauthenticatedError,
    UnavailableError,
    UnexpectedError,
)
from headwater.runtime.redact import redacted

DOMAIN = "headwater"
# A status is sent twice in a call's trailers, percent- and base64-encoded: more than 8 KiB of it may be refused on the
# way, and then the caller sees nothing of the error.
MESSAGE_BYTES, METADATA_BYTES = 1_000, 1_500
# What to do next in the words of this surface; every other says it in its own.
NEXT = {
    "UNKNOWN_SYMBOL": "check the spelling, or use Grep to find it as text",
    "UNKNOWN_FILE": "check the spelling, the ref and that it is committed; GetFileStatus lists what is tracked",
    "UNKNOWN_REPOSITORY": "ask ListViews for what is indexed",
    "AMBIGUOUS_REPOSITORY": "give its whole name, as ListViews shows it",
    "UNKNOWN_REF": "ask ListViews for what is indexed",
    "AMBIGUOUS_REF": "give the ref's full name, as ListViews shows it",
    "NOTHING_INDEXED": "ask ListViews which views you may read",
    "PAGE_EXPIRED": "ask again without page_token",
}
_CODES: tuple[tuple[type[QueryError], int], ...] = (
    (InvalidQuestionError, code_pb2.INVALID_ARGUMENT),
    (NotFoundError, code_pb2.NOT_FOUND),
    (DeadlinePassedError, code_pb2.DEADLINE_EXCEEDED),
    (PageExpiredError, code_pb2.FAILED_PRECONDITION),
    (ExhaustedError, code_pb2.RESOURCE_EXHAUSTED),
    (UnavailableError, code_pb2.UNAVAILABLE),
    (CancelledError, code_pb2.CANCELLED),
    (UnauthenticatedError, code_pb2.UNAUTHENTICATED),
    (ForbiddenError, code_pb2.PERMISSION_DENIED),
    (UnexpectedError, code_pb2.INTERNAL),
)


def status_of(error: QueryError) -> status_pb2.Status:
    """For `grpc_status.rpc_status.to_status`."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), code_pb2.UNKNOWN)
    message, metadata = _clipped(_spoken(error)), _fitting(error.metadata)
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata)]
    if isinstance(error, InvalidQuestionError):
        violation = error_details_pb2.BadRequest.FieldViolation(field=error.field, description=message)
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    if isinstance(error, UnavailableError):
        delay = Duration(nanos=int(error.retry_after_s * 1e9) % 10**9, seconds=int(error.retry_after_s))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    return status_pb2.Status(code=code, message=message, details=[_packed(d) for d in details])


def message_of(status: status_pb2.Status, reason: str) -> str:
    """The error's own, without this surface's advice."""
    return status.message.removesuffix(f": {NEXT[reason]}") if reason in NEXT else str(status.message)


def _spoken(error: QueryError) -> str:
    return f"{error.message}: {NEXT[error.reason]}" if error.reason in NEXT else error.message


def _clipped(message: str) -> str:
    message = redacted(message)
    raw = message.encode("utf-8", "replace")
    return message if len(raw) <= MESSAGE_BYTES else raw[:MESSAGE_BYTES].decode("utf-8", "ignore") + "…"


def _fitting(metadata: dict[str, str]) -> dict[str, str]:
    """The first entries that there is room for."""
    metadata = {key: redacted(value) for key, value in metadata.items()}
    sizes = accumulate(len(f"{key}{value}".encode("utf-8", "replace")) for key, value in metadata.items())
    return {key: metadata[key] for key, size in zip(metadata, sizes, strict=True) if size <= METADATA_BYTES}


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
