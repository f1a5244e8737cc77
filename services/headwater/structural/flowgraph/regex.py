"""Regular expressions over a graph's strings: RE2's, which are linear in the text, whoever wrote them."""

from functools import lru_cache

import re2

from headwater.structural.too_large import TooLargeError

MOST_BYTES = 1 << 20  # of an expression made here from a query whose texts were admitted


@lru_cache(maxsize=512)
def compiled(pattern: str, most_bytes: int = MOST_BYTES) -> "re2._Regexp":
    """Matches whole lines of a text of many. Raises TooLargeError once compiled it is larger, ValueError for no RE2."""
    options = re2.Options()
    options.log_errors = False
    options.never_capture = options.never_nl = True
    options.max_mem = most_bytes
    try:
        re2.compile(pattern, options)  # alone: `a)|(?:b` is no expression, although it would be one inside the group
        return re2.compile(f"(?m)^(?:{pattern})$", options)
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
        shown = f"'{pattern[:60]}' is no regular expression that RE2 takes ({reason[:80]}): correct it"
        if "too large" in reason:
            raise TooLargeError("structural_regex_bytes", shown) from error
        raise ValueError(shown) from error
