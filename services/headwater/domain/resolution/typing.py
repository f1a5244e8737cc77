"""The type of an expression, a symbol or a type text, as far as declarations and evident initialisers tell."""

import re
from typing import TYPE_CHECKING, NamedTuple

from headwater.domain.document import ReferenceKind, Symbol, SymbolKind
from headwater.domain.resolution import containers
from headwater.domain.resolution.calls import Calls
from headwater.domain.resolution.expression import (
    Binary,
    Call,
    Cast,
    Choice,
    Construct,
    Expression,
    Index,
    Literal,
    Member,
    Name,
    Sequence,
    Slice,
    Unary,
)
from headwater.domain.resolution.expression_parser import parse_expression
from headwater.domain.resolution.file_view import TYPE_KINDS, FileView
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.type_syntax import parse_type
from headwater.domain.resolution.type_tree import (
    Either,
    Function,
    ListOf,
    MapOf,
    Named,
    Other,
    Tuple,
    TypeSyntax,
)
from headwater.domain.resolution.types import (
    EXTERNAL,
    UNKNOWN,
    ClassOf,
    Definitions,
    Denotation,
    External,
    FunctionType,
    Instance,
    ListType,
    MapType,
    Substitution,
    TupleType,
    Type,
    Variable,
    substitute,
    union,
)

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

_MAX_DEPTH = 48
VARIADIC = ("…", "...")
_EVIDENT = re.compile(r"(each|key|with|item|get|argument|parameter|accepts) (?!=)")
_NULL = External("null")
_COMPARISONS = frozenset({"==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "is", "instanceof", "&&"})


class Place(NamedTuple):
    """From where an expression's names are seen: uses nearest to `byte`, before or after it, else the scope."""

    document: int
    byte: int
    scope: int
    after: bool


class Typing:
    def __init__(self, names: "Names") -> None:
        self._names = names
        self._symbols: dict[SymbolId, Type] = {}
        self._expressions: dict[tuple[int, Place], tuple[Expression, Type]] = {}  # trees kept, so that ids stay theirs
        self._busy: set[SymbolId] = set()
        self._depth = 0
        self.calls = Calls(names, self)

    def of_text(self, text: str, place: Place) -> Type:
        family = self._names.view(place.document).family
        return self.of_expression(parse_expression(text, family), place) if family else UNKNOWN

    def of_expression(self, tree: Expression, place: Place) -> Type:
        known = self._expressions.get((id(tree), place))
        if known is not None:
            return known[1]
        if self._depth > _MAX_DEPTH:
            return UNKNOWN
        self._depth += 1
        try:
            found = self._of_expression(tree, place)
        finally:
            self._depth -= 1
        self._expressions[(id(tree), place)] = (tree, found)
        return found

    def _of_expression(self, tree: Expression, place: Place) -> Type:
        match tree:
            case Name(name):
                return (
                    self._names.value(self.denote_name(name, place))
                    if not (own := self._self_type(name, place))
                    else own
                )
            case Member(object, name):
                return self._member(object, name, place)
            case Call():
                return self.calls.result(tree, place)
            case Construct(type):
                return self.of_type_text(type, place)
            case Cast(type):
                return self.of_type_text(type, place)
            case Choice(first, second):
                return union((self.of_expression(first, place), self.of_expression(second, place)))
            case _:
                return self._of_value(tree, place)

    def _of_value(self, tree: Expression, place: Place) -> Type:
        """Literals, operators and what takes parts of values."""
        match tree:
            case Literal(kind) if kind.startswith("object "):
                return self._anonymous(place, kind[7:])
            case Literal(kind):
                return containers.literal(kind, self._family(place))
            case Sequence(kind, elements):
                types = [self.of_expression(e, place) for e in elements[:8]]
                return TupleType(tuple(types)) if kind == "tuple" else ListType(union(types) if types else EXTERNAL)
            case Index(object, index):
                return containers.item(self._names, self.of_expression(object, place), index, self._family(place))
            case Slice(object):
                return self.of_expression(object, place)
            case Unary(operator, value):
                return self._unary(operator, value, place)
            case Binary(operator, left, right):
                return self._binary(operator, left, right, place)
            case _:
                return UNKNOWN

    def _family(self, place: Place) -> str:
        return self._names.view(place.document).family

    def _self_type(self, name: str, place: Place) -> Type | None:
        view = self._names.view(place.document)
        return self._names.rules(view).self_type(self._names, view, place.scope, name)

    def denote_name(self, name: str, place: Place) -> Denotation:
        """A bare name inside an expression: as its own use is bound, else as the scope sees it."""
        view = self._names.view(place.document)
        use = view.nearest_use(name, place.byte, place.after)
        if use is not None and (use.scope == place.scope or view.are_related(use.scope, place.scope)):
            return self._names.denote(view, use)
        return self._names.lookup(view, place.scope, name, ReferenceKind.READ)

    def _member(self, object_: Expression, name: str, place: Place) -> Type:
        view = self._names.view(place.document)
        if name in ("this", "super", "class") and view.family == "java":
            return self._java_special(object_, name, place)
        receiver = self.of_expression(object_, place)
        if name == "prototype" and isinstance(receiver, ClassOf):
            return Instance(receiver.symbol)
        found = self._names.member_of(receiver, name)
        result = self._names.value(found)
        return result if not isinstance(result, External) or result.name else containers.external_member(receiver, name)

    def _java_special(self, object_: Expression, name: str, place: Place) -> Type:
        if name == "class":
            return External("Class")
        owner = self.of_expression(object_, place)
        if not isinstance(owner, ClassOf):
            return owner
        return Instance(owner.symbol) if name == "this" else union(self._names.members.bases(owner.symbol))

    def _unary(self, operator: str, value: Expression, place: Place) -> Type:
        inner = self.of_expression(value, place)
        if operator in ("!", "not", "delete"):
            return External("boolean")
        if operator == "typeof":
            return External("string")
        if operator == "<-":
            return containers.element(self._names, inner, self._family(place))
        if operator == "await":
            return containers.awaited(inner)
        return inner

    def _binary(self, operator: str, left: Expression, right: Expression, place: Place) -> Type:
        if operator in _COMPARISONS:
            return External("boolean")
        if operator == "and":
            return self.of_expression(right, place)
        return containers.arithmetic(operator, self.of_expression(left, place), self.of_expression(right, place))

    def of_symbol(self, id_: SymbolId) -> Type:
        """The type of a variable, field or parameter; the result type of a function."""
        if id_ in self._symbols:
            return self._symbols[id_]
        if id_ in self._busy or self._depth > _MAX_DEPTH:
            return UNKNOWN
        self._busy.add(id_)
        self._depth += 1
        try:
            found = self._of_symbol(id_)
        finally:
            self._busy.discard(id_)
            self._depth -= 1
        self._symbols[id_] = found
        return found

    def _of_symbol(self, id_: SymbolId) -> Type:
        view = self._names.view(id_.document)
        symbol = view.symbol(id_.number)
        if symbol.kind is SymbolKind.ENUM_MEMBER and symbol.container >= 0:
            return Instance(SymbolId(id_.document, symbol.container))
        if not symbol.type or not view.family:
            return self._names.rules(view).untyped(self._names, id_)
        if not symbol.type.startswith("="):
            declared = self.of_type_text(symbol.type, self._inside(id_, symbol))
            return ListType(declared) if self._is_variadic(view, id_.number) else declared
        return self._evident(symbol.type[1:], id_, symbol)

    def _is_variadic(self, view: FileView, index: int) -> bool:
        """Whether this is a last parameter `T...` (the type is then that of one element)."""
        symbol = view.symbol(index)
        if symbol.kind is not SymbolKind.PARAMETER or view.family not in ("java", "go") or symbol.container < 0:
            return False
        shown = view.symbol(symbol.container).parameters
        if not shown or not shown[-1].endswith(VARIADIC) or symbol.type.startswith("..."):
            return False
        return self.calls.parameters(SymbolId(view.document, symbol.container))[-1].number == index

    def _inside(self, id_: SymbolId, symbol: Symbol) -> Place:
        is_function = symbol.kind in (SymbolKind.FUNCTION, SymbolKind.METHOD)
        return Place(id_.document, symbol.at.byte, id_.number if is_function else symbol.container, after=True)

    def _evident(self, text: str, id_: SymbolId, symbol: Symbol) -> Type:
        place = self._inside(id_, symbol)
        return self.marked(text, place)

    def marked(self, text: str, place: Place) -> Type:
        """An evident initialiser: an expression, or a marker before another."""
        match = _EVIDENT.match(text)
        if match is None:
            found = self.of_text(text, place)
            return UNKNOWN if found == _NULL else found
        word, rest = match.group(1), text[match.end() :]
        family = self._family(place)
        if word in ("each", "key", "with"):
            before = place._replace(after=word != "with")
            value = self.marked(rest, before)
            if word == "with":
                return containers.entered(self._names, value)
            return containers.element(self._names, value, family) if word == "each" else containers.key(value)
        detail, _, rest = rest.partition(" ")
        if word == "argument":
            which, _, parameter = detail.partition(".")
            return self.calls.lambda_parameter(rest, int(which), int(parameter), place._replace(after=False))
        if word == "parameter":
            return self.calls.of_function_type(self.of_type_text(rest, place), int(detail))
        if word == "accepts":
            before = place._replace(after=False)
            return self.calls.of_function_type(self.of_text(rest, before), int(detail))
        value = self.marked(rest, place)
        if word == "get":
            return self._names.value(self._names.member_of(value, detail))
        return containers.component(self._names, value, int(detail), family)

    def of_type_text(self, text: str, place: Place) -> Type:
        family = self._names.view(place.document).family
        return self.of_syntax(parse_type(text, family), place) if family else UNKNOWN

    def of_syntax(self, tree: TypeSyntax, place: Place) -> Type:
        if self._depth > _MAX_DEPTH:
            return UNKNOWN
        self._depth += 1
        try:
            return self._of_syntax(tree, place)
        finally:
            self._depth -= 1

    def _of_syntax(self, tree: TypeSyntax, place: Place) -> Type:
        match tree:
            case Named(name, arguments):
                return self._named(name, tuple(self.of_syntax(a, place) for a in arguments), place)
            case ListOf(element):
                return ListType(self.of_syntax(element, place))
            case MapOf(key, value):
                return MapType(self.of_syntax(key, place), self.of_syntax(value, place))
            case Either(parts):
                return union(self.of_syntax(p, place) for p in parts)
            case Function(parameters, result):
                return FunctionType(tuple(self.of_syntax(p, place) for p in parameters), self.of_syntax(result, place))
            case Tuple(items):
                return TupleType(tuple(self.of_syntax(i, place) for i in items))
            case Other("struct" | "{}"):
                return self._anonymous(place)
            case Other(text) if text.startswith("typeof "):
                return self.of_text(text[len("typeof ") :], place)
            case _:
                return UNKNOWN

    def _anonymous(self, place: Place, first: str = "") -> Type:
        """An anonymous struct or object, known by its first field: that nearest to the place."""
        view = self._names.view(place.document)
        field = view.nearest_field(place.byte, place.after, first)
        return UNKNOWN if field < 0 else Instance(SymbolId(place.document, field))

    def _named(self, name: str, arguments: tuple[Type, ...], place: Place) -> Type:
        found = self.denote_type(name, place)
        if isinstance(found, Definitions):
            return self._instance(found, arguments)
        if isinstance(found, External):
            return External(name.rpartition(".")[2], arguments)
        return UNKNOWN

    def denote_type(self, name: str, place: Place) -> Denotation:
        """A possibly dotted type name as seen from a scope."""
        view = self._names.view(place.document)
        head, *rest = name.split(".")
        own = self._self_type(head, place)
        if own is not None and rest:
            return UNKNOWN
        if own is not None:
            return Definitions((own.symbol,), own) if isinstance(own, Instance) else UNKNOWN
        found = self._names.lookup(view, place.scope, head.strip(), ReferenceKind.TYPE)
        if rest and isinstance(found, External) and view.family == "java":
            return self._names.rules(view).imported_type(self._names, view, name) or found
        for part in rest:
            found = self._names.member_of(self._names.value(found), part.strip())
        return found

    def _instance(self, found: Definitions, arguments: tuple[Type, ...]) -> Type:
        first = next((s for s in found.symbols if self._is_type(s)), found.symbols[0])
        symbol = self._names.symbol(first)
        view = self._names.view(first.document)
        if symbol.kind is SymbolKind.TYPE_PARAMETER:
            return Variable(first)
        if symbol.kind is SymbolKind.TYPE and self._is_alias(view, first):
            return substitute(self.of_symbol(first), self.bindings(first, arguments))
        if symbol.kind in TYPE_KINDS:
            return Instance(first, arguments)
        value = self.of_symbol(first)  # Python: Alias = Class
        return Instance(value.symbol, arguments) if isinstance(value, ClassOf) else value

    def _is_type(self, id_: SymbolId) -> bool:
        kind = self._names.symbol(id_).kind
        return kind in TYPE_KINDS or kind is SymbolKind.TYPE_PARAMETER

    def _is_alias(self, view: FileView, id_: SymbolId) -> bool:
        symbol = view.symbol(id_.number)
        if view.family == "go":
            return "alias" in symbol.modifiers
        return bool(symbol.type) and not any(
            view.symbol(i).kind is not SymbolKind.TYPE_PARAMETER
            for group in view.children.get(id_.number, {}).values()
            for i in group
        )

    def class_value(self, id_: SymbolId) -> Type:
        """A type's name used as a value."""
        symbol = self._names.symbol(id_)
        view = self._names.view(id_.document)
        if symbol.kind is SymbolKind.TYPE_PARAMETER:
            return UNKNOWN
        if symbol.kind is SymbolKind.TYPE and self._is_alias(view, id_):
            aliased = self.of_symbol(id_)
            return ClassOf(aliased.symbol) if isinstance(aliased, Instance) else aliased
        return ClassOf(id_)

    def bindings(self, owner: SymbolId, arguments: tuple[Type, ...]) -> Substitution:
        """Type parameters of `owner` to arguments; missing ones stay free."""
        if not arguments:
            return {}
        parameters = self._names.view(owner.document).type_parameters(owner.number)
        return {SymbolId(owner.document, p): a for p, a in zip(parameters, arguments, strict=False)}

    def in_owner(self, type_: Type, owner: Type | None) -> Type:
        """A member's type with the type arguments of the value whose member it is."""
        if isinstance(owner, Instance) and owner.arguments:
            return substitute(type_, self.bindings(owner.symbol, owner.arguments))
        return type_

    def bound(self, variable: Variable) -> Type:
        """What a type parameter is declared to extend; External("Object") when nothing is."""
        symbol = self._names.symbol(variable.symbol)
        if self._names.view(variable.symbol.document).family == "rust":
            found = self.of_symbol(variable.symbol) if symbol.type else UNKNOWN
            return found if isinstance(found, Instance) else UNKNOWN  # a where clause may say more
        if symbol.bases:
            place = Place(variable.symbol.document, symbol.at.byte, symbol.container, after=True)
            first = self.of_type_text(symbol.bases[0], place)
            return External("Object") if first == variable else first
        if not symbol.type:
            return External("Object")
        found = self.of_symbol(variable.symbol)
        return External("Object") if isinstance(found, Variable) and found == variable else found
