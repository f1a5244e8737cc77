"""What an agent is told when a question has no answer: the reason, and which tool to call next."""

from headwater.domain.query_error import NotFoundError, QueryError, UnavailableError
from headwater.runtime.redact import redacted

_NEXT = {
    "UNKNOWN_SYMBOL": "call search with the name in words, or grep for it as text",
    "UNKNOWN_FILE": "call search with the file's name to get its path",
    "UNKNOWN_REPOSITORY": "call freshness without arguments to see what is indexed",
    "AMBIGUOUS_REPOSITORY": "give its whole name in repos, as freshness shows it",
    "UNKNOWN_REF": "call freshness without arguments to see what is indexed",
    "AMBIGUOUS_REF": "give its full name in refs, as freshness shows it",
    "NOTHING_INDEXED": "the user has to run 'headwater index PATH' first",
    "COMMIT_NOT_SEARCHABLE": "call freshness with a longer timeout_s, or go on without min_commit",
    "DEADLINE_EXCEEDED": "narrow with repos, paths or languages and ask again",
    "DEADLINE_PASSED": "narrow with repos, paths or languages and ask again",
    "NO_STRUCTURAL_ENGINE": "call grep with regex instead",
    "PAGE_EXPIRED": "ask again without page",
    "BAD_PAGE_TOKEN": "ask again without page, or with the same arguments as before",
    "BAD_PATTERN": "correct the pattern (RE2: no look-around, no back-references), or leave out regex",
}


def advice(error: QueryError) -> str:
    """One line: reason, what happened, near names, what to do."""
    parts = [f"{error.reason}: {redacted(error.message)}"]
    if isinstance(error, NotFoundError) and error.suggestions:
        parts.append(f"near: {', '.join(error.suggestions)}")
    if isinstance(error, UnavailableError) and error.reason != "NO_STRUCTURAL_ENGINE":
        parts.append(f"try again in {error.retry_after_s:g} s")
    if error.reason in _NEXT:
        parts.append(_NEXT[error.reason])
    return "; ".join(parts)
