"""Operations while the index goes on moving."""

from pathlib import Path

from headwater.clients.static_model import StaticModel
from headwater.domain.grants import Grants
from headwater.query.administration import Administration, Operations
from headwater.stores.catalog import Catalog
from support.small_index import SmallIndex

ADMIN = Grants(principal="user:root", admin=True)


class Moving:
    """A catalog in which a view moves on, or is gone, whenever it is asked for again after the first time."""

    def __init__(self, folder: Path, goes: bool) -> None:
        self.index, self._goes, self._asked = SmallIndex(folder, StaticModel()), goes, 0
        self.index.commit({"a.py": "x = 1\n", "pkg/b.py": "y = 1\n"})

    def catalog(self) -> Catalog:
        self._asked += 1
        catalog = self.index.catalog
        if self._asked == 2 and self._goes:
            catalog.delete_view(catalog.views()[0].view)
        elif self._asked == 2:
            self.index.commit({"a.py": "x = 2\n"})
            catalog.collect(1)
        return catalog


def _holds(moving: Moving) -> list[bool]:
    admin = Administration(Operations(catalog=moving.catalog, collect=lambda: 0))
    try:
        return [proof.root == proof.tree for proof in admin.verify(ADMIN, "", ())]
    finally:
        moving.index.close()


def test_a_view_that_moves_while_it_is_verified_is_no_false_alarm(tmp_path: Path) -> None:
    assert _holds(Moving(tmp_path, goes=False)) == [True]


def test_a_view_that_goes_while_it_is_verified_is_left_out(tmp_path: Path) -> None:
    assert _holds(Moving(tmp_path, goes=True)) == []


def test_what_is_done_to_a_repository_is_done_in_every_edition(tmp_path: Path) -> None:
    live, other = (SmallIndex(tmp_path / name, StaticModel()) for name in ("live", "other"))
    for index in (live, other):
        index.commit({"a.py": "x = 1\n"}, "app")
    own = Operations(catalog=lambda: live.catalog, collect=lambda: 0, others=lambda: [other.catalog])
    admin = Administration(own)
    for paused in (True, False):
        admin.set_paused(ADMIN, "app", paused)
        assert [r.paused for index in (live, other) for r in index.catalog.repositories()] == [paused, paused]
    assert admin.remove(ADMIN, "app") == 1
    assert [r for index in (live, other) for r in index.catalog.repositories()] == []
    live.close()
    other.close()
