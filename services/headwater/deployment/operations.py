"""What operators work on in the streaming system: the live catalog, and the pipeline through its topics."""

from collections.abc import Callable, Sequence

from headwater.deployment.parts.catalog import WholeCatalog
from headwater.domain.query_error import InvalidQuestionError, NotFoundError, UnavailableError
from headwater.events import CommitReceived
from headwater.query.administration import Letter, Operations
from headwater.streaming.dead_letters import LetterId, list_letters, replay_letters
from headwater.streaming.kafka import DeliveryError, KafkaUnavailableError, Publisher
from headwater.streaming.kafka_connection import Access
from headwater.streaming.ref_updates import RefUpdates


def operations(
    catalog: Callable[[], WholeCatalog],
    access: Access | None,
    others: Callable[[], Sequence[WholeCatalog]] = tuple,
) -> Operations:
    """Without a connection there are no repairs and no dead letters. Vectors that nothing shows go with the
    reconciler's next look."""
    return Operations(
        catalog=catalog,
        others=others,
        collect=lambda: catalog().collect(1),
        send=_Repairs(access) if access else None,
        letters=KafkaLetters(access) if access else None,
    )


class _Repairs:
    """Connects with the first one."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def __call__(self, events: Sequence[CommitReceived]) -> None:
        try:
            RefUpdates(Publisher(self._access)).publish(events)
        except (DeliveryError, KafkaUnavailableError) as error:
            raise _away() from error


class KafkaLetters:
    """Implements `Letters`."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def list(self, topics: Sequence[str]) -> Sequence[Letter]:
        try:
            stored = list(list_letters(self._access.connection(), topics))
        except KeyError as error:
            raise NotFoundError("UNKNOWN_TOPIC", f"no topic {error.args[0]}: see the topology") from error
        except KafkaUnavailableError as error:
            raise _away() from error
        return [
            Letter(str(one.id), one.letter.stage, one.letter.reason, one.letter.attempts, one.letter.at)
            for one in stored
        ]

    def replay(self, ids: Sequence[str]) -> Sequence[str]:
        try:
            places = [LetterId.parse(i) for i in ids]
        except ValueError as error:
            raise InvalidQuestionError("ids", str(error)) from error
        try:
            return [str(one.id) for one in replay_letters(self._access.connection(), places)]
        except (DeliveryError, KafkaUnavailableError) as error:
            raise _away() from error


def _away() -> UnavailableError:
    return UnavailableError("KAFKA_UNAVAILABLE", "the topics can't be reached now: try again")
