"""What a name means for a construct, and which construct a bare name is, by the searched code's symbols."""

from headwater.structural.query import AnyOf, Construct, Modifier, Name, Relation, Type, Value
from headwater.structural.translate import lexicon
from headwater.structural.translate.attach import admits
from headwater.structural.translate.draft import Draft
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.tokens import Kind, Token

DATA = (Construct.VARIABLE, Construct.PARAMETER, Construct.FIELD)
_OF_CODE = (None, Relation.CONTAINS, Relation.CONTROLS, Relation.FOLLOWS, Relation.PRECEDES)
_TYPED = (*DATA, Construct.DECLARATION)


class Naming:
    """Puts names, signs and values into drafts."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols

    def guess(self, before: list[Token], relation: Relation | None) -> Construct | None:
        """What a name without a noun is: by the code that is searched, and by what is asked of it."""
        token = before[-1]
        if token.kind is Kind.OPERATOR:
            return Construct.OPERATOR
        if token.kind in (Kind.STRING, Kind.NUMBER):
            return Construct.LITERAL
        name = token.text.rpartition(".")[2]
        if relation in (Relation.INSIDE, Relation.CONTROLLED_BY):
            if name[:1].isupper() and self.symbols.is_type(name):
                return Construct.CLASS
            found = self.symbols.likeliest(name, (Construct.METHOD, Construct.CLASS))
            found = found or self.symbols.likeliest(name, DATA)
            return found or (Construct.CLASS if name[:1].isupper() else Construct.METHOD)
        if relation in _OF_CODE and self.symbols.count(name, Construct.CALL):
            return self._target_of(token.text, name)
        if relation is None:
            among: tuple[Construct, ...] = (Construct.CALL, Construct.NEW, Construct.VARIABLE, Construct.FIELD)
        else:
            among = (Construct.VARIABLE, Construct.FIELD, Construct.PARAMETER, Construct.CALL, Construct.NEW)
        return self.symbols.likeliest(name, among) or Construct.VARIABLE

    def _target_of(self, written: str, name: str) -> Construct:
        """What is looked for, or happens, is rather a call than a variable that bears its name, too."""
        others = (Construct.NEW, Construct.VARIABLE, Construct.FIELD)
        best = self.symbols.likeliest(name, others) or Construct.CALL
        calls = self.symbols.count(name, Construct.CALL)
        return Construct.CALL if "." in written or 5 * calls >= self.symbols.count(name, best) else best

    def apply(self, draft: Draft, token: Token, *, last: bool) -> None:
        construct = draft.construct
        if construct is None:
            return
        if token.kind is Kind.OPERATOR:
            draft.conditions.append(Name(token.text))
        elif construct is Construct.LITERAL or token.kind in (Kind.STRING, Kind.NUMBER):
            draft.conditions.append(Value(token.text))
        elif construct in _TYPED and self.reads_as_type(token.text):
            draft.pending_type = token.text
        elif construct in (Construct.THROW, Construct.CATCH, Construct.CAST, Construct.INSTANCEOF):
            self.name(draft, token.text)
        elif token.text.startswith("@"):
            draft.conditions.append(Modifier(token.text))
        elif admits(construct, Name(token.text)):
            self.name(draft, token.text)
        else:
            self.enclose(draft, token.text)

    def reads_as_type(self, name: str) -> bool:
        simple = name.rpartition(".")[2].removesuffix("[]")
        return self.symbols.is_type(simple) and simple[:1].isupper() and (len(simple) == 1 or not simple.isupper())

    def enclose(self, draft: Draft, name: str) -> None:
        """`JsonReader.skipTo for loops`: the name says where."""
        inner = Draft(self.guess([Token(Kind.NAME, name, name)], Relation.INSIDE))
        self.name(inner, name)
        draft.conditions.append((Relation.INSIDE, inner, None, False))

    def name(self, draft: Draft, name: str) -> None:
        """The name as the construct takes it: `X.y` of a method is y inside X."""
        construct = draft.construct
        if (
            construct is Construct.CAST
            and not self.reads_as_type(name)
            and name.removesuffix("[]") not in lexicon.PRIMITIVES
        ):
            kind = self.symbols.likeliest(name, DATA) or Construct.VARIABLE
            draft.conditions.append((Relation.VALUE, Draft(kind, [Name(name)]), None, False))
        elif construct in (Construct.CAST, Construct.INSTANCEOF, Construct.CATCH):
            draft.conditions.append(Type(name))
        elif construct is Construct.THROW:
            draft.conditions.append((Relation.VALUE, Draft(Construct.NEW, [Name(name)]), None, False))
        elif construct is Construct.METHOD and "." in name:
            owner, _, own = name.rpartition(".")
            draft.conditions.append(Name(own))
            draft.conditions.append((Relation.INSIDE, Draft(Construct.CLASS, [Name(owner)]), None, False))
        elif "|" in name:
            draft.conditions.append(AnyOf(tuple(Name(part) for part in name.split("|"))))
        else:
            draft.conditions.append(Name(name))

    def operand(self, token: Token) -> Draft:
        if token.kind is Kind.CODE and token.node is not None:
            return Draft(token.node.construct, list(token.node.where))
        if token.kind is not Kind.NAME:
            return Draft(Construct.LITERAL, [Value(token.text)])
        return Draft(self.symbols.likeliest(token.text, DATA) or Construct.VARIABLE, [Name(token.text)])
