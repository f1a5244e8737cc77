"""Noun phrases: a construct with what is said before and right after its noun."""

from headwater.structural.query import (
    AnyOf,
    Condition,
    Construct,
    Count,
    Modifier,
    Name,
    Node,
    Not,
    Relation,
    Type,
    Value,
    members,
)
from headwater.structural.translate import lexicon
from headwater.structural.translate.attach import admits
from headwater.structural.translate.cursor import ANYTHING, Cursor
from headwater.structural.translate.draft import Draft
from headwater.structural.translate.naming import Naming
from headwater.structural.translate.post_modifiers import PostModifiers
from headwater.structural.translate.tokens import Kind, Token

_CALLS = ((1, Construct.CALL), (2, Construct.CALL))
_NOUN_LIKE = {*lexicon.LITERAL_KINDS, *lexicon.OPERATOR_WORDS, *lexicon.GROUP_OPERATORS}


class NounPhrases:
    """Reads one noun phrase at the cursor, or leaves the cursor where it was."""

    def __init__(self, cursor: Cursor, naming: Naming, post: PostModifiers) -> None:
        self._cursor = cursor
        self._naming = naming
        self._post = post

    def read(self, relation: Relation | None) -> Draft | None:
        """A construct with what is said before and right after its noun; None when none stands here."""
        with self._cursor.nested():
            return self._read(relation)

    def _read(self, relation: Relation | None) -> Draft | None:
        start, unused = self._cursor.at, len(self._cursor.unused)
        draft = Draft()
        before: list[Token] = []
        while (token := self._cursor.peek()) is not None:
            if not before and self._result_of():
                draft.by_value = True
                continue
            if token.kind is Kind.OPERATOR and self._operation(draft, before):
                return draft
            if token.kind is Kind.CODE and token.node is not None:
                self._cursor.at += 1
                return self._from_code(draft, token.node)
            if draft.construct is None and token.text in lexicon.CREATED and self._cursor.is_name(1):
                self._cursor.at, draft.construct = self._cursor.at + 1, Construct.NEW
                continue
            if not before and self._verb(draft, token):
                break
            if not self._before_noun(draft, token, before):
                break
        self._created(draft, before)
        self._place(draft, before, relation)
        if draft.construct is None:
            self._cursor.at, self._cursor.unused = start, self._cursor.unused[:unused]
            return None
        self._post.read(draft)
        return draft

    def _verb(self, draft: Draft, token: Token) -> bool:
        """`appending X`, `appends`: a method's name as a verb is a call of it."""
        verbal = token.kind is Kind.NAME and token.written.lower() != token.text.lower() and token.text[:1].islower()
        if not verbal or draft.construct is not None or self._cursor.phrase(lexicon.NOUNS, 1) in _CALLS:
            return False
        if not self._naming.symbols.count(token.text, Construct.CALL) or not token.written.endswith(("s", "ing")):
            return False
        self._cursor.at, draft.construct = self._cursor.at + 1, Construct.CALL
        draft.conditions.append(Name(token.text))
        return True

    def _result_of(self) -> bool:
        """`the result of`, `the value of`: skips them."""
        told = self._cursor.word() in ("result", "value") and self._cursor.word(1) in ("of", "from")
        self._cursor.at += 2 * told
        return told

    def _before_noun(self, draft: Draft, token: Token, before: list[Token]) -> bool:
        """Takes one word that may stand before a noun; False at the noun and where no noun phrase goes on."""
        if self._adjective(draft, token):
            return True
        if token.kind in (Kind.NAME, Kind.OPERATOR, Kind.STRING, Kind.NUMBER):
            before.append(token)
            self._cursor.at += 1
            return self._noun_follows() or self._or_name_follows(before)
        if self._heads(draft, before) or before or draft.conditions or not self._is_filler(token):
            return False
        self._cursor.at += 1
        return True

    def _or_name_follows(self, before: list[Token]) -> bool:
        """`append or insert calls`: both names belong to the noun."""
        second = self._cursor.peek(1)
        if self._cursor.word() != "or" or second is None or second.kind is not Kind.NAME:
            return False
        if self._cursor.phrase(lexicon.NOUNS, 2) is None:
            return False
        first, self._cursor.at = before.pop(), self._cursor.at + 2
        before.append(Token(Kind.NAME, f"{first.text}|{second.text}", f"{first.written} or {second.written}"))
        return True

    def _is_filler(self, token: Token) -> bool:
        if token.kind is not Kind.WORD or token.text not in lexicon.FILLERS:
            return False
        return self._cursor.phrase(lexicon.RELATIONS) is None and token.text not in lexicon.WITH

    def _noun_follows(self) -> bool:
        token = self._cursor.peek()
        if token is None:
            return False
        if token.kind in (Kind.NAME, Kind.OPERATOR):
            if token.kind is Kind.OPERATOR and (
                self._cursor.is_operand(1) or self._cursor.is_anything(self._cursor.peek(1))
            ):
                return True
            return token.kind is Kind.NAME and self._cursor.phrase(lexicon.NOUNS, 1) is not None
        return self._cursor.phrase(lexicon.NOUNS) is not None or token.text in _NOUN_LIKE

    def _heads(self, draft: Draft, before: list[Token]) -> bool:
        if self._cursor.word() in lexicon.ARGUMENT_NOUNS and self._count_like(before):
            return False
        construct = self._noun()
        if construct is None:
            return self._operator_word(draft)
        if construct is Construct.FIELD and self._cursor.word() == "declaration":
            self._cursor.at, construct = self._cursor.at + 1, Construct.DECLARATION
        plain = (c.condition if isinstance(c, Not) else c for c in draft.conditions)
        modified = any(isinstance(c, Modifier) and c.name in lexicon.MODIFIER_WORDS for c in plain)
        declared = modified and construct in (Construct.FIELD, Construct.VARIABLE)
        draft.construct = Construct.DECLARATION if declared else construct
        return True

    def _count_like(self, before: list[Token]) -> bool:
        return bool(before) and before[-1].kind is Kind.NUMBER

    def _operator_word(self, draft: Draft) -> bool:
        word = self._cursor.word()
        signs = lexicon.OPERATOR_WORDS.get(word) or lexicon.GROUP_OPERATORS.get(word)
        if not signs:
            return False
        self._cursor.at += 1
        if self._cursor.word() in ("operator", "operation", "sign"):
            self._cursor.at += 1
        draft.construct = Construct.OPERATOR
        names: tuple[Condition, ...] = tuple(Name(sign) for sign in signs)
        draft.conditions.append(names[0] if len(names) == 1 else AnyOf(names))
        follows = self._cursor.peek()
        if word in ("negated", "negation") and follows is not None and follows.kind is not Kind.WORD:
            inner = self.read(Relation.ARGUMENT)
            if inner is not None:
                draft.conditions.append((Relation.ARGUMENT, inner, None, False))
        return True

    def _adjective(self, draft: Draft, token: Token) -> bool:
        if token.kind is not Kind.WORD:
            return False
        number = lexicon.NUMBERS.get(token.text)
        if number is not None and self._cursor.word(1) in lexicon.ARGUMENT_NOUNS and draft.construct is None:
            named = self._cursor.is_name(2)
            if self._cursor.phrase(lexicon.NOUNS, 2 + named) is None:
                return False
            self._cursor.at += 2
            draft.conditions.append(Count(number))
            return True
        following = self._cursor.phrase(lexicon.NOUNS, 1)
        if token.text == "synchronized" and following is not None and following[1] is Construct.METHOD:
            self._cursor.at += 1
            draft.conditions.append(Modifier(token.text))
            return True
        if token.text == "non" and self._cursor.word(1) in (*lexicon.MODIFIER_WORDS, "synchronized"):
            draft.conditions.append(Not(Modifier(self._cursor.word(1))))
            self._cursor.at += 2
            return True
        if token.text in ("nested", "empty") and following is not None:
            return self._shape_adjective(draft, token.text, following[1])
        if token.text in lexicon.MODIFIER_WORDS:
            self._cursor.at += 1
            is_case = token.text == "default" and (following is None or following[1] is Construct.CASE)
            draft.conditions.append(Name(token.text) if is_case else Modifier(token.text))
            draft.construct = draft.construct or (Construct.CASE if is_case and following is None else None)
            return True
        return self._kind_adjective(draft, token)

    def _shape_adjective(self, draft: Draft, word: str, construct: Construct) -> bool:
        """`nested loops` are loops in loops; `empty catch blocks` hold nothing; an empty string is a literal."""
        self._cursor.at += 1
        if word == "nested":
            draft.conditions.append((Relation.INSIDE, Draft(construct), None, False))
        else:
            self.emptied(draft, construct)
        return True

    def emptied(self, draft: Draft, construct: Construct | None = None) -> None:
        """Says that the draft, which is or will be of the construct, holds nothing."""
        construct = construct or draft.construct or Construct.ANY
        if admits(construct, Relation.CONTAINS):
            inside = Relation.CONTROLS if admits(construct, Relation.CONTROLS) else Relation.CONTAINS
            draft.conditions.append((inside, Draft(Construct.ANY), None, True))
        else:
            draft.conditions.append(Value(""))

    def _kind_adjective(self, draft: Draft, token: Token) -> bool:
        """`string literal`, `boolean variable`, `true`."""
        if token.text in lexicon.LITERAL_VALUES:
            self._cursor.at += 1
            draft.construct = draft.construct or Construct.LITERAL
            draft.conditions.append(Value(token.text))
            return True
        following = self._cursor.phrase(lexicon.NOUNS, 1)
        whole = self._cursor.phrase(lexicon.NOUNS)
        if token.text == "empty" and self._cursor.word(1) == "string":
            self._cursor.at += 2
            draft.construct = draft.construct or Construct.LITERAL
            draft.conditions.append(Value(""))
            return True
        if whole is not None and whole[0] > 1:
            return False
        if token.text in lexicon.LITERAL_KINDS and following is not None and following[1] is Construct.LITERAL:
            self._cursor.at += 1
            draft.conditions.append(Modifier(lexicon.LITERAL_KINDS[token.text]))
            return True
        if token.text in lexicon.PRIMITIVES and (
            following is not None or self._cursor.word(1) in lexicon.ARGUMENT_NOUNS
        ):
            self._cursor.at += 1
            draft.pending_type = "String" if token.text == "string" else token.text
            return True
        return False

    def _from_code(self, draft: Draft, node: Node) -> Draft:
        draft.construct = node.construct
        draft.conditions += node.where
        following = self._cursor.phrase(lexicon.NOUNS)
        if following is not None and node.construct in members(following[1]):
            self._cursor.at += following[0]
        return draft

    def _created(self, draft: Draft, before: list[Token]) -> None:
        """`HashMaps that are created`: the name is of what is made."""
        if draft.construct is None and before and self._cursor.word() in lexicon.CREATED:
            self._cursor.at += 1
            draft.construct = Construct.NEW

    def _place(self, draft: Draft, before: list[Token], relation: Relation | None) -> None:
        """Gives the names, signs and values before the noun their meaning."""
        if draft.construct is None and before:
            draft.construct, draft.guessed = self._naming.guess(before, relation), before[-1].text
        if draft.construct is Construct.ANY and before and self._naming.symbols.count(before[-1].text, Construct.CALL):
            draft.construct = Construct.CALL  # `log statements`
        if draft.construct is None and draft.pending_type:
            draft.construct = Construct.VARIABLE
        if draft.construct is not Construct.LITERAL and draft.construct is not Construct.CASE:
            self._cursor.unused += [token.written for token in before if token.kind is Kind.NUMBER]
            before = [token for token in before if token.kind is not Kind.NUMBER]
        for position, token in enumerate(before):
            self._naming.apply(draft, token, last=position == len(before) - 1)
        if draft.pending_type and draft.construct is not None:
            draft.conditions.append(Type(draft.pending_type))

    def _operation(self, draft: Draft, before: list[Token]) -> bool:
        """`x < something`, `!= null`: a sign with one or both of its operands beside it."""
        sign, right = self._cursor.tokens[self._cursor.at], self._cursor.peek(1)
        anything = right is not None and right.text in ANYTHING
        value = right is not None and right.kind is Kind.WORD and right.text in lexicon.LITERAL_VALUES
        if not (before or self._cursor.is_operand(1) or value) or self._cursor.phrase(lexicon.NOUNS, 1) is not None:
            return False
        if not (self._cursor.is_operand(1) or anything or value) and not before:
            return False
        draft.construct = Construct.OPERATOR
        draft.conditions.append(Name(sign.text))
        for token in before[-1:]:
            draft.conditions.append((Relation.ARGUMENT, self._naming.operand(token), 0, False))
        self._cursor.at += 1
        if right is not None and (self._cursor.is_operand(0) or value):
            draft.conditions.append((Relation.ARGUMENT, self._naming.operand(right), 1, False))
        self._cursor.at += self._cursor.is_operand(0) or anything or value
        return True

    def _noun(self) -> Construct | None:
        found = self._cursor.phrase(lexicon.NOUNS)
        if found is None:
            return None
        self._cursor.at += found[0]
        return found[1]
