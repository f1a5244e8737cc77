"""Opaque page tokens: bound to the question, the caller and the generations that the first page was read at."""

import base64
import hashlib
import hmac

import msgspec

from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import Question

_TAG_BYTES = 12
_FREE_FIELDS = frozenset({"limit", "page_token", "timeout_s", "min_commit"})  # may differ from page to page

Generations = tuple[tuple[str, str, int], ...]  # (repository, ref, generation), in the order of the scope


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """Where the next page starts."""

    fingerprint: str
    generations: Generations
    position: tuple[int, ...]


def fingerprint(question: Question, principal: str) -> str:
    """16 hex over everything that decides the answer."""
    fields = {k: v for k, v in msgspec.structs.asdict(question).items() if k not in _FREE_FIELDS}
    text = repr((type(question).__name__, principal, sorted(fields.items())))
    return hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


class PageTokens:
    """Seals and opens cursors with a secret that all replicas of a server share."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def seal(self, cursor: Cursor) -> str:
        """Capital letters and digits: nothing that a shell, an address or an option's parser reads otherwise."""
        body = msgspec.msgpack.encode(cursor)
        return base64.b32encode(self._tag(body) + body).decode("ascii").rstrip("=")

    def open(self, token: str, expected_fingerprint: str) -> Cursor:
        """Raises InvalidQuestionError for a token that isn't ours or belongs to another question."""
        try:
            raw = base64.b32decode(token + "=" * (-len(token) % 8))
        except ValueError:
            raise _bad_token("is not one of this server's") from None
        tag, body = raw[:_TAG_BYTES], raw[_TAG_BYTES:]
        if not hmac.compare_digest(tag, self._tag(body)):
            raise _bad_token("is not one of this server's")
        cursor = msgspec.msgpack.decode(body, type=Cursor)
        if cursor.fingerprint != expected_fingerprint:
            raise _bad_token("belongs to another question")
        return cursor

    def _tag(self, body: bytes) -> bytes:
        return hmac.new(self._secret, body, hashlib.sha256).digest()[:_TAG_BYTES]


def _bad_token(why: str) -> InvalidQuestionError:
    message = f"the page token {why}: pass the last answer's token unchanged with the same question, or leave it out"
    return InvalidQuestionError("page_token", message, "BAD_PAGE_TOKEN")
