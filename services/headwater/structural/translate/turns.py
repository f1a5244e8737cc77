"""Turns of phrase that say something else of a noun phrase than its relation to the next one."""

from headwater.structural.query import CONTROLS, AnyOf, Construct, Modifier, Name, Not, Relation, Type
from headwater.structural.translate import lexicon
from headwater.structural.translate.attach import TESTING_ARGUMENTS
from headwater.structural.translate.cursor import Cursor
from headwater.structural.translate.draft import Draft
from headwater.structural.translate.naming import Naming
from headwater.structural.translate.nouns import NounPhrases
from headwater.structural.translate.post_modifiers import MODIFIED, declare
from headwater.structural.translate.tokens import Kind

_OF_TYPE = (Construct.CATCH, Construct.CAST, Construct.INSTANCEOF)
_BY_VALUE = {
    Relation.ARGUMENT: Relation.USES,
    Relation.RECEIVER: Relation.USES,
    Relation.CONDITION: Relation.USES,
    Relation.VALUE: Relation.USES,
    Relation.CONTAINS: Relation.USES,
    Relation.ARGUMENT_OF: Relation.USED_BY,
    Relation.RECEIVER_OF: Relation.USED_BY,
}
_PASSED_ON = (Relation.ARGUMENT_OF, Relation.RECEIVER_OF, Relation.CONDITION_OF, Relation.VALUE_OF)
_CODE = (Construct.METHOD, Construct.LAMBDA)
_COMPUTING = frozenset(("+", "+=", "-", "-=", "*", "/", "++", "--", "<<", ">>", ">>>"))
_GUARDS = (Construct.OPERATOR, Construct.INSTANCEOF, Construct.CALL, Construct.VARIABLE, Construct.METHOD)


class Turns:
    """Reads one such turn at the cursor, or leaves the cursor where it was."""

    def __init__(self, cursor: Cursor, naming: Naming, nouns: NounPhrases) -> None:
        self._cursor = cursor
        self._naming = naming
        self._nouns = nouns

    def read(self, chain: list[Draft], word: str, *, negated: bool) -> bool:
        if word == "empty":
            self._cursor.at += 1
            self._nouns.emptied(chain[0])
            return True
        if self._modifier(chain[0], word, negated=negated):
            return True
        if word == "as" and self._as_argument(chain, negated=negated):
            return True
        if word == "to" and self._assigned(chain[0]):
            return True
        return self._of_type(chain, word) or self._returning(chain, word)

    def _modifier(self, owner: Draft, word: str, *, negated: bool) -> bool:
        """`…, that are not final`."""
        negated = negated != (non := word == "non")
        modifier = self._cursor.word(int(non))
        modified = (*MODIFIED, Construct.FIELD, Construct.VARIABLE)
        if modifier not in (*lexicon.MODIFIER_WORDS, "synchronized") or owner.construct not in modified:
            return False
        if self._cursor.phrase(lexicon.NOUNS, 1 + non) is not None:
            return False
        self._cursor.at += 1 + non
        declare(owner)
        owner.conditions.append(Not(Modifier(modifier)) if negated else Modifier(modifier))
        return True

    def _assigned(self, owner: Draft) -> bool:
        """`assign null to next`."""
        named = any(isinstance(condition, Name) for condition in owner.conditions)
        if named or owner.construct is not Construct.ASSIGNMENT or not self._cursor.is_name(1):
            return False
        owner.conditions.append(Name(self._cursor.tokens[self._cursor.at + 1].text))
        self._cursor.at += 2
        return True

    def _of_type(self, chain: list[Draft], word: str) -> bool:
        """`cast … to X`, `catch X or Y`: what else than its type would be said so of it?"""
        owner = next((draft for draft in reversed(chain) if draft.construct in _OF_TYPE), None)
        if owner is None or any(isinstance(c, Type) for c in owner.conditions):
            return False
        caught = owner.construct is Construct.CATCH and owner is chain[-1] and word in ("with", "on")
        skip = 1 if caught or word in ("to", "of", "for", "into", "as") else 0
        token = self._cursor.peek(skip)
        if token is None or token.relative or not self._cursor.is_name(skip):
            return False
        if token.kind is Kind.NAME and not self._naming.reads_as_type(token.text):
            return False
        if not skip and (self._cursor.phrase(lexicon.NOUNS, 1) is not None or token.kind is not Kind.NAME):
            return False
        self._cursor.at += skip + 1
        owner.conditions.append(Type(token.text))
        return True

    def _as_argument(self, chain: list[Draft], *, negated: bool) -> bool:
        """`null as the second argument`, with or without the call that it is an argument of."""
        ahead = 1
        index = lexicon.ORDINALS.get(self._cursor.word(ahead))
        ahead += index is not None
        if self._cursor.word(ahead) not in lexicon.ARGUMENT_NOUNS:
            return False
        self._cursor.at += ahead + 1
        if any(isinstance(c, tuple) and c[0] is Relation.ARGUMENT for draft in chain for c in draft.conditions):
            return True  # said of an argument that is read already
        inner: Draft | None = None
        if self._cursor.word() in ("of", "to", "for", "in"):
            self._cursor.at += 1
            inner = self._nouns.read(Relation.ARGUMENT_OF)
        inner = inner or Draft(Construct.CALL)
        settled(chain[0], Relation.ARGUMENT_OF, inner, self._naming)
        chain[0].conditions.append((Relation.ARGUMENT_OF, inner, index, negated))
        chain.append(inner)
        return True

    def _returning(self, chain: list[Draft], word: str) -> bool:
        """A method that `returns String`."""
        token = self._cursor.peek(1)
        if word not in ("return", "returning") or chain[0].construct is not Construct.METHOD or token is None:
            return False
        if not self._cursor.is_name(1) or (token.kind is Kind.NAME and not self._naming.reads_as_type(token.text)):
            return False
        self._cursor.at += 2
        chain[0].conditions.append(Type("String" if token.text == "string" else token.text))
        return True


def settled(
    owner: Draft, relation: Relation | None, inner: Draft, naming: Naming, *, numbered: bool = False
) -> Relation | None:
    """The relation that is meant, between constructs that are meant.

    `passed to a method` is to a call of one, a method that `takes a Reader` has a parameter of that type, what takes
    `the result of` something may do so by way of a variable, what depends on an `if` is controlled by it, and what is
    guarded by a test is controlled by an `if` with it.
    """
    if relation is Relation.ARGUMENT_OF and inner.construct is Construct.METHOD:
        inner.construct = inner.construct if owner.construct is Construct.PARAMETER else Construct.CALL
    if owner.construct is Construct.PARAMETER and inner.construct not in _CODE and relation in _PASSED_ON:
        return Relation.USED_BY
    if relation is Relation.CONDITION and owner.construct in TESTING_ARGUMENTS:
        relation = Relation.ARGUMENT
    if relation is Relation.USES and owner.construct in (Construct.METHOD, Construct.CLASS):
        relation = Relation.CONTAINS
    if relation is Relation.CONTROLLED_BY and inner.construct in _GUARDS:
        _into_if(inner)
    if relation is Relation.CONTAINS and owner.construct is Construct.CLASS and inner.guessed:
        inner.construct = Construct.METHOD if naming.symbols.count(inner.guessed, Construct.METHOD) else inner.construct
    takes = relation is Relation.ARGUMENT and owner.construct in (Construct.METHOD, Construct.LAMBDA)
    if takes and inner.guessed and naming.reads_as_type(inner.guessed):
        inner.construct, inner.conditions = Construct.PARAMETER, [Type(inner.guessed)]
    if relation is Relation.USES and inner.construct in CONTROLS and inner.construct is not Construct.CONDITIONAL:
        return Relation.CONTROLLED_BY
    return _BY_VALUE.get(relation, relation) if inner.by_value and relation and not numbered else relation


def computes(draft: Draft) -> bool:
    """Whether it is an operator that makes a value rather than tests one."""
    named = (c.conditions[0] if isinstance(c, AnyOf) else c for c in draft.conditions)
    return draft.construct is Construct.OPERATOR and any(isinstance(c, Name) and c.pattern in _COMPUTING for c in named)


def _into_if(test: Draft) -> None:
    """Makes of a test the `if` that has it as its condition."""
    construct = Construct.CALL if test.construct is Construct.METHOD else test.construct
    test.conditions = [(Relation.CONDITION, Draft(construct, test.conditions), None, False)]
    test.construct = Construct.IF
