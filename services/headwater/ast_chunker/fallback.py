"""Why a file was chunked by lines although there is a grammar for it."""

from headwater.domain.document import Document

_BY_LINES = ": chunked by lines"
_REASONS = {
    "larger than": "size",
    "syntax of more than": "cost",
    "the parser was stopped": "timeout",
    "the parser crashed": "crash",
    "the parser was given up": "given_up",
    "not a notebook": "notebook",
}


def fallback_of(document: Document) -> str:
    """The reason in one word, by the warning that the document carries; "" when it was parsed, or has no grammar."""
    said = next((warning for warning in document.warnings if warning.endswith(_BY_LINES)), "")
    return next((word for text, word in _REASONS.items() if said.startswith(text)), "other" if said else "")
