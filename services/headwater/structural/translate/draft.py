"""A query node while it is being read."""

from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.structural.query import AnyOf, Condition, Construct, Node, Not, Related, Relation
from headwater.structural.too_large import TooLargeError

DEEPEST = 24  # a sentence that nests deeper is no question
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

    def node(self, deepest: int = DEEPEST) -> Node:
        """Raises TooLargeError when it nests deeper."""
        if not deepest:
            raise too_deep()
        conditions = (_finished(condition, deepest - 1) for condition in self.conditions)
        return Node(self.construct or Construct.ANY, tuple(dict.fromkeys(conditions)))


def too_deep() -> TooLargeError:
    message = f"the question nests more than {DEEPEST} constructs: ask for less at once"
    return TooLargeError("structural_depth", message)


def either(first: Pending, second: Pending) -> Condition:
    """One of two relations; negated, neither."""
    both = AnyOf(
        tuple(_finished((relation, draft, index, False), DEEPEST) for relation, draft, index, _ in (first, second))
    )
    return Not(both) if first[3] else both


def _finished(condition: "Condition | Pending", deepest: int) -> Condition:
    if not isinstance(condition, tuple):
        return condition
    relation, draft, index, negated = condition
    related = Related(relation, draft.node(deepest), index)
    return Not(related) if negated else related
