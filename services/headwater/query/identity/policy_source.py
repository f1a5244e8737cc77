"""The policy in force: read from its file, again when that changes; a bad new one leaves the last good one."""

import logging
import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

from headwater.domain.policy import Policy, PolicyError, doubts, parse_policy
from headwater.limits import count_reached, limits
from headwater.metrics import METRICS
from headwater.query.identity.policy_text import PolicyText

LOOK_EVERY_S = 1.0
LOG = logging.getLogger(__name__)


def read_policy(path: Path) -> Policy:
    """Raises PolicyError. What is valid but doubtful is logged."""
    try:
        content = _content(path)
    except OSError as error:
        raise PolicyError(f"the policy {path} can't be read: {error.strerror}") from error
    try:
        text = PolicyText(content, path.suffix == ".json")
    except PolicyError as error:
        raise PolicyError(f"the policy {path}: {error}") from error
    try:
        file = parse_policy(text.tree)
    except PolicyError as error:
        line = text.line(error.at)
        raise PolicyError(f"{path}, line {line}: {error}" if line else f"{path}: {error}") from error
    for doubt in doubts(file):
        LOG.warning("%s: %s", path, doubt)
    return Policy(file)


def _content(path: Path) -> bytes:
    """Raises OSError, and PolicyError for a file that isn't one, is too large, or that everybody may change."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(descriptor, "rb") as opened:
        status, folder = os.fstat(descriptor), path.resolve().parent.stat()
        if not stat.S_ISREG(status.st_mode):
            raise PolicyError(f"the policy {path} is no file: name a file")
        if status.st_mode & stat.S_IWOTH:
            raise PolicyError(f"everybody may write the policy {path}: run 'chmod o-w {path}'")
        if folder.st_mode & stat.S_IWOTH and not folder.st_mode & stat.S_ISVTX:
            raise PolicyError(f"everybody may replace the policy {path}: run 'chmod o-w {path.resolve().parent}'")
        most = limits().policy_bytes
        content = opened.read(most + 1)
    if len(content) > most:
        count_reached("policy_bytes")
        raise PolicyError(f"the policy {path} has more than {most} bytes: name groups instead of people, or use '**'")
    return content


_Stamp = tuple[int, int, int, int, int]  # the inode first: another one is another file, whole from the beginning


class PolicySource:
    """Safe to use from several threads."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises PolicyError when the first policy is bad: there is none to fall back to."""
        self._path, self._clock, self._lock = path, clock, threading.Lock()
        self._stamp = self._stamped()
        self._unsettled: _Stamp | None = None
        self._policy = read_policy(path)
        self._looked_at = clock()

    def current(self) -> Policy:
        """At most a second behind a file that was renamed into place, two behind one that was written over."""
        if self._clock() - self._looked_at < LOOK_EVERY_S:
            return self._policy
        if self._lock.acquire(blocking=False):  # who comes while another reads goes on with the last one
            try:
                self._look()
            finally:
                self._lock.release()
        return self._policy

    def _look(self) -> None:
        self._looked_at = self._clock()
        stamp = self._stamped()
        if stamp == self._stamp:
            self._unsettled = None
        elif stamp is None or self._stamp is None or stamp[0] != self._stamp[0] or stamp == self._unsettled:
            self._stamp, self._unsettled = stamp, None
            self._read_again()
        else:  # written in place: half of a policy may be a valid one, so it has to rest for a look
            self._unsettled = stamp

    def _read_again(self) -> None:
        try:
            self._policy = read_policy(self._path)
        except PolicyError as error:
            METRICS.count("headwater_query_policy_refused_total")
            LOG.error("the last good policy stays in force: %s", error)

    def _stamped(self) -> _Stamp | None:
        try:
            status = self._path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_mode
