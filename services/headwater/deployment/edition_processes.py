"""On one machine: the stages of each edition of the index, started and stopped as the row says."""

from collections.abc import Callable, Sequence

from headwater.deployment.supervisor import Supervisor
from headwater.domain.edition import Edition, Editions
from headwater.settings import prefix
from headwater.stack.process import Running, stop_together
from headwater.stores.catalog import CatalogUnavailableError


def edition_environ(edition: Edition | None) -> dict[str, str]:
    """What makes a service one of this edition's; {} for the first one of a new installation."""
    if edition is None:
        return {}
    version = edition.version
    pipeline = {"INDEX": str(edition.number), "MODEL": version.model, "DIMENSIONS": str(version.dimensions)}
    return {
        **{f"{prefix('pipeline')}{field}": value for field, value in pipeline.items()},
        **{f"{prefix('triton')}{name.upper()}": value for name, value in edition.source.items()},
    }


class EditionProcesses:
    """The first edition's processes are there when this begins; they go with it. `look` is called again and again."""

    def __init__(
        self,
        read: Callable[[], Editions],
        first: tuple[int, Sequence[Running]],
        start: Callable[[Edition], Sequence[Running]],
        live: Callable[[Edition], None],
        supervisor: Supervisor,
    ) -> None:
        """`live` is told which edition is live whenever another one is."""
        self._read, self._start, self._live, self._supervisor = read, start, live, supervisor
        self._running: dict[int, Sequence[Running]] = {first[0]: first[1]}
        self._told = first[0]

    def look(self) -> None:
        """What can't be read now is looked at again."""
        try:
            editions = self._read()
        except CatalogUnavailableError:
            return
        if editions.live is None:
            return
        if editions.live.number != self._told:
            self._live(editions.live)
            self._told = editions.live.number
        written = {edition.number: edition for edition in editions.written}
        for number in written.keys() - self._running.keys():
            self._running[number] = self._start(written[number])
            self._supervisor.add(self._running[number])
        for number in self._running.keys() - written.keys():
            self._end(self._running.pop(number))

    def stop(self) -> None:
        while self._running:
            self._end(self._running.popitem()[1])

    def _end(self, processes: Sequence[Running]) -> None:
        self._supervisor.remove(processes)
        stop_together(processes)
