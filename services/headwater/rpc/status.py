"""Query errors as rich gRPC status: ErrorInfo always, field violations and retry times where they help."""

from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from headwater.domain.query_error import (
    DeadlinePassedError,
    ForbiddenError,
    InvalidQuestionError,
    NotFoundError,
    PageExpiredError,
    QueryError,
    UnauthenticatedError,
    UnavailableError,
)

DOMAIN = "headwater"
_CODES: tuple[tuple[type[QueryError], int], ...] = (
    (InvalidQuestionError, code_pb2.INVALID_ARGUMENT),
    (NotFoundError, code_pb2.NOT_FOUND),
    (DeadlinePassedError, code_pb2.DEADLINE_EXCEEDED),
    (PageExpiredError, code_pb2.FAILED_PRECONDITION),
    (UnavailableError, code_pb2.UNAVAILABLE),
    (UnauthenticatedError, code_pb2.UNAUTHENTICATED),
    (ForbiddenError, code_pb2.PERMISSION_DENIED),
)


def status_of(error: QueryError) -> status_pb2.Status:
    """For `grpc_status.rpc_status.to_status`."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), code_pb2.UNKNOWN)
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=error.metadata)]
    if isinstance(error, InvalidQuestionError):
        violation = error_details_pb2.BadRequest.FieldViolation(field=error.field, description=error.message)
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    if isinstance(error, UnavailableError):
        delay = Duration(nanos=int(error.retry_after_s * 1e9) % 10**9, seconds=int(error.retry_after_s))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    return status_pb2.Status(code=code, message=error.message, details=[_packed(d) for d in details])


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
