"""What can be said of which construct: decides to which noun phrase a clause belongs."""

from headwater.structural.query import CONTROLS, LOOPS, Condition, Construct, Name, Relation

_CALLABLE = (Construct.CALL, Construct.NEW)
_WITH_ARGUMENTS = (
    *_CALLABLE,
    *(Construct.OPERATOR, Construct.METHOD, Construct.LAMBDA, Construct.CONDITIONAL, Construct.ARRAY_ACCESS),
    *(Construct.INSTANCEOF, Construct.FOREACH, Construct.CAST, Construct.ASSERT),
)
WITH_CONDITION = (Construct.IF, *LOOPS, Construct.LOOP, Construct.SWITCH, Construct.CASE, Construct.SYNCHRONIZED)
TESTING_ARGUMENTS = (Construct.CONDITIONAL, Construct.ASSERT)  # their condition is an argument
_WITH_VALUE = (Construct.RETURN, Construct.THROW, Construct.ASSIGNMENT, Construct.CAST, Construct.LAMBDA)
_TESTS = (Construct.OPERATOR, Construct.INSTANCEOF, Construct.CALL, Construct.VARIABLE, Construct.FIELD)
_COMPARED = (Construct.OPERATOR, Construct.INSTANCEOF, Construct.LITERAL)
_BODIES = (*CONTROLS, Construct.LOOP)
_ENCLOSING = tuple(c for c in _BODIES if c is not Construct.CONDITIONAL)
# Said of the whole, even where another part of it is nearer.
WHOLE: dict[Construct | None, Construct] = {Construct.CATCH: Construct.TRY, Construct.FINALLY: Construct.TRY}
_NAMED = (
    *_CALLABLE,
    *(Construct.OPERATOR, Construct.ASSIGNMENT, Construct.VARIABLE, Construct.PARAMETER, Construct.FIELD),
    *(Construct.METHOD, Construct.CLASS, Construct.IMPORT, Construct.DECLARATION),
)
_ADMITTED: dict[Relation, tuple[Construct, ...]] = {
    Relation.ARGUMENT: _WITH_ARGUMENTS,
    Relation.RECEIVER: (Construct.CALL, Construct.FIELD),
    Relation.CONDITION: (*WITH_CONDITION, *TESTING_ARGUMENTS),
    Relation.VALUE: _WITH_VALUE,
    Relation.CONTROLS: _BODIES,
    Relation.CONTAINS: (*_BODIES, Construct.METHOD, Construct.CLASS, Construct.LAMBDA, Construct.RETURN),
}


def admits(construct: Construct, what: Relation | Condition) -> bool:
    """Whether a construct can have the relation, or a name."""
    if isinstance(what, Name):
        return construct in _NAMED
    allowed = _ADMITTED.get(what) if isinstance(what, Relation) else None
    return allowed is None or construct in allowed


def default_relation(owner: Construct | None, inner: Construct | None, *, pending: bool) -> Relation | None:
    """The relation that is meant where only `with`, `of` or nothing stands between two noun phrases."""
    if owner is None or inner is None:
        return None
    return _usual_place(owner, inner) or _usual_part(owner, inner, pending=pending)


def _usual_place(owner: Construct, inner: Construct) -> Relation | None:
    if inner in _ENCLOSING and owner in (*_CALLABLE, Construct.OPERATOR, Construct.VARIABLE):
        return Relation.INSIDE
    if owner is Construct.METHOD and inner is Construct.PARAMETER:
        return Relation.ARGUMENT
    if inner in (Construct.METHOD, Construct.CLASS) and owner is not Construct.CLASS:
        return Relation.INSIDE
    return None


def _usual_part(owner: Construct, inner: Construct, *, pending: bool) -> Relation | None:
    if owner in WITH_CONDITION and inner in (_COMPARED if pending else _TESTS):
        return Relation.CONDITION
    if owner is Construct.CASE and inner in (Construct.LITERAL, Construct.FIELD, Construct.VARIABLE) and not pending:
        return Relation.CONDITION
    if owner in _WITH_VALUE and owner is not Construct.LAMBDA:
        return Relation.VALUE
    if owner is Construct.LAMBDA and inner is not Construct.PARAMETER:
        return Relation.CONTAINS
    if owner in (Construct.ARRAY_ACCESS, Construct.CONDITIONAL, Construct.FOREACH):
        return Relation.ARGUMENT if not pending else Relation.CONTAINS
    if owner in _WITH_ARGUMENTS and owner is not Construct.METHOD:
        return Relation.ARGUMENT
    if owner in _BODIES or owner in (Construct.METHOD, Construct.CLASS):
        return Relation.CONTAINS
    return Relation.USES if pending else Relation.ARGUMENT_OF
