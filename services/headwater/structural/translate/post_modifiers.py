"""What follows a noun and belongs to it: its name, its type, its value."""

from headwater.structural.query import Construct, Modifier, Name, Type, Value, members
from headwater.structural.translate import lexicon
from headwater.structural.translate.attach import admits
from headwater.structural.translate.cursor import Cursor
from headwater.structural.translate.draft import Draft
from headwater.structural.translate.naming import Naming
from headwater.structural.translate.tokens import Kind, Token

SUBTYPING = ("extending", "extend", "implementing", "implement", "extends", "implements")
MODIFIED = (Construct.METHOD, Construct.CLASS, Construct.DECLARATION, Construct.PARAMETER)
_TESTS = (Construct.OPERATOR, Construct.INSTANCEOF)
_NAMING = ("to", "of", "for", "catching")


class PostModifiers:
    """Reads on after a noun for as long as something is said of it alone."""

    def __init__(self, cursor: Cursor, naming: Naming) -> None:
        self._cursor = cursor
        self._naming = naming

    def read(self, draft: Draft) -> None:
        while self._post_modifier(draft):
            pass

    def _post_modifier(self, draft: Draft) -> bool:
        token = self._cursor.peek()
        if token is None:
            return False
        named = any(isinstance(c, Name) for c in draft.conditions)
        if self._typed(draft) or self._named(draft, named=named) or self._modified(draft):
            return True
        if self._cursor.word() in ("with", "equal", "value") and draft.construct is Construct.LITERAL:
            return self._literal_value(draft)
        return self._bare_name(draft, token, named=named)

    def _typed(self, draft: Draft) -> bool:
        """`of type X`, `returning X`, `extending X`."""
        word, following = self._cursor.word(), self._cursor.word(1)
        says_type = following == "type" or (word == "of" and following == "class")
        if word in ("of", "with", "to", "for") and says_type and self._cursor.is_name(2):
            return self._take_type(draft, 2)
        if word in ("check", "test", "expression") and draft.construct in _TESTS and self._cursor.is_end(1):
            self._cursor.at += 1
            return True
        if word in ("returning", "return") and draft.construct is Construct.METHOD and self._cursor.is_name(1):
            return self._take_type(draft, 1)
        if word in SUBTYPING:
            skip = 3 if following == "or" else 1
            return self._cursor.is_name(skip) and self._take_type(draft, skip) and self._further_types(draft)
        return False

    def _modified(self, draft: Draft) -> bool:
        """`annotated with @X`, `that are static`, `created`."""
        word = self._cursor.word()
        token = self._cursor.peek(2 if self._cursor.word(1) in ("with", "as", "by") else 1)
        if word == "annotated" and token is not None and token.text.startswith("@"):
            self._cursor.at += 3 if self._cursor.word(1) in ("with", "as", "by") else 2
            declare(draft)
            draft.conditions.append(Modifier(token.text))
            return True
        synchronized = word == "synchronized" and draft.construct is Construct.METHOD
        bare = self._cursor.is_end(1) and draft.construct in (Construct.FIELD, Construct.VARIABLE)
        if (word in lexicon.MODIFIER_WORDS or synchronized) and (bare or draft.construct in MODIFIED):
            self._cursor.at += 1
            declare(draft)
            draft.conditions.append(Modifier(word))
            return True
        if draft.construct is Construct.NEW and (word in lexicon.CREATED or word == "new"):
            self._cursor.at += 1
            return True
        if word in lexicon.CREATED and draft.construct is Construct.VARIABLE:
            self._cursor.at += 1
            draft.construct = Construct.NEW
            draft.conditions = [Name(c.pattern) if isinstance(c, Type) else c for c in draft.conditions]
            return True
        return False

    def _further_types(self, draft: Draft) -> bool:
        """`implementing A and B`: of both types."""
        while self._cursor.word() == "and" and self._cursor.is_name(1) and draft.construct is Construct.CLASS:
            self._take_type(draft, 1)
        return True

    def _named(self, draft: Draft, *, named: bool) -> bool:
        """`named X`, `to X`, `of class X`, `catch X`."""
        word = self._cursor.word()
        catches = word == "catch" and draft.construct is Construct.CATCH
        if (word in lexicon.NAMED or catches) and self._cursor.is_name(1):
            return self.take_name(draft, 1)
        if word in ("to", "of") and self._calls_code(draft, named=named):
            return True
        if word in _NAMING and self._cursor.is_name(1) and self._named_by(draft, word, named):
            skip = 2 if self._cursor.word(1) in ("variable", "class") and self._cursor.is_name(2) else 1
            return self.take_name(draft, skip)
        if word == "to" and self._cursor.word(1) in ("variable", "var", "field") and not named:
            return self._cursor.is_name(2) and self.take_name(draft, 2)
        return False

    def _calls_code(self, draft: Draft, *, named: bool) -> bool:
        """`calls to foo()`: the code says what `call` says, and more."""
        token = self._cursor.peek(1)
        if named or token is None or token.node is None or token.node.construct is not draft.construct:
            return False
        self._cursor.at += 2
        draft.conditions += token.node.where
        return True

    def _named_by(self, draft: Draft, word: str, named: bool) -> bool:
        """Whether `noun of X` names the noun rather than relating it to X."""
        if word == "to":
            return draft.construct in (Construct.CALL, Construct.ASSIGNMENT, Construct.CAST) and not named
        if word in ("for", "catching"):
            return draft.construct in (Construct.INSTANCEOF, Construct.CATCH)
        named_by_of = (Construct.CALL, Construct.NEW, Construct.CATCH, Construct.INSTANCEOF, Construct.IMPORT)
        return draft.construct in named_by_of and not named

    def _take_type(self, draft: Draft, skip: int) -> bool:
        token = self._cursor.tokens[self._cursor.at + skip]
        self._cursor.at += skip + 1
        name = "String" if token.text == "string" else token.text
        if draft.construct is Construct.NEW:
            draft.conditions.append(Name(name))
        else:
            draft.conditions.append(Type(name))
        return True

    def take_name(self, draft: Draft, skip: int) -> bool:
        token = self._cursor.tokens[self._cursor.at + skip]
        self._cursor.at += skip + 1
        self._naming.name(draft, token.text)
        return True

    def _literal_value(self, draft: Draft) -> bool:
        ahead = 0
        while self._cursor.word(ahead) in ("with", "equal", "to", "value"):
            ahead += 1
        token = self._cursor.peek(ahead)
        if token is None or token.kind not in (Kind.STRING, Kind.NUMBER, Kind.NAME, Kind.WORD):
            return False
        if token.kind is Kind.WORD and token.text not in lexicon.LITERAL_VALUES:
            return False
        self._cursor.at += ahead + 1
        draft.conditions.append(Value(token.text if token.kind is not Kind.WORD else token.written))
        return True

    def _bare_name(self, draft: Draft, token: Token, *, named: bool) -> bool:
        """A name, value or sign right after the noun."""
        construct = draft.construct
        if construct is None:
            return False
        if token.node is not None and token.node.construct in members(construct) and not draft.conditions:
            self._cursor.at += 1
            draft.construct, draft.conditions = token.node.construct, list(token.node.where)
            return True
        if token.kind is Kind.OPERATOR and construct is Construct.OPERATOR and not named:
            self._cursor.at += 1
            draft.conditions.append(Name(token.text))
            return True
        value = token.kind is Kind.WORD and token.text in lexicon.LITERAL_VALUES
        if construct is Construct.LITERAL and (value or token.kind in (Kind.STRING, Kind.NUMBER, Kind.NAME)):
            self._cursor.at += 1
            draft.conditions.append(Value(token.text))
            return True
        if token.kind is not Kind.NAME:
            return False
        if construct in (Construct.CATCH, Construct.INSTANCEOF, Construct.CAST, Construct.THROW):
            self._cursor.at += 1
            self._naming.name(draft, token.text)
            return True
        if named or not admits(construct, Name(token.text)):
            return False
        self._cursor.at += 1
        self._naming.name(draft, token.text)
        return True


def declare(draft: Draft) -> None:
    """A field or variable that has modifiers is its declaration."""
    if draft.construct in (Construct.FIELD, Construct.VARIABLE):
        draft.construct = Construct.DECLARATION
