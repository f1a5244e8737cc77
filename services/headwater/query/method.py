"""A method of a gRPC service as one value: from its message to a question, an answer, and messages again."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from google.protobuf.message import DecodeError, Message

from headwater.domain.grants import Grants
from headwater.domain.query_error import InvalidQuestionError


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """`ask` and `replies` are called in a worker thread; a method that doesn't stream has one reply."""

    name: str
    request: type[Message]
    question: Callable[[Any, float | None], Any]  # the message and the seconds left. Raises InvalidQuestionError
    ask: Callable[[Any, Grants], Any]  # raises QueryError
    replies: Callable[[Any], Iterable[Message]]
    streams: bool = False
    lane: str = ""  # "": with all others
    longest_s: float | None = None  # None: as long as it takes

    def parsed(self, raw: bytes) -> Message:
        """Raises InvalidQuestionError."""
        try:
            return self.request.FromString(raw)
        except (DecodeError, UnicodeDecodeError):
            name = self.request.DESCRIPTOR.name
            raise InvalidQuestionError("", f"the message is no {name}: send one of this version in UTF-8") from None
