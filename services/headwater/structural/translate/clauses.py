"""Clauses: the relations between noun phrases, with negation and alternatives."""

from headwater.structural.query import CONTROLS, AnyOf, Condition, Construct, Count, Name, Not, Relation, Type, Value
from headwater.structural.translate import lexicon
from headwater.structural.translate.attach import WHOLE, WITH_CONDITION, admits, default_relation
from headwater.structural.translate.cursor import Cursor
from headwater.structural.translate.draft import Draft, either
from headwater.structural.translate.naming import Naming
from headwater.structural.translate.nouns import NounPhrases
from headwater.structural.translate.post_modifiers import SUBTYPING, PostModifiers
from headwater.structural.translate.tokens import Kind, Token
from headwater.structural.translate.turns import Turns, computes, settled

_PLACES = (Relation.INSIDE, Relation.CONTROLLED_BY, Relation.FOLLOWS, Relation.PRECEDES)
_PLAIN = (Kind.NAME, Kind.OPERATOR, Kind.STRING, Kind.NUMBER)


class Clauses:
    """Reads relation after relation and attaches each to the nearest noun phrase that can have it."""

    def __init__(self, cursor: Cursor, naming: Naming, nouns: NounPhrases, post: PostModifiers) -> None:
        self._cursor = cursor
        self._naming = naming
        self._nouns = nouns
        self._post = post
        self._turns = Turns(cursor, naming, nouns)
        self._last: tuple[Draft, Relation] | None = None  # the clause that `and` may go on with

    def leading_place(self, place: list[Draft]) -> bool:
        """`places in Foo.bar that throw …`: where comes before what."""
        relation = self._cursor.phrase(lexicon.RELATIONS)
        if relation is None or relation[1] is not Relation.INSIDE:
            return False
        self._cursor.at += relation[0]
        inner = self._nouns.read(Relation.INSIDE)
        place += [inner] if inner is not None else []
        return True

    def read(self, owner: Draft, chain: list[Draft], *, stop: bool) -> None:
        """Relation after relation; each attaches to the nearest noun phrase that can have it."""
        negated = False
        joined = False
        while (token := self._cursor.peek()) is not None:
            if stop and self._closes():
                return
            if self._cursor.word() in lexicon.NEGATIONS | lexicon.WITHOUT:
                negated = self._cursor.word() not in lexicon.OUTSIDE or not negated
                if self._cursor.word() in lexicon.NEGATIONS and self._cursor.word() not in lexicon.OUTSIDE:
                    self._cursor.at += 1
                    continue
            if self._cursor.word() in ("and", "but") or token.kind is Kind.COMMA:
                joined, self._cursor.at = True, self._cursor.at + 1
                continue
            if self._cursor.word() == "or" and self._alternative(chain[-1]):
                continue
            if idle := self._idle(stop=stop):
                self._cursor.at += idle
                continue
            start = self._cursor.at
            if not self._clause(chain, negated=negated, joined=joined):
                self._cursor.at = start
                self._cursor.skip()
                self._cursor.unused += ["not"] if negated else []
            negated = joined = False
        self._cursor.unused += ["not"] if negated else []

    def _idle(self, *, stop: bool) -> int:
        """How many words here say nothing: `only`, the `in it` of `… but no throw in it`."""
        back = not stop and self._cursor.phrase(lexicon.MARKERS) == (2, Relation.CONTAINS)
        return 2 if back else int(self._cursor.word() in lexicon.IDLE)

    def _closes(self) -> bool:
        """Whether here stands what ends the noun phrase of a pending `with X`."""
        token = self._cursor.peek()
        following = self._cursor.peek(1)
        if self._cursor.word() == "or" and (following is None or following.kind not in _PLAIN):
            return True  # another one of what holds this
        if token is not None and token.kind is Kind.COMMA:
            return True
        if self._cursor.word() in ("and", "argument", "arg", "parameter", "param"):
            return True
        if self._cursor.phrase(lexicon.MARKERS) is not None and not self._relation_with_object():
            return True
        return self._cursor.word() == "as"

    def _relation_with_object(self) -> bool:
        marker = self._cursor.phrase(lexicon.MARKERS)
        relation = self._cursor.phrase(lexicon.RELATIONS)
        if relation is None or marker is None or relation[0] < marker[0]:
            return False
        return relation[0] > marker[0] or self._cursor.peek(relation[0]) is not None

    def _clause(self, chain: list[Draft], *, negated: bool, joined: bool) -> bool:
        word = self._cursor.word()
        if self._further_type(chain[0], word) or self._turns.read(chain, word, negated=negated):
            return True
        if word in lexicon.OUTSIDE:
            self._cursor.at += 1
            return self._object(chain, Relation.INSIDE, negated=True, joined=joined)
        self._last = None if word == "containing" else self._last  # which says anew where
        return self._related(chain, word, negated=negated, joined=joined)

    def _further_type(self, owner: Draft, word: str) -> bool:
        """`classes …, that implement X`."""
        if word not in SUBTYPING or owner.construct is not Construct.CLASS:
            return False
        self._post.read(owner)
        return self._cursor.word() != word

    def _related(self, chain: list[Draft], word: str, *, negated: bool, joined: bool) -> bool:
        implied = self._cursor.phrase(lexicon.IMPLIED)
        relation = self._cursor.phrase(lexicon.RELATIONS)
        if implied is not None and relation is not None and self._encloses(relation[0]):
            relation = None  # `thrown in a loop`
        if (word in lexicon.WITH or word in lexicon.WITHOUT) and (relation is None or relation[0] == 1):
            self._cursor.at += 1
            return self._with(chain, negated=negated or word in lexicon.WITHOUT, joined=joined)
        if (
            relation is not None
            and relation[1] is Relation.VALUE
            and self._owner(chain, Relation.VALUE, joined=False) is None
        ):
            return self._object(chain, None, negated=negated, joined=joined)
        if relation is not None and (implied is None or relation[0] > implied[0]):
            self._cursor.at += relation[0]
            return self._object(chain, relation[1], negated=negated, joined=joined)
        if implied is not None:
            return self._implied(chain, implied, negated=negated)
        if word in ("of", "to", "for", "by"):
            self._cursor.at += 1
            if word == "of" and self._is_place(chain[-1]):
                return self._place_name(chain)
            return self._object(chain, None, negated=negated, joined=joined)
        return self._juxtaposed(chain, negated=negated, joined=joined)

    def _encloses(self, ahead: int) -> bool:
        noun = self._cursor.phrase(lexicon.NOUNS, ahead)
        return noun is not None and noun[1] in (*CONTROLS, Construct.LOOP, Construct.METHOD, Construct.CLASS)

    def _implied(self, chain: list[Draft], implied: tuple[int, tuple[Relation, Construct]], *, negated: bool) -> bool:
        relation, construct = implied[1]
        self._cursor.at += implied[0]
        if construct is Construct.ASSIGNMENT and chain[-1].guessed and chain[-1].construct is Construct.VARIABLE:
            chain[-1].construct = construct  # `x assigned`: an assignment to x
            return not negated
        inner = Draft(construct)
        self._post.read(inner)
        if self._cursor.word() == "to" and self._cursor.is_name(1):
            self._post.take_name(inner, 1)
        elif self._cursor.is_name(0):
            self._post.take_name(inner, 0)
        if chain[-1].construct is Construct.PARAMETER:
            relation = Relation.USED_BY
        chain[-1].conditions.append((relation, inner, None, negated))
        chain.append(inner)
        return True

    def _with(self, chain: list[Draft], *, negated: bool, joined: bool) -> bool:
        """`with two arguments`, `with X as the first argument`, `with X in the condition`."""
        owner = self._owner(chain, Relation.ARGUMENT, joined=joined) or chain[-1]
        if self._count(owner, negated=negated):
            return True
        if self._cursor.word() in lexicon.NEGATIONS:
            self._cursor.at, negated = self._cursor.at + 1, True
        whom = chain[:1] if joined else chain
        return self._object(whom, None, negated=negated, joined=joined, pending=True)

    def _count(self, owner: Draft, *, negated: bool) -> bool:
        start = self._cursor.at
        words, comparison = self._cursor.phrase(lexicon.AT_LEAST) or (0, lexicon.EXACTLY)
        self._cursor.at += words
        token = self._cursor.peek()
        number = self._cursor.number(token)
        if negated and number is None and self._cursor.word() in lexicon.ARGUMENT_NOUNS:
            self._cursor.at += 1
            owner.conditions.append(Count(0))
            return True
        if number is not None and self._cursor.word(1) in lexicon.ARGUMENT_NOUNS:
            self._cursor.at += 2
            counted = Count(number, comparison)
            owner.conditions.append(Not(counted) if negated and number else counted)
            return True
        self._cursor.at = start
        return False

    def _juxtaposed(self, chain: list[Draft], *, negated: bool, joined: bool) -> bool:
        """Names and constructs put side by side: `ifs in Encoder's _appendByte`, `JsonReader.skipTo for loops`."""
        token = self._cursor.peek()
        if token is None or token.kind in (Kind.UNKNOWN, Kind.COMMA):
            return False
        if self._count(self._owner(chain, Relation.ARGUMENT, joined=joined) or chain[-1], negated=negated):
            return True
        if self._does(chain, token, negated=negated):
            return True
        if token.kind is Kind.NAME and not (joined and self._last is not None):
            return self._place_name(chain)
        return self._object(chain, None, negated=negated, joined=joined)

    def _does(self, chain: list[Draft], token: Token, *, negated: bool) -> bool:
        """`catch blocks that log`, `calling close`: the call is in what stands before."""
        owner = next((d for d in reversed(chain) if admits(d.construct or Construct.ANY, Relation.CONTAINS)), None)
        if owner is None or owner.construct is Construct.ANY:
            return False
        calls = self._cursor.word() in ("calling", "invoking") or (token.relative and self._cursor.word() == "call")
        if calls and self._cursor.phrase(lexicon.RELATIONS) is None:
            inner = self._nouns.read(Relation.CONTAINS)
        elif token.kind is Kind.NAME and (token.relative or token.written != token.text) and token.text[:1].islower():
            if not self._naming.symbols.count(token.text, Construct.CALL) or self._cursor.phrase(lexicon.NOUNS, 1):
                return False
            self._cursor.at, inner = self._cursor.at + 1, Draft(Construct.CALL, [Name(token.text)])
        else:
            return False
        if inner is None:
            return False
        owner.conditions.append((Relation.CONTAINS, inner, None, negated))
        self._last = owner, Relation.CONTAINS
        self._alternatives(owner)
        chain.append(inner)
        return True

    def _is_place(self, owner: Draft) -> bool:
        """Whether `of X` says where: X is a class and no value."""
        token = self._cursor.peek()
        if token is None or token.kind is not Kind.NAME or owner.construct in (Construct.RETURN, Construct.THROW):
            return False
        if owner.construct is Construct.PARAMETER and self._cursor.is_end(1):
            return self._naming.symbols.count(token.text, Construct.METHOD) > 0
        return self._naming.reads_as_type(token.text) and self._naming.symbols.count(token.text, Construct.CLASS) > 0

    def _place_name(self, chain: list[Draft]) -> bool:
        inner = self._nouns.read(Relation.INSIDE)
        if inner is None:
            return False
        place = inner.construct in (Construct.METHOD, Construct.CLASS)
        relation = Relation.INSIDE if place else default_relation(chain[0].construct, inner.construct, pending=False)
        chain[0].conditions.append((relation or Relation.INSIDE, inner, None, False))
        return True

    def _object(
        self, chain: list[Draft], relation: Relation | None, *, negated: bool, joined: bool, pending: bool = False
    ) -> bool:
        start, unused = self._cursor.at, len(self._cursor.unused)
        if relation in (Relation.ARGUMENT, None) and self._count(
            self._owner(chain, Relation.ARGUMENT, joined=joined) or chain[-1], negated=negated
        ):
            return True
        again = self._last[1] if joined and not pending and self._last is not None else Relation.ARGUMENT
        inner = self._nouns.read(relation or again)
        if inner is None:
            self._cursor.at, self._cursor.unused = start, self._cursor.unused[:unused]
            return False
        here = len(chain)
        nested = [*chain, inner]
        if pending:
            with self._cursor.nested():
                self.read(inner, [inner], stop=True)
        found, index = self._marker(chain, pending, relation)
        owner, chosen = self._chosen(chain, relation, found, joined=joined)
        owner = next((d for d in reversed(nested) if d.construct is WHOLE.get(inner.construct)), owner)
        if chosen is None:
            chosen = default_relation(owner.construct, inner.construct, pending=pending)
            chosen = Relation.CONTAINS if chosen is Relation.CONDITION and computes(inner) else chosen
        chosen = settled(owner, chosen, inner, self._naming, numbered=index is not None)
        if chosen is None:
            self._cursor.unused.append(self._cursor.tokens[start].written)
            return True
        owner.conditions.append((chosen, inner, index, negated))
        self._last = owner, chosen
        self._alternatives(owner)
        del chain[here:]
        if not pending:
            chain.append(nested[-1])
        return True

    def _chosen(
        self, chain: list[Draft], relation: Relation | None, found: Relation | None, *, joined: bool
    ) -> tuple[Draft, Relation | None]:
        """To whom the noun phrase just read stands in which relation, None for whichever is usual."""
        if relation is Relation.ARGUMENT_OF and found is Relation.ARGUMENT:
            found = relation
        if found is None and relation is None and self._cursor.word() in ("argument", "arg", "parameter", "param"):
            self._cursor.at, found = self._cursor.at + 1, Relation.ARGUMENT  # `with a literal argument`
        chosen = found or relation
        if chosen is None and joined and self._last is not None and self._last[0] in chain:
            return self._last
        owner = self._owner(chain, chosen, joined=joined) or chain[-1]
        tested = chain[-1].construct in WITH_CONDITION or not admits(
            owner.construct or Construct.ANY, Relation.RECEIVER
        )
        return (chain[-1], None) if chosen is Relation.RECEIVER and tested else (owner, chosen)

    def _marker(
        self, chain: list[Draft], pending: bool, relation: Relation | None
    ) -> tuple[Relation | None, int | None]:
        if self._cursor.word() == "as" and (pending or relation in (Relation.ARGUMENT, Relation.ARGUMENT_OF, None)):
            ahead = 1
            index = lexicon.ORDINALS.get(self._cursor.word(ahead))
            ahead += index is not None
            if self._cursor.word(ahead) in lexicon.ARGUMENT_NOUNS:
                self._cursor.at += ahead + 1
                return Relation.ARGUMENT, index
        if not pending:
            return None, None
        marker = self._cursor.phrase(lexicon.MARKERS)
        if marker is None or (
            marker[1] is not Relation.CONTAINS and self._owner(chain, marker[1], joined=False) is None
        ):
            return None, None
        self._cursor.at += marker[0]
        return marker[1], None

    def _owner(self, chain: list[Draft], relation: Relation | None, *, joined: bool) -> Draft | None:
        """The nearest noun phrase that admits the relation; after `and`, a place is the whole target's."""
        if relation is None:
            return None
        if joined and relation in _PLACES:
            return chain[0]
        return next((d for d in reversed(chain) if d.construct is not None and admits(d.construct, relation)), None)

    def _alternatives(self, owner: Draft) -> None:
        """`in a for loop or a while loop`: the last condition becomes one of several."""
        while self._cursor.word() == "or":
            last = owner.conditions[-1]
            self._cursor.at += 1
            relation = last[0] if isinstance(last, tuple) else None
            inner = self._nouns.read(relation)
            if inner is None and (phrase := self._cursor.phrase(lexicon.RELATIONS)) is not None:
                self._cursor.at += phrase[0]
                relation, inner = phrase[1], self._nouns.read(phrase[1])
            if inner is None or not isinstance(last, tuple) or relation is None:
                self._cursor.unused.append("or")
                return
            owner.conditions[-1] = either(last, (relation, inner, None, last[3]))

    def _alternative(self, draft: Draft) -> bool:
        """`calls to foo or bar`: the name becomes one of several."""
        token = self._cursor.peek(1)
        if token is None or token.kind not in _PLAIN:
            return False
        kind = Value if token.kind in (Kind.STRING, Kind.NUMBER) else Name
        for position, condition in enumerate(draft.conditions):
            if isinstance(condition, Name | Value | Type):
                other: Condition = Type(token.text) if isinstance(condition, Type) else kind(token.text)
                draft.conditions[position] = AnyOf((condition, other))
                self._cursor.at += 2
                return True
            if isinstance(condition, AnyOf):
                draft.conditions[position] = AnyOf((*condition.conditions, kind(token.text)))
                self._cursor.at += 2
                return True
        return False
