"""A query node while it is being read."""

from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.structural.query import AnyOf, Condition, Construct, Node, Not, Related, Relation

# Relation, its other node, the argument's index, whether it is negated.
Pending: TypeAlias = "tuple[Relation, Draft, int | None, bool]"


@dataclass(slots=True, eq=False)
class Draft:
    """Conditions are final ones, or relations to drafts that may still grow."""

    construct: Construct | None = None
    conditions: "list[Condition | Pending]" = field(default_factory=list)
    pending_type: str = ""
    guessed: str = ""  # the bare name that the construct was guessed from
    by_value: bool = False  # `the result of X`: what takes it may do so by way of a variable

    def node(self) -> Node:
        return Node(self.construct or Construct.ANY, tuple(dict.fromkeys(_finished(c) for c in self.conditions)))


def either(first: Pending, second: Pending) -> Condition:
    """One of two relations; negated, neither."""
    both = AnyOf(tuple(_finished((relation, draft, index, False)) for relation, draft, index, _ in (first, second)))
    return Not(both) if first[3] else both


def _finished(condition: "Condition | Pending") -> Condition:
    if not isinstance(condition, tuple):
        return condition
    relation, draft, index, negated = condition
    related = Related(relation, draft.node(), index)
    return Not(related) if negated else related
