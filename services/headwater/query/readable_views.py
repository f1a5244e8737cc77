"""Which views a caller may read at all, decided once for as long as neither the views nor the grants change."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from headwater.domain.grants import Grants
from headwater.domain.view import ViewState
from headwater.query.view_choice import readable_views


class ReadableViews:
    """With thousands of repositories, of which a caller sees ten, deciding is what grants cost in each question."""

    def __init__(self, keep: int = 256) -> None:
        self._keep, self._lock = keep, Lock()
        self._kept: OrderedDict[Grants, tuple[Sequence[ViewState], Sequence[ViewState]]] = OrderedDict()

    def of(self, states: Sequence[ViewState], grants: Grants) -> Sequence[ViewState]:
        """`states` are kept for as long as the same object is given."""
        with self._lock:
            all_states, readable = self._kept.get(grants, ((), ()))
            if all_states is not states:
                readable = readable_views(states, grants)
                self._kept[grants] = (states, readable)
                if len(self._kept) > self._keep:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(grants)
            return readable
