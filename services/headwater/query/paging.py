"""Cuts long answers into pages that join without gap or repeat, whatever is published in between."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from headwater.domain.grants import Grants
from headwater.domain.query_error import InvalidQuestionError, PageExpiredError
from headwater.domain.question import DEFAULT_LIMIT, MAX_LIMIT, Question
from headwater.query.access import Access
from headwater.query.page_token import Cursor, Generations, PageTokens, fingerprint
from headwater.query.ranked import RankedCache, RankedList

Item = TypeVar("Item")


class Page(msgspec.Struct, frozen=True):
    """Where a page starts and how long it is."""

    print: str  # the question's fingerprint
    generations: Generations
    position: tuple[int, ...]
    limit: int


class Pager:
    """Opens and seals page tokens, and remembers ranked lists for the pages after the first."""

    def __init__(self, tokens: PageTokens, keep_s: float = float("inf")) -> None:
        """Lists are remembered for `keep_s` at most."""
        self._tokens, self._cache = tokens, RankedCache(ttl_s=keep_s)

    def page(self, question: Question, grants: Grants, access: Access) -> Page:
        """Raises InvalidQuestionError for a bad limit or token."""
        limit = check_limit(question.limit)
        digest = fingerprint(question, grants.principal)
        if not question.page_token:
            return Page(digest, access.generations(), (0, 0), limit)
        cursor = self._tokens.open(question.page_token, digest)
        return Page(digest, cursor.generations, cursor.position, limit)

    def check_current(self, page: Page, access: Access) -> None:
        """Raises PageExpiredError when the index has moved on since the first page."""
        if page.generations != access.generations():
            raise expired()

    def ranked(self, page: Page, access: Access, rank: Callable[[], RankedList]) -> RankedList:
        """The list that the first page was cut from. Raises PageExpiredError when it can't be made again."""
        found = self._cache.get(page.print, page.generations, access.grants)
        if found is None:
            self.check_current(page, access)
            found = rank()
            if len(found.items) > page.limit and found.complete and not found.degraded:
                self._cache.put(page.print, page.generations, access.grants, found)
        return found

    def cut(self, page: Page, items: Sequence[Item]) -> tuple[Sequence[Item], str]:
        """This page's items and the next page's token, "" at the end."""
        start = page.position[0]
        end = start + page.limit
        token = self.token(page, (end, 0)) if end < len(items) else ""
        return items[start:end], token

    def token(self, page: Page, position: tuple[int, ...]) -> str:
        return self._tokens.seal(Cursor(page.print, page.generations, position))


def check_limit(limit: int) -> int:
    """0 means the default. Raises InvalidQuestionError."""
    if not 0 <= limit <= MAX_LIMIT:
        raise InvalidQuestionError("limit", f"limit is {limit}: give 1 to {MAX_LIMIT}, and go on page by page")
    return limit or DEFAULT_LIMIT


def expired() -> PageExpiredError:
    return PageExpiredError("PAGE_EXPIRED", "the index has moved on since the first page")
