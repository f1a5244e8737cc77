"""Keeps what was asked last pinned, so that the next question finds its pin held and costs no write."""

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import ExitStack
from threading import Lock

from headwater.domain.view import ViewKey
from headwater.stores.index_reader import IndexReader, Scope

MAX_KEPT = 8


class KeptPins:
    """At most one generation of each recently asked choice of views; a newer one replaces it."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader, self._lock, self._closed = reader, Lock(), False
        self._kept: OrderedDict[tuple[ViewKey, ...], tuple[Scope, ExitStack]] = OrderedDict()

    def keep(self, views: Sequence[ViewKey], scope: Scope) -> None:
        """`scope` is what these views are pinned at by the caller now."""
        key = tuple(views)
        with self._lock:
            held = self._kept.get(key)
            if self._closed or (held is not None and held[0] == scope):
                return
            stack = ExitStack()
            self._kept[key] = (stack.enter_context(self._reader.pin(key)), stack)
            self._kept.move_to_end(key)
            if held is not None:
                held[1].close()
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)[1][1].close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            while self._kept:
                self._kept.popitem()[1][1].close()
