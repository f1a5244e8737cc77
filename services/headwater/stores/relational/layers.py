"""What a generation consists of: its own entries and, for a branch, those of its base that they don't replace."""

from collections.abc import Sequence

import msgspec

from headwater.stores.index_reader import Scope
from headwater.stores.relational.database import Session

# an own entry hides the base's at the same place; one without a mode says that nothing is there
_HIDES = "o.directory = e.directory AND o.name = e.name"
MASK = f"""AND NOT EXISTS(
  SELECT 1 FROM entries o WHERE o.view = ? AND {_HIDES} AND o.from_generation <= ? AND o.to_generation > ?)"""
UNMASKED = f"""(s.above = 0 OR NOT EXISTS(
  SELECT 1 FROM entries o WHERE o.view = s.above AND {_HIDES}
  AND o.from_generation <= s.above_generation AND o.to_generation > s.above_generation))"""


class Layer(msgspec.Struct, frozen=True):
    """The entries of a view at a generation, without those at places of the layer above, if there is one."""

    view: int
    generation: int
    above: int = 0
    above_generation: int = 0

    @property
    def mask(self) -> str:
        """What follows `e.view = ? AND e.from_generation <= ? AND e.to_generation > ?` in a condition."""
        return MASK if self.above else ""

    @property
    def place(self) -> tuple[int, ...]:
        """The parameters of that condition with the mask."""
        own = (self.view, self.generation, self.generation)
        return (*own, self.above, self.above_generation, self.above_generation) if self.above else own


def layers_of(session: Session, view_id: int, generation: int) -> tuple[Layer, ...]:
    """The view's own, then its base's."""
    rows = session.rows(
        "SELECT base_view, base_generation FROM generations WHERE view = ? AND generation = ?", view_id, generation
    )
    base_view, base_generation = rows[0] if rows else (0, 0)
    return stacked(view_id, generation, base_view, base_generation)


def stacked(view_id: int, generation: int, base_view: int, base_generation: int) -> tuple[Layer, ...]:
    own = Layer(view_id, generation)
    return (own, Layer(base_view, base_generation, view_id, generation)) if base_view else (own,)


def scope_param(scope: Scope) -> list[list[int]]:
    """The parameter of `@scope`."""
    return [
        [i, layer.view, layer.generation, layer.above, layer.above_generation]
        for i, s in enumerate(scope)
        for layer in stacked(s.view_id, s.generation, s.base_view_id, s.base_generation)
    ]


def owners(scope: Scope) -> Sequence[tuple[int, int]]:
    """The pins that keep a scope: a base is kept by the generations that lie over it."""
    return [(s.view_id, s.generation) for s in scope]
