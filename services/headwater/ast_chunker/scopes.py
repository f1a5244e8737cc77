"""The scope tree of one file: which definitions and imports each scope binds, and what a name means at a place."""

from dataclasses import dataclass, field

from headwater.domain.document import SymbolKind

TYPE_KINDS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.RECORD,
        SymbolKind.ANNOTATION,
        SymbolKind.TYPE,
        SymbolKind.TYPE_PARAMETER,
    }
)
CLASS_KINDS = TYPE_KINDS - {SymbolKind.TYPE, SymbolKind.TYPE_PARAMETER}
PURE_TYPES = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.TYPE_PARAMETER})  # never values
CALLABLE_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.ACCESSOR})
LOCAL_KINDS = frozenset({SymbolKind.PARAMETER, SymbolKind.TYPE_PARAMETER, SymbolKind.LOCAL, SymbolKind.LABEL})
MEMBER_KINDS = frozenset(
    {
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.ACCESSOR,
        SymbolKind.FIELD,
        SymbolKind.PROPERTY,
        SymbolKind.ENUM_MEMBER,
    }
)

LABELS = frozenset({SymbolKind.LABEL})
NAMES = frozenset(SymbolKind) - LABELS
CALLED = CALLABLE_KINDS | TYPE_KINDS  # where methods have a namespace of their own
NOT_CALLED = NAMES - CALLABLE_KINDS - TYPE_KINDS


@dataclass(slots=True)
class Bound:
    """A symbol as a scope binds it: visible to uses that start at or after `visible_from`."""

    symbol: int
    kind: SymbolKind
    visible_from: int


@dataclass(slots=True)
class Scope:
    """One scope. `members` are reached by simple name only where the language says so."""

    parent: int
    kind: str  # "", "function", "class"
    start: int
    end: int
    symbol: int  # innermost symbol that encloses or opens it
    in_function: bool
    inherits: bool = False  # a class with supertypes, named or anonymous
    members_from: int = 0  # where its body begins: its head does not see its members
    names: dict[str, list[Bound]] = field(default_factory=dict)
    members: dict[str, list[Bound]] = field(default_factory=dict)
    imports: dict[str, int] = field(default_factory=dict)
    nonlocals: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Meaning:
    """What a name may be, innermost scope first."""

    symbols: list[Bound]
    import_: int


class ScopeTree:
    """Scopes by number; 0 is the file."""

    def __init__(self, end: int, members_visible: bool, class_body_visible: bool) -> None:
        self.scopes = [Scope(-1, "", 0, end, -1, False)]
        self._members_visible = members_visible
        self._body_visible = class_body_visible

    def open(self, parent: int, kind: str, start: int, end: int, symbol: int) -> int:
        """A new scope in `parent`. A block that ends with its function is the function's own body: no new scope."""
        outer = self.scopes[parent]
        if not kind and outer.kind == "function" and outer.end == end:
            return parent
        self.scopes.append(Scope(parent, kind, start, end, symbol, kind == "function" or outer.in_function))
        return len(self.scopes) - 1

    def function_scope(self, scope: int) -> int:
        """The nearest scope that is no mere block."""
        while not self.scopes[scope].kind and scope > 0:
            scope = self.scopes[scope].parent
        return scope

    def block_scope(self, scope: int) -> int:
        """The nearest scope that is neither a function's nor a class's."""
        while self.scopes[scope].kind and scope > 0:
            scope = self.scopes[scope].parent
        return scope

    def class_scope(self, scope: int) -> int:
        """The nearest class scope, the file without one."""
        while self.scopes[scope].kind != "class" and scope > 0:
            scope = self.scopes[scope].parent
        return scope

    def bind(self, scope: int, name: str, bound: Bound) -> None:
        at = self.scopes[scope]
        if bound.kind is SymbolKind.CONSTRUCTOR or (bound.kind is SymbolKind.PROPERTY and not self._members_visible):
            return
        member = at.kind == "class" and bound.kind is not SymbolKind.TYPE_PARAMETER
        table = at.members if member else at.names
        table.setdefault(name, []).append(bound)

    def holds(self, scope: int, name: str) -> bool:
        """Whether this very scope binds the name."""
        at = self.scopes[scope]
        return name in at.names or name in at.members

    def meaning(self, scope: int, name: str, at: int, kinds: frozenset[SymbolKind] = NAMES) -> Meaning:
        """The innermost binding of `name` to one of `kinds` visible at byte `at`, and the import beside or beyond it.

        Nothing when that is a member found past a class with supertypes: the name may be inherited there.
        """
        crossed = doubtful = False
        while scope >= 0:
            here = self.scopes[scope]
            if name not in here.nonlocals:
                found = _visible(here.names.get(name), at, kinds)
                if (
                    not found
                    and here.kind == "class"
                    and at >= here.members_from
                    and (self._members_visible or (self._body_visible and not crossed))
                ):
                    found = _visible(here.members.get(name), at, kinds)
                    if found and doubtful:
                        return Meaning([], -1)
                if found or name in here.imports:
                    return Meaning(found, here.imports.get(name, -1))
            crossed = crossed or here.kind == "function"
            doubtful = doubtful or here.inherits
            scope = here.parent
        return Meaning([], -1)


def choose(candidates: list[Bound], kind: str, arity: int, arities: list[int]) -> int:
    """The symbol a use of this kind means among the bindings of one scope, -1 when syntax can't tell.

    `arity` is the use's number of arguments (-1: no call), `arities` the candidates' (-1: any number).
    """
    if kind == "type":
        fitting = [c for c in candidates if c.kind in TYPE_KINDS] or candidates
    else:
        fitting = [c for c in candidates if c.kind not in PURE_TYPES] or candidates
    if len(fitting) == 1:
        return fitting[0].symbol
    if all(c.kind is SymbolKind.LOCAL for c in fitting):
        return fitting[-1].symbol  # shadowed in the same scope
    if all(c.kind in CALLABLE_KINDS for c in fitting) and arity >= 0 and len(fitting) == len(candidates):
        same = [c for c, n in zip(candidates, arities, strict=True) if n in (arity, -1)]
        return same[0].symbol if len(same) == 1 else -1
    return -1 if all(c.kind in CALLABLE_KINDS for c in fitting) else fitting[0].symbol


def _visible(candidates: list[Bound] | None, at: int, kinds: frozenset[SymbolKind]) -> list[Bound]:
    if not candidates:
        return []
    return [c for c in candidates if at >= c.visible_from and c.kind in kinds]
