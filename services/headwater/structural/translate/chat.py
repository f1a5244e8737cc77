"""Talks to an OpenAI-compatible endpoint, or to a recording of one."""

import hashlib
import http.client
import ipaddress
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Protocol, TypeAlias
from urllib.parse import SplitResult, urlsplit

import msgspec

from headwater.limits import count_reached, limits
from headwater.runtime.private_files import open_private
from headwater.structural.deadline import Remaining, unlimited

TIMEOUT_SECONDS = 60.0
_LOOK_EVERY_S = 0.05


class Message(msgspec.Struct, frozen=True):
    role: str
    content: str


class Reply(msgspec.Struct, frozen=True):
    """What the model said, and what it cost: tokens, seconds."""

    content: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


_Tokens: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class _Usage(msgspec.Struct):
    prompt_tokens: _Tokens = 0
    completion_tokens: _Tokens = 0


class _Said(msgspec.Struct):
    content: str


class _Choice(msgspec.Struct):
    message: _Said


class _Answer(msgspec.Struct):
    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1)]
    usage: _Usage | None = None


class ChatError(RuntimeError):
    """The endpoint could not be reached, refused, or has no recording."""


class Chat(Protocol):
    def ask(self, messages: list[Message], remaining: Remaining = unlimited) -> Reply:
        """Waits while time remains, a minute at most. Raises ChatError."""
        ...


class HttpChat:
    """POSTs to `<base>/chat/completions`; connects to nothing else, and follows no redirect.

    What it answers is as little trusted as a caller's question: bounded in bytes and time, and read by a strict form.
    """

    def __init__(self, base_url: str, model: str, key: str = "", most_bytes: int | None = None) -> None:
        """Raises ValueError for no http address, and for a key that would go over the network in the clear."""
        self._url = _address(base_url.rstrip("/") + "/chat/completions", secret=bool(key))
        self._model, self._key = model, key
        self._most = most_bytes or limits().structural_model_bytes

    def ask(self, messages: list[Message], remaining: Remaining = unlimited) -> Reply:
        body = {"model": self._model, "temperature": 0, "messages": [msgspec.to_builtins(m) for m in messages]}
        started = time.monotonic()
        try:
            answer = msgspec.json.decode(self._post(json.dumps(body).encode(), remaining), type=_Answer)
        except (OSError, http.client.HTTPException) as error:
            raise ChatError(f"the model endpoint gave no answer: {type(error).__name__}") from error
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            raise ChatError("the model endpoint answered something else than a chat completion") from error
        usage, content = answer.usage or _Usage(), answer.choices[0].message.content
        return Reply(content, usage.prompt_tokens, usage.completion_tokens, time.monotonic() - started)

    def _post(self, body: bytes, remaining: Remaining) -> bytes:
        secure = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        seconds = max(0.001, min(remaining(), TIMEOUT_SECONDS))
        connection = kind(self._url.hostname or "", self._url.port, timeout=seconds)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        try:
            connection.connect()
            with _ended(connection.sock, time.monotonic() + seconds, remaining):
                connection.request("POST", self._url.path, body, headers)
                response = connection.getresponse()
                raw = response.read(self._most + 1)
        finally:
            connection.close()
        if response.status != http.client.OK:
            raise ChatError(f"the model endpoint answered {response.status}")
        if len(raw) > self._most:
            count_reached("structural_model_bytes")
            raise ChatError(f"the model endpoint answered more than {self._most} bytes")
        return raw


@contextmanager
def _ended(connected: socket.socket, end: float, remaining: Remaining) -> Iterator[None]:
    """Ends the connection, and what waits for it, once the time for the whole of it is up: however slowly it trickles
    and whatever the time between two bytes."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_EVERY_S):
            if time.monotonic() > end or remaining() <= 0:
                with suppress(OSError):
                    connected.shutdown(socket.SHUT_RDWR)
                return

    watcher = threading.Thread(target=watch, name="model-deadline", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _address(url: str, *, secret: bool) -> SplitResult:
    found = urlsplit(url)
    if found.scheme not in ("http", "https") or not found.hostname or found.username is not None:
        raise ValueError("the model's address is http:// or https://, a host and a path, without a user in it")
    if secret and found.scheme == "http" and not _is_here(found.hostname):
        raise ValueError("the model's key would go over the network in the clear: use an https:// address")
    if found.port == 0:
        raise ValueError("the model's address names port 0: give a port from 1 to 65535")
    return found


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class RecordingChat:
    """Passes on to a chat and keeps each exchange in a file (`--record`)."""

    def __init__(self, inner: Chat, path: Path) -> None:
        self._inner = inner
        self._path = path

    def ask(self, messages: list[Message], remaining: Remaining = unlimited) -> Reply:
        reply = self._inner.ask(messages, remaining)
        with open(open_private(self._path, os.O_WRONLY | os.O_APPEND), "ab") as file:
            file.write(msgspec.json.encode({"key": _key(messages), "messages": messages, "reply": reply}) + b"\n")
        return reply


class ReplayChat:
    """Answers from a recording (`--replay`); raises ChatError for what was never asked."""

    def __init__(self, path: Path) -> None:
        exchanges = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
        self._replies = {exchange["key"]: msgspec.convert(exchange["reply"], Reply) for exchange in exchanges}

    def ask(self, messages: list[Message], remaining: Remaining = unlimited) -> Reply:
        reply = self._replies.get(_key(messages))
        if reply is None:
            raise ChatError("the recording has no such conversation: record it anew")
        return reply


def _key(messages: list[Message]) -> str:
    return hashlib.blake2b(msgspec.json.encode(messages), digest_size=16).hexdigest()
