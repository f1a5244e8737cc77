"""Why a question has no answer, in the caller's terms; every message says what to do."""


class QueryError(Exception):
    """`reason` is a stable upper-case word for programs; `metadata` is small and holds only what the caller may see."""

    def __init__(self, reason: str, message: str, metadata: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = metadata or {}


class InvalidQuestionError(QueryError):
    """The question itself is wrong; `field` names the part to change."""

    def __init__(self, field: str, message: str, reason: str = "INVALID_FIELD") -> None:
        super().__init__(reason, message, {"field": field})
        self.field = field


class NotFoundError(QueryError):
    """No such symbol, view or file. `suggestions` hold only what the caller may see."""

    def __init__(self, reason: str, message: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(reason, message, {"suggestions": ", ".join(suggestions)} if suggestions else {})
        self.suggestions = suggestions


class DeadlinePassedError(QueryError):
    """The caller's time is up; `metadata` says how far things were."""


class PageExpiredError(QueryError):
    """The index has moved on since the first page and the pinned answer is gone."""


class UnavailableError(QueryError):
    """Nothing can answer now; try again after `retry_after_s`."""

    def __init__(self, reason: str, message: str, retry_after_s: float = 1.0) -> None:
        super().__init__(reason, message)
        self.retry_after_s = retry_after_s


class ExhaustedError(UnavailableError):
    """As many as there is room for are asking or waiting already; try again after `retry_after_s`."""


class CancelledError(QueryError):
    """The caller is gone, or the process ends; nobody waits for the answer."""


class UnauthenticatedError(QueryError):
    """Who asks is not known."""


class ForbiddenError(QueryError):
    """The caller is known and may not ask this at all; what it may not read is simply not there."""


class UnexpectedError(QueryError):
    """A fault of the program; `number` finds its trace in the log, and nothing else of it is told."""

    def __init__(self, number: str) -> None:
        super().__init__("INTERNAL", f"something went wrong here: tell the operator {number}", {"id": number})
