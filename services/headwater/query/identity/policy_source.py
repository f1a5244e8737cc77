"""The policy in force: read from its file, again when that changes; a bad new one leaves the last good one."""

import logging
import threading
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from headwater.domain.policy import Policy, PolicyError, parse_policy
from headwater.metrics import METRICS

LOOK_EVERY_S = 1.0
MAX_BYTES = 16 << 20
LOG = logging.getLogger(__name__)


def read_policy(path: Path) -> Policy:
    """Raises PolicyError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PolicyError(f"the policy {path} can't be read: {error.strerror}") from error
    if len(content) > MAX_BYTES:
        raise PolicyError(f"the policy {path} has more than {MAX_BYTES} bytes")
    try:
        tree = msgspec.json.decode(content) if path.suffix == ".json" else yaml.load(content, _Loader)
    except (yaml.YAMLError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        kind = "JSON" if path.suffix == ".json" else "YAML"
        raise PolicyError(f"the policy {path} is no {kind}: {error}") from error
    try:
        return Policy(parse_policy(tree))
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from error


class _Loader(yaml.SafeLoader):
    """Safe YAML without aliases, which can grow without bound, and without double keys, which hide rules."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not allowed")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        doubles = sorted({str(key) for key in keys if keys.count(key) > 1})
        if doubles:
            raise yaml.YAMLError(f"line {node.start_mark.line + 1}: {', '.join(doubles)} stands twice")
        return super().construct_mapping(node, deep)


class PolicySource:
    """Safe to use from several threads."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises PolicyError when the first policy is bad: there is none to fall back to."""
        self._path, self._clock, self._lock = path, clock, threading.Lock()
        self._stamp = self._stamped()
        self._policy = read_policy(path)
        self._looked_at = clock()

    def current(self) -> Policy:
        """At most a second behind the file."""
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
        if stamp != self._stamp:
            self._stamp = stamp
            self._read_again()

    def _read_again(self) -> None:
        try:
            self._policy = read_policy(self._path)
        except PolicyError as error:
            METRICS.count("headwater_query_policy_refused_total")
            LOG.error("the last good policy stays in force: %s", error)

    def _stamped(self) -> tuple[int, int, int] | None:
        try:
            stat = self._path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size, stat.st_ino
