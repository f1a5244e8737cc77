"""Which documents of a snapshot a caller's path rule hides, so that they count in no statistic."""

from collections import OrderedDict
from threading import Lock

import msgspec

from headwater.domain.grants import Grants, PathRule
from headwater.stores.index_reader import IndexReader, Scope, Snapshot

_Key = tuple[int, int, PathRule]


class HiddenDocuments:
    """Decided once for a generation and a rule, which costs as much as listing the generation's documents."""

    def __init__(self, reader: IndexReader, keep: int = 256) -> None:
        self._reader, self._keep, self._lock = reader, keep, Lock()
        self._kept: OrderedDict[_Key, frozenset[int]] = OrderedDict()

    def withheld(self, scope: Scope, grants: Grants) -> Scope:
        """The scope with the documents that the grants hide named in each snapshot."""
        if grants.path_rule is None:
            return scope
        return tuple(self._withheld(snapshot, grants.rule_for(snapshot.view.repo)) for snapshot in scope)

    def _withheld(self, snapshot: Snapshot, rule: PathRule | None) -> Snapshot:
        if rule is None:
            return snapshot
        key = (snapshot.view_id, snapshot.generation, rule)
        with self._lock:
            hidden = self._kept.get(key)
            if hidden is not None:
                self._kept.move_to_end(key)
        if hidden is None:
            hidden = self._decide(snapshot, rule)
            with self._lock:
                self._kept[key] = hidden
                while len(self._kept) > self._keep:
                    self._kept.popitem(last=False)
        return msgspec.structs.replace(snapshot, hidden=hidden)

    def _decide(self, snapshot: Snapshot, rule: PathRule) -> frozenset[int]:
        rows = self._reader.documents_containing((snapshot,), ())
        return frozenset(row.document_id for row in rows if not rule(snapshot.view.repo, row.path))
