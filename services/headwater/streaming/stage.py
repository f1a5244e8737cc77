"""The stage contract: a batch of events in, messages out; the same `handle` under every runner."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

import msgspec

from headwater.events import Event

E_contra = TypeVar("E_contra", contravariant=True)


class Outgoing(msgspec.Struct, frozen=True):
    """A message to produce. `topic` is the live topic's name; the runner adds the lane's suffix from the event."""

    topic: str
    key: str
    event: Event


class Stage(Protocol[E_contra]):
    """A stage is idempotent: handling a batch again, or a part of it in another order, changes nothing further."""

    name: str

    def handle(self, batch: Sequence[E_contra]) -> Iterable[Outgoing]:
        """Apply the batch durably, then yield what follows from it.

        Raises InvalidEventError (dead letter), RetryableError (again after a pause), NotNowError (back-pressure).
        Anything else ends the process. When a batch of several raises InvalidEventError, the runner hands them
        over one by one, so that only the bad one is set aside.
        """
        ...
