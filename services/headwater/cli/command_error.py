"""What went wrong, as a program's exit status and one line that says what to do."""

import os

import msgspec

from headwater.runtime.redact import redacted


class ExitStatus:
    """Exit statuses, as documented in docs/api.md."""

    OK = 0
    NOT_FOUND = 1
    USAGE = 2
    FAILED = 3
    DEFECT = 70
    BUSY = 75
    INTERRUPTED = 130


class CommandError(Exception):
    """Ends a command with this message and status."""

    def __init__(self, message: str, status: int = ExitStatus.FAILED, reason: str = "FAILED") -> None:
        super().__init__(redacted(message.encode("utf-8", "backslashreplace").decode("utf-8")))
        self.status, self.reason = status, reason

    def as_json(self) -> bytes:
        """`{"error": {"reason", "message"}}`."""
        return msgspec.json.encode({"error": {"reason": self.reason, "message": str(self)}})


def command_error_of(error: Exception) -> CommandError | None:
    """The failure that a known error stands for; None for a defect of the program."""
    name = type(error).__name__
    status = _STATUS.get(name)
    if status is None:
        return _of_system(error) if isinstance(error, OSError) else None
    reason = getattr(error, "reason", _upper_snake(name.removesuffix("Error")))
    message = f"{error}: {_NEXT[reason]}" if reason in _NEXT else str(error)
    near = ", ".join(getattr(error, "suggestions", ()))
    return CommandError(f"{message}; near: {near}" if near else message, status, reason)


_NEXT = {  # what to do in the words of the command line
    "UNKNOWN_SYMBOL": "check the spelling, or find it as text with 'headwater grep'",
    "UNKNOWN_FILE": "check the spelling, the ref and that it is committed; 'headwater files' lists what is tracked",
    "UNKNOWN_REPOSITORY": "see 'headwater status' for what is indexed, or run 'headwater index PATH'",
    "AMBIGUOUS_REPOSITORY": "give its whole name, as 'headwater status' shows it",
    "UNKNOWN_REF": "see 'headwater status' for what is indexed, or run 'headwater index PATH --ref REF'",
    "AMBIGUOUS_REF": "give its full name, as 'headwater status' shows it",
    "NOTHING_INDEXED": "run 'headwater index PATH'",
    "PAGE_EXPIRED": "ask again without --page",
}


def defect(error: Exception) -> CommandError:
    """What a person is told of an error that nobody expected."""
    said = " ".join(str(error).split())[:200]
    message = (
        f"a defect of the program, {type(error).__name__}: {said}; HEADWATER_DEBUG=1 shows where, please report it"
    )
    return CommandError(message, ExitStatus.DEFECT, "DEFECT")


def _of_system(error: OSError) -> CommandError:
    """A file that isn't there, a folder that can't be read, a full disk: for the person to settle."""
    why = (error.strerror or str(error) or type(error).__name__).lower()
    where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else ""
    return CommandError(f"{where}: {why}" if where else why, ExitStatus.FAILED, "SYSTEM")


_STATUS = {  # by name, so that no command pays for importing what it doesn't use
    "RepositoryUnreadableError": ExitStatus.USAGE,
    "RefNotFoundError": ExitStatus.USAGE,
    "InvalidQuestionError": ExitStatus.USAGE,
    "NotFoundError": ExitStatus.NOT_FOUND,
    "DeadlinePassedError": ExitStatus.FAILED,
    "PageExpiredError": ExitStatus.USAGE,
    "UnavailableError": ExitStatus.FAILED,
    "IndexingError": ExitStatus.FAILED,
    "PipelineStalledError": ExitStatus.FAILED,
    "DivergenceError": ExitStatus.FAILED,
    "VersionMismatchError": ExitStatus.FAILED,
    "RolloutRefusedError": ExitStatus.FAILED,
    "CatalogUnavailableError": ExitStatus.BUSY,
    "CatalogCorruptError": ExitStatus.FAILED,
    "VectorsUnavailableError": ExitStatus.BUSY,
    "SettingsError": ExitStatus.USAGE,
    "MissingComponentError": ExitStatus.USAGE,
    "StartError": ExitStatus.FAILED,
    "KafkaUnavailableError": ExitStatus.BUSY,
    "DeliveryError": ExitStatus.BUSY,
    "TreeUnreadableError": ExitStatus.FAILED,
}


def _upper_snake(name: str) -> str:
    return "".join(f"_{c}" if c.isupper() and i else c for i, c in enumerate(name)).upper()
