"""Whether what a caller sends is text of a sensible length: asked by every surface before anything else is done."""

import math
from collections.abc import Sequence

from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import (
    ContextQuestion,
    OutcomeReport,
    Place,
    Question,
    SearchQuestion,
    StructuralQuestion,
)
from headwater.limits import Limits, count_reached

# Which limit a field's text keeps to; all others are names.
_TEXTS = {
    "pattern": "question_bytes",
    "symbol": "question_bytes",
    "query": "question_bytes",
    "words": "structural_words_bytes",
    "flowgraph": "structural_text_bytes",
    "semgrep": "structural_text_bytes",
    "page_token": "page_token_bytes",
}
_COUNTS = {"path_globs": "path_patterns"}
MOST = 2**31 - 1  # lines, columns, counts
TOO_LONG = "QUESTION_TOO_LONG"


def check_question(asked: Question | OutcomeReport, limits: Limits) -> None:
    """Raises InvalidQuestionError that names the field and its limit."""
    for field in asked.__struct_fields__:
        value = getattr(asked, field)
        if isinstance(value, str):
            _check_text(asked, field, value, limits)
        elif isinstance(value, tuple):
            check_names(field, value, limits, _COUNTS.get(field, "names"))
        elif isinstance(value, Place):
            check_names(field, (value.path,), limits)
            _check_number(f"{field}.line", value.line)
            _check_number(f"{field}.col", value.col)
        elif isinstance(value, int | float):
            _check_number(field, value)


def check_names(field: str, names: Sequence[str], limits: Limits, count: str = "names") -> None:
    """So many of them, none too long. Raises InvalidQuestionError."""
    most: int = getattr(limits, count)
    if len(names) > most:
        count_reached(count)
        raise InvalidQuestionError(
            field, f"{field} has more than {most} entries: give fewer, or none for all", TOO_LONG
        )
    for name in names:
        _check_length(field, name, "name_bytes", limits)
        if "\0" in name:
            raise InvalidQuestionError(field, f"{field} holds a NUL character: leave it out")


def _check_text(asked: Question | OutcomeReport, field: str, text: str, limits: Limits) -> None:
    limit = _TEXTS.get(field, "name_bytes")
    if isinstance(asked, StructuralQuestion) and field == "query":
        limit = "structural_text_bytes"
    is_cut = field == "query" and isinstance(asked, SearchQuestion | ContextQuestion)  # and the answer says so
    _check_length(field, text, None if is_cut else limit, limits)
    if "\0" in text and field != "pattern":
        raise InvalidQuestionError(field, f"{field} holds a NUL character: leave it out")


def _check_length(field: str, text: str, limit: str | None, limits: Limits) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise InvalidQuestionError(field, f"{field} holds half a character: send valid Unicode") from None
    if limit is not None and size > (most := getattr(limits, limit)):
        count_reached(limit)
        raise InvalidQuestionError(field, f"{field} has {size} bytes, more than {most}: shorten it", TOO_LONG)


def _check_number(field: str, number: float) -> None:
    if not math.isfinite(number) or not 0 <= number <= MOST:
        raise InvalidQuestionError(field, f"{field} is {number:.6g}: give a number from 0 to {MOST}")
