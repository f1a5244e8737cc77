"""Results of calls, what generic functions infer, and what a callee says about the lambdas it is given."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from headwater.domain.document import SymbolKind
from headwater.domain.resolution.expression import Call, Expression, Index, Lambda, Member, Name
from headwater.domain.resolution.expression_parser import parse_expression
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import (
    EXTERNAL,
    UNKNOWN,
    ClassOf,
    Definitions,
    External,
    Functions,
    FunctionType,
    Instance,
    ListType,
    MapType,
    Substitution,
    Type,
    UnionType,
    Unknown,
    Variable,
    close,
    substitute,
    union,
)

if TYPE_CHECKING:
    from headwater.domain.resolution.file_view import FileView
    from headwater.domain.resolution.names import Names
    from headwater.domain.resolution.typing import Place, Typing

_FUNCTIONAL_ARGUMENT = {
    "Supplier": (),
    "Callable": (),
    "Comparator": (0, 0),
    "UnaryOperator": (0,),
    "BinaryOperator": (0, 0),
}


class Calls:
    def __init__(self, names: "Names", typing: "Typing") -> None:
        self._names = names
        self._typing = typing

    def result(self, call: Call, place: "Place") -> Type:
        """The type that a call gives."""
        if isinstance(call.callee, Member):
            return self._method_result(call.callee, call, place)
        return self._result_of(self._typing.of_expression(call.callee, place), call, place)

    def _method_result(self, callee: Member, call: Call, place: "Place") -> Type:
        receiver = self._typing.of_expression(callee.object, place)
        found = self._names.member_of(receiver, callee.name)
        if isinstance(found, External):
            rules = self._names.rules(self._names.view(place.document))
            return rules.call_external(self._names, found, call, receiver, place)
        return self._result_of(self._names.value(found), call, place)

    def _result_of(self, callee: Type, call: Call, place: "Place") -> Type:
        match callee:
            case Functions():
                return self._function_result(callee, call, place)
            case ClassOf(symbol):
                return Instance(symbol, tuple(self._typing.of_type_text(a, place) for a in call.type_arguments))
            case FunctionType(_, result):
                return result
            case UnionType(parts):
                return union(self._result_of(p, call, place) for p in parts)
            case Instance(symbol):
                return self._instance_result(symbol, callee, call, place)
            case External():
                return self._external_result(callee, call, place)
            case _:
                return UNKNOWN

    def _instance_result(self, symbol: SymbolId, callee: Instance, call: Call, place: "Place") -> Type:
        """Calling an object: `__call__`, a named function type, a call signature."""
        declared = self._names.symbol(symbol)
        if declared.kind is SymbolKind.TYPE and declared.type:
            whole = self._typing.of_symbol(symbol)
            return whole.result if isinstance(whole, FunctionType) else UNKNOWN
        found = self._names.members.find(callee, "__call__")
        if isinstance(found, Definitions):
            return self._function_result(Functions(found.symbols, found.owner), call, place)
        return UNKNOWN

    def _external_result(self, callee: External, call: Call, place: "Place") -> Type:
        rules = self._names.rules(self._names.view(place.document))
        return rules.call_external(self._names, callee, call, None, place)

    def _function_result(self, functions: Functions, call: Call, place: "Place") -> Type:
        chosen = self._names.overloads.fitting(functions.symbols, call.arguments, place)
        results = [self._one_result(f, functions.owner, call, place) for f in chosen[:6]]
        known = [r for r in results if not isinstance(r, Unknown)]
        return union(known) if known else UNKNOWN

    def _one_result(self, function: SymbolId, owner: Type | None, call: Call, place: "Place") -> Type:
        declared = self._typing.in_owner(self._typing.of_symbol(function), owner)
        free = self._free(function)
        if not free:
            return declared
        bindings = self._explicit(function, call, place) or self._inferred(function, owner, call.arguments, place)
        return close(substitute(declared, bindings), free)

    def _free(self, function: SymbolId) -> frozenset[SymbolId]:
        view = self._names.view(function.document)
        return frozenset(SymbolId(function.document, p) for p in view.type_parameters(function.number))

    def _explicit(self, function: SymbolId, call: Call, place: "Place") -> Substitution:
        if not call.type_arguments:
            return {}
        return self._typing.bindings(function, tuple(self._typing.of_type_text(a, place) for a in call.type_arguments))

    def _inferred(
        self, function: SymbolId, owner: Type | None, arguments: tuple[Expression, ...], place: "Place"
    ) -> Substitution:
        """Type parameters bound by the evident types of the arguments."""
        bindings: Substitution = {}
        for parameter, argument in zip(self.parameter_types(function, owner), arguments, strict=False):
            if not isinstance(argument, Lambda):
                _unify(parameter, self._typing.of_expression(argument, place), bindings)
        return bindings

    def parameters(self, function: SymbolId) -> list[SymbolId]:
        """Parameters in order, without `this`."""
        view = self._names.view(function.document)
        table = view.children.get(function.number, {})
        own = sorted(i for group in table.values() for i in group if view.symbol(i).kind is SymbolKind.PARAMETER)
        declared = view.symbol(function.number)
        own = [i for i in own if view.symbol(i).at.byte > declared.at.byte]  # a Go receiver stands before the name
        own = _outermost(view, own)[: len(declared.parameters)]  # those of lambdas in the body follow
        return [SymbolId(function.document, i) for i in own if view.symbol(i).name != "this"]

    def position(self, parameter: SymbolId) -> int:
        """Which parameter of its function this is, -1 for one of a lambda."""
        function = SymbolId(parameter.document, self._names.symbol(parameter).container)
        own = self.parameters(function)
        return own.index(parameter) if parameter in own else -1

    def parameter_types(self, function: SymbolId, owner: Type | None) -> list[Type]:
        return [self._typing.in_owner(self._typing.of_symbol(p), owner) for p in self.parameters(function)]

    def returned(self, functions: Iterable[SymbolId], owner: Type | None) -> Type:
        """The result of calling without arguments (protocol methods, properties)."""
        results = [self._typing.in_owner(self._typing.of_symbol(f), owner) for f in functions]
        known = [r for r in results if not isinstance(r, Unknown)]
        return union(known) if known else UNKNOWN

    def lambda_parameter(self, callee: str, argument: int, parameter: int, place: "Place") -> Type:
        """Parameter number `parameter` of an anonymous function passed as argument number `argument` to `callee`."""
        view = self._names.view(place.document)
        constructs = callee.startswith("new ")
        if constructs:
            type_ = self._typing.of_type_text(callee[4:], place)
            return self._constructed_parameter(type_, argument, parameter)
        tree = parse_expression(callee, view.family)
        if isinstance(tree, Index):
            tree = tree.object
        if isinstance(tree, Member):
            receiver = self._typing.of_expression(tree.object, place)
            found = self._names.member_of(receiver, tree.name)
            if isinstance(found, External):
                return self._from_external(receiver, tree.name, parameter)
        target = self._typing.of_expression(tree, place)
        if isinstance(target, ClassOf):
            return self._constructed_parameter(Instance(target.symbol), argument, parameter)
        if isinstance(target, Functions):
            return self._among(target, argument, parameter)
        if isinstance(target, FunctionType) and argument < len(target.parameters):
            return self.of_function_type(target.parameters[argument], parameter)
        return EXTERNAL if isinstance(target, External) and isinstance(tree, Name) else UNKNOWN

    def _constructed_parameter(self, type_: Type, argument: int, parameter: int) -> Type:
        if not isinstance(type_, Instance):
            return UNKNOWN
        constructors = self._names.members.constructors(type_.symbol)
        return self._among(Functions(tuple(constructors), type_), argument, parameter)

    def _among(self, functions: Functions, argument: int, parameter: int) -> Type:
        found = []
        for function in functions.symbols[:12]:
            types = self.parameter_types(function, functions.owner)
            if argument < len(types):
                one = self.of_function_type(types[argument], parameter)
                found.append(close(one, self._free(function)))
        known = [f for f in found if not isinstance(f, Unknown)]
        return union(known) if known else UNKNOWN

    def of_function_type(self, type_: Type, parameter: int) -> Type:
        """Parameter of a function type, a functional interface, or of the one among a union's parts."""
        match type_:
            case FunctionType(parameters):
                return parameters[parameter] if parameter < len(parameters) else UNKNOWN
            case UnionType(parts):
                found = [self.of_function_type(p, parameter) for p in parts]
                known = [f for f in found if not isinstance(f, Unknown)]
                return union(known) if known else UNKNOWN
            case Instance():
                return self._of_interface(type_, parameter)
            case External(name, arguments) if arguments:
                order = _FUNCTIONAL_ARGUMENT.get(name, tuple(range(len(arguments))))
                return arguments[order[parameter]] if parameter < len(order) else UNKNOWN
            case _:
                return UNKNOWN

    def _of_interface(self, type_: Instance, parameter: int) -> Type:
        view = self._names.view(type_.symbol.document)
        symbol = view.symbol(type_.symbol.number)
        if symbol.kind is SymbolKind.TYPE and symbol.type:
            return self.of_function_type(self._typing.in_owner(self._typing.of_symbol(type_.symbol), type_), parameter)
        method = self.only_method(type_)
        if method is None:
            return UNKNOWN
        types = self.parameter_types(method, type_)
        return types[parameter] if parameter < len(types) else UNKNOWN

    def only_method(self, type_: Instance) -> SymbolId | None:
        """The one abstract method of a functional interface."""
        view = self._names.view(type_.symbol.document)
        methods = [
            SymbolId(type_.symbol.document, i)
            for group in view.children.get(type_.symbol.number, {}).values()
            for i in group
            if view.symbol(i).kind is SymbolKind.METHOD and not {"default", "static"} & set(view.symbol(i).modifiers)
        ]
        return methods[0] if len(methods) == 1 else None

    def _from_external(self, receiver: Type, method: str, parameter: int) -> Type:
        """Lambdas given to library containers: list.forEach, map.forEach, stream.filter, array.map."""
        if isinstance(receiver, ListType):
            order = (1, 0) if method in ("reduce", "reduceRight") else (0,)
            return receiver.element if parameter in order else EXTERNAL
        if isinstance(receiver, MapType):
            pair = (receiver.key, receiver.value)
            return pair[parameter] if parameter < 2 else EXTERNAL
        if isinstance(receiver, External) and receiver.arguments:
            return receiver.arguments[min(parameter, len(receiver.arguments) - 1)]
        return UNKNOWN


def _outermost(view: "FileView", parameters: list[int]) -> list[int]:
    """Without the parameters that a parameter's function type names."""
    found: list[int] = []
    for number in parameters:
        outer = view.symbol(found[-1]).span if found else None
        if outer is None or not outer.start_byte < view.symbol(number).span.start_byte < outer.end_byte:
            found.append(number)
    return found


def _unify(parameter: Type, argument: Type, bindings: Substitution) -> None:
    if isinstance(argument, Unknown):
        return
    match parameter:
        case Variable(symbol):
            bindings.setdefault(symbol, argument)
        case ListType(element) if isinstance(argument, ListType):
            _unify(element, argument.element, bindings)
        case MapType(key, value) if isinstance(argument, MapType):
            _unify_all((key, value), (argument.key, argument.value), bindings)
        case Instance(symbol, arguments) if isinstance(argument, Instance) and argument.symbol == symbol:
            _unify_all(arguments, argument.arguments, bindings)
        case External(name, arguments) if isinstance(argument, External) and name in ("Class", argument.name):
            _unify_all(arguments, argument.arguments, bindings)
        case UnionType(parts):
            _unify_all(parts, (argument,) * len(parts), bindings)
        case _:
            return


def _unify_all(parameters: Sequence[Type], arguments: Sequence[Type], bindings: Substitution) -> None:
    for one, other in zip(parameters, arguments, strict=False):
        _unify(one, other, bindings)
