"""The one way in which a reader says that a question is longer or more complex than one may be."""

_LENGTHS = ("structural_words_bytes", "structural_text_bytes", "structural_pattern_bytes")


class TooLargeError(ValueError):
    """`limit` is the field of `Limits` that was reached; the message says the amount and what to do."""

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit

    @property
    def reason(self) -> str:
        """For programs."""
        return "QUESTION_TOO_LONG" if self.limit in _LENGTHS else "QUESTION_TOO_COMPLEX"
