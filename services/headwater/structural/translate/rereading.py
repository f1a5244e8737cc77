"""Other readings of a question whose first reading matches nothing: other attachments, wider relations, other kinds."""

from collections.abc import Callable, Iterator
from itertools import islice

from headwater.structural.query import Condition, Construct, Name, Node, Not, Query, Related, Relation
from headwater.structural.translate.symbols import Symbols

_MOST_TRIED = 60
_WIDER = {
    Relation.ARGUMENT: (Relation.USES, Relation.CONTAINS),
    Relation.RECEIVER: (Relation.USES,),
    Relation.VALUE: (Relation.USES, Relation.CONTAINS),
    Relation.CONDITION: (Relation.USES, Relation.CONTAINS),
    Relation.CONTAINS: (Relation.USES,),
    Relation.USES: (Relation.CONTAINS,),
    Relation.ARGUMENT_OF: (Relation.USED_BY, Relation.INSIDE),
    Relation.RECEIVER_OF: (Relation.USED_BY,),
    Relation.VALUE_OF: (Relation.USED_BY, Relation.INSIDE),
    Relation.CONDITION_OF: (Relation.INSIDE,),
    Relation.CONTROLLED_BY: (Relation.INSIDE,),
    Relation.CONTROLS: (Relation.CONTAINS,),
    Relation.USED_BY: (Relation.INSIDE,),
}
_NAMED = (
    *(Construct.CALL, Construct.VARIABLE, Construct.FIELD, Construct.PARAMETER, Construct.NEW, Construct.METHOD),
    *(Construct.CLASS,),
)


def reread(query: Query, symbols: Symbols, matches: Callable[[Query], bool]) -> Query | None:
    """The nearest other reading that matches something, None when none of those tried does."""
    for node in islice(_readings(query.target, symbols), _MOST_TRIED):
        other = Query(query.version, node, query.language)
        if matches(other):
            return other
    return None


def _readings(target: Node, symbols: Symbols) -> Iterator[Node]:
    """Each once, those with one change before those with two."""
    seen, once = {target}, list[Node]()
    for node in _changed(target, symbols):
        if node not in seen:
            seen.add(node)
            once.append(node)
            yield node
    for first in once:
        for node in _changed(first, symbols):
            if node not in seen:
                seen.add(node)
                yield node


def _changed(target: Node, symbols: Symbols) -> Iterator[Node]:
    yield from _raised(target)
    yield from _lowered(target)
    yield from _widened(target)
    yield from _renamed(target, symbols, top=True)


def _raised(target: Node) -> Iterator[Node]:
    """What is said of an inner construct may be said of the target."""
    for position, condition in enumerate(target.where):
        if not isinstance(condition, Related):
            continue
        for inner in condition.node.where:
            if isinstance(inner.condition if isinstance(inner, Not) else inner, Related):
                rest = tuple(other for other in condition.node.where if other is not inner)
                less = Related(condition.relation, Node(condition.node.construct, rest), condition.index)
                yield Node(target.construct, (*_replaced(target.where, position, less), inner))


def _lowered(target: Node) -> Iterator[Node]:
    """What is said of the target may be said of the construct named before."""
    for position, condition in enumerate(target.where[:-1]):
        following = target.where[position + 1]
        if isinstance(condition, Related) and isinstance(following, Related):
            more = Node(condition.node.construct, (*condition.node.where, following))
            where = _replaced(target.where, position, Related(condition.relation, more, condition.index))
            yield Node(target.construct, where[: position + 1] + where[position + 2 :])


def _widened(node: Node) -> Iterator[Node]:
    for position, condition in enumerate(node.where):
        if not isinstance(condition, Related):
            continue
        if condition.index is not None:
            yield Node(node.construct, _replaced(node.where, position, Related(condition.relation, condition.node)))
        for wider in _WIDER.get(condition.relation, ()):
            yield Node(node.construct, _replaced(node.where, position, Related(wider, condition.node)))
        for inner in _widened(condition.node):
            other = Related(condition.relation, inner, condition.index)
            yield Node(node.construct, _replaced(node.where, position, other))


def _renamed(node: Node, symbols: Symbols, *, top: bool) -> Iterator[Node]:
    """A bare name may be that of another kind of construct."""
    names = [condition.pattern for condition in node.where if isinstance(condition, Name)]
    if not top and names and node.construct in _NAMED:
        simple = names[0].rpartition(".")[2]
        for kind in _NAMED:
            if kind is not node.construct and symbols.count(simple, kind):
                yield Node(kind, node.where)
    for position, condition in enumerate(node.where):
        if isinstance(condition, Related):
            for inner in _renamed(condition.node, symbols, top=False):
                other = Related(condition.relation, inner, condition.index)
                yield Node(node.construct, _replaced(node.where, position, other))


def _replaced(where: tuple[Condition, ...], position: int, condition: Condition) -> tuple[Condition, ...]:
    return (*where[:position], condition, *where[position + 1 :])
