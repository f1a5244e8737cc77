"""What a line from a client is, before anything reads it: a message, or an error to answer it with."""

import json

import msgspec

from headwater.runtime.redact import redacted

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
MOST_NESTED = 64  # objects and lists in each other: what a tool takes has three
Id = str | int


class RefusedError(Exception):
    """The line is no message that can be worked on; `id` is None where it names no request."""

    def __init__(self, code: int, message: str, id: Id | None = None) -> None:
        super().__init__(message)
        self.code, self.id = code, id

    def answer(self) -> str:
        """A JSON-RPC error, one line."""
        error = {"code": self.code, "message": redacted(str(self))}
        return msgspec.json.encode({"jsonrpc": "2.0", "id": self.id, "error": error}).decode()


def request_id(line: bytes) -> Id | None:
    """Of the request that a line holds; None for a notification or an answer. Raises RefusedError."""
    try:
        message = json.loads(line)
    except RecursionError:
        raise RefusedError(PARSE_ERROR, "nested too deep: flatten the arguments") from None
    except ValueError as error:
        raise RefusedError(PARSE_ERROR, f"no JSON: {error}") from error
    if not isinstance(message, dict):
        raise RefusedError(INVALID_REQUEST, "no JSON-RPC message: send one object a line, batches aren't taken")
    named = message.get("id")
    id = named if isinstance(named, str | int) and not isinstance(named, bool) else None
    try:
        msgspec.json.decode(line)
        msgspec.json.encode(id)
    except (msgspec.DecodeError, UnicodeError, RecursionError, OverflowError) as error:
        safe = id if not isinstance(id, str) or id.isascii() else None
        raise RefusedError(INVALID_PARAMS, f"no plain JSON: {error}", safe) from error
    if _is_deep(message):
        raise RefusedError(INVALID_PARAMS, "nested too deep: flatten the arguments", id)
    _check(message, id)
    return id if "method" in message else None


def _check(message: dict[str, object], id: Id | None) -> None:
    """Raises RefusedError for what is no request, notification or answer."""
    if message.get("jsonrpc") != "2.0":
        raise RefusedError(INVALID_REQUEST, 'no JSON-RPC 2.0: give "jsonrpc": "2.0"', id)
    if "method" not in message:
        if id is None or ("result" in message) == ("error" in message):
            raise RefusedError(INVALID_REQUEST, "no JSON-RPC message: give a method", id)
        return
    if not isinstance(message["method"], str) or not isinstance(message.get("params", {}), dict):
        raise RefusedError(INVALID_REQUEST, "no JSON-RPC request: its method is a text, its params are an object", id)
    if "id" in message and id is None:
        raise RefusedError(INVALID_REQUEST, "no JSON-RPC request: its id is a text or a whole number")


def answered_id(line: str) -> Id | None:
    """Of the request that an answer is for; None for everything else that a server says."""
    message = msgspec.json.decode(line)
    return None if "method" in message else message.get("id")


def cancelled_id(line: bytes) -> Id | None:
    """Of the request that a message takes back."""
    if b"cancelled" not in line:
        return None
    message = msgspec.json.decode(line)
    params = message.get("params", {}) if message.get("method") == "notifications/cancelled" else {}
    id = params.get("requestId")
    return id if isinstance(id, str | int) else None


def _is_deep(message: object) -> bool:
    level: list[object] = [message]
    for _ in range(MOST_NESTED):
        inner = [
            value.values() if isinstance(value, dict) else value for value in level if isinstance(value, dict | list)
        ]
        level = [value for values in inner for value in values]
    return bool(level)
