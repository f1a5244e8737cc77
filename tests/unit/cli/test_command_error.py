"""Known errors become one line and a status; a defect of the program stays a traceback."""

import json

from headwater.cli.command_error import CommandError, ExitStatus, command_error_of
from headwater.domain.query_error import InvalidQuestionError, NotFoundError
from headwater.stores.catalog import CatalogUnavailableError
from headwater.stores.git_store import RefNotFoundError


def test_known_errors_keep_their_message_and_reason() -> None:
    error = command_error_of(RefNotFoundError("no ref 'x'"))
    assert error is not None
    assert (str(error), error.status, error.reason) == ("no ref 'x'", ExitStatus.USAGE, "REF_NOT_FOUND")
    assert json.loads(error.as_json()) == {"error": {"reason": "REF_NOT_FOUND", "message": "no ref 'x'"}}


def test_question_errors_keep_their_own_reason() -> None:
    invalid = command_error_of(InvalidQuestionError("query", "the query is empty: type a name or a question"))
    missing = command_error_of(NotFoundError("SYMBOL_NOT_FOUND", "no symbol 'x'"))
    assert invalid is not None
    assert missing is not None
    assert (invalid.status, invalid.reason) == (ExitStatus.USAGE, "INVALID_FIELD")
    assert (missing.status, missing.reason) == (ExitStatus.NOT_FOUND, "SYMBOL_NOT_FOUND")


def test_a_busy_catalog_can_be_tried_again() -> None:
    error = command_error_of(CatalogUnavailableError("locked"))
    assert error is not None
    assert error.status == ExitStatus.BUSY


def test_a_defect_is_no_command_error() -> None:
    assert command_error_of(ZeroDivisionError()) is None
    assert CommandError("x").status == ExitStatus.FAILED
