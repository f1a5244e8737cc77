"""Talks to an OpenAI-compatible endpoint, or to a recording of one."""

import hashlib
import http.client
import json
import os
import time
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import msgspec

from headwater.runtime.private_files import open_private

TIMEOUT_SECONDS = 60.0


class Message(msgspec.Struct, frozen=True):
    role: str
    content: str


class Reply(msgspec.Struct, frozen=True):
    """What the model said, and what it cost: tokens, seconds."""

    content: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class ChatError(RuntimeError):
    """The endpoint could not be reached, refused, or has no recording."""


class Chat(Protocol):
    def ask(self, messages: list[Message], seconds: float = TIMEOUT_SECONDS) -> Reply:
        """Waits at most so many seconds. Raises ChatError."""
        ...


class HttpChat:
    """POSTs to `<base>/chat/completions`; connects to nothing else."""

    def __init__(self, base_url: str, model: str, key: str = "") -> None:
        self._url = urlsplit(base_url.rstrip("/") + "/chat/completions")
        self._model = model
        self._key = key

    def ask(self, messages: list[Message], seconds: float = TIMEOUT_SECONDS) -> Reply:
        body = {"model": self._model, "temperature": 0, "messages": [msgspec.to_builtins(m) for m in messages]}
        started = time.monotonic()
        try:
            answer = json.loads(self._post(json.dumps(body).encode(), min(seconds, TIMEOUT_SECONDS)))
            usage = answer.get("usage", {})
            content = str(answer["choices"][0]["message"]["content"])
        except (OSError, http.client.HTTPException, ValueError, KeyError, IndexError) as error:
            raise ChatError(f"the model endpoint gave no usable answer: {error}") from error
        took = time.monotonic() - started
        return Reply(content, usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0), took)

    def _post(self, body: bytes, seconds: float) -> bytes:
        secure = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(self._url.hostname or "", self._url.port, timeout=seconds)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        try:
            connection.request("POST", self._url.path, body, headers)
            response = connection.getresponse()
            raw = response.read()
        finally:
            connection.close()
        if response.status != http.client.OK:
            raise ChatError(f"the model endpoint answered {response.status}")
        return raw


class RecordingChat:
    """Passes on to a chat and keeps each exchange in a file (`--record`)."""

    def __init__(self, inner: Chat, path: Path) -> None:
        self._inner = inner
        self._path = path

    def ask(self, messages: list[Message], seconds: float = TIMEOUT_SECONDS) -> Reply:
        reply = self._inner.ask(messages, seconds)
        with open(open_private(self._path, os.O_WRONLY | os.O_APPEND), "ab") as file:
            file.write(msgspec.json.encode({"key": _key(messages), "messages": messages, "reply": reply}) + b"\n")
        return reply


class ReplayChat:
    """Answers from a recording (`--replay`); raises ChatError for what was never asked."""

    def __init__(self, path: Path) -> None:
        exchanges = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
        self._replies = {exchange["key"]: msgspec.convert(exchange["reply"], Reply) for exchange in exchanges}

    def ask(self, messages: list[Message], seconds: float = TIMEOUT_SECONDS) -> Reply:
        reply = self._replies.get(_key(messages))
        if reply is None:
            raise ChatError("the recording has no such conversation: record it anew")
        return reply


def _key(messages: list[Message]) -> str:
    return hashlib.blake2b(msgspec.json.encode(messages), digest_size=16).hexdigest()
