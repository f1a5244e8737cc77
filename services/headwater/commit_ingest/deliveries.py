"""What becomes of one delivery of a git host or hook, as an HTTP status and a line; knows no HTTP library."""

import hashlib
import hmac
import threading
import time
from collections.abc import Callable, Iterable, Mapping

import msgspec

from headwater.commit_ingest.hook import read_post_receive
from headwater.commit_ingest.process import received, repository_of
from headwater.commit_ingest.replay_guard import ReplayGuard
from headwater.commit_ingest.webhook import HOSTS, ForgedError, MalformedError, Push, read_push
from headwater.streaming.errors import InvalidEventError
from headwater.streaming.kafka import DeliveryError
from headwater.streaming.ref_updates import Publish

Repositories = Callable[[], Mapping[str, str]]  # name to location


class Reply(msgspec.Struct, frozen=True):
    """202 only once the broker has confirmed; a host sends anything of 500 and above again."""

    status: int
    text: str


class Deliveries:
    """Safe to use from several threads. `secrets` are by host, and by "hook" for the post-receive hook."""

    def __init__(
        self,
        repositories: Repositories,
        publish: Publish,
        secrets: Mapping[str, str],
        patterns: Iterable[str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._repositories, self._publish, self._secrets = repositories, publish, secrets
        self._patterns, self._clock = tuple(patterns), clock
        self._guard, self._lock = ReplayGuard(), threading.Lock()

    def take(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """`headers` have lower-case names. Raises CatalogUnavailableError."""
        kind = path.removeprefix("/webhook/")
        try:
            if path == "/hook":
                return self._hook(headers, body)
            if kind in HOSTS and kind != path:
                return self._webhook(kind, headers, body)
        except ForgedError as error:
            return Reply(401, str(error))
        except MalformedError as error:
            return Reply(400, str(error))
        except InvalidEventError as error:
            return Reply(413, str(error))
        except DeliveryError as error:
            return Reply(503, f"not taken, send it again: {error}")
        return Reply(404, f"post to /hook or to /webhook/ and one of {', '.join(HOSTS)}")

    def _webhook(self, host: str, headers: Mapping[str, str], body: bytes) -> Reply:
        push = read_push(host, headers, body, self._secrets.get(host, ""))
        if push is None:
            return Reply(200, "not a push: nothing to do")
        signed = f"{host} {hashlib.sha256(body).hexdigest()}"  # ids of deliveries are in headers, which nobody signs
        with self._lock:
            if not self._guard.is_new(signed):
                return Reply(200, "this delivery was taken before")
        reply = self._taken([push], "webhook")
        if reply.status == 202:
            with self._lock:
                self._guard.remember(signed)
        return reply

    def _hook(self, headers: Mapping[str, str], body: bytes) -> Reply:
        secret = self._secrets.get("hook", "")
        if not secret or not hmac.compare_digest(headers.get("x-headwater-token", "").encode(), secret.encode()):
            raise ForgedError("the header X-Headwater-Token is not the hook's token")
        name = headers.get("x-headwater-repository", "")
        return self._taken(read_post_receive(name, body.decode("utf-8", "replace")), "hook")

    def _taken(self, pushes: list[Push], cause: str) -> Reply:
        repositories, now = self._repositories(), self._clock()
        found = [(repository_of(push.names, repositories), push) for push in pushes]
        if any(repo is None for repo, _push in found):
            return Reply(404, "the repository is not configured here")
        events = [received(push, repo, self._patterns, now, cause) for repo, push in found if repo is not None]
        wanted = [event for event in events if event is not None]
        if not wanted:
            return Reply(200, "no ref that is followed")
        self._publish(wanted)
        return Reply(202, f"{len(wanted)} ref updates taken")
