"""One file's facts with the look-up tables that resolution needs."""

from bisect import bisect_left
from collections import defaultdict

from headwater.domain.document import FileFacts, Import, Position, Reference, ReferenceKind, Symbol, SymbolKind

TYPE_KINDS = frozenset(
    {
        SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.ENUM,
        SymbolKind.RECORD, SymbolKind.ANNOTATION, SymbolKind.TYPE,
    }
)  # fmt: skip
CALLABLE_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.MACRO})
_MEMBERS = frozenset({SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.METHOD, SymbolKind.ACCESSOR})
_ALONE = frozenset(
    {SymbolKind.PARAMETER, SymbolKind.TYPE_PARAMETER, SymbolKind.LOCAL, SymbolKind.LABEL, SymbolKind.PROPERTY}
)
FAMILIES = {
    "python": "python", "java": "java", "go": "go", "rust": "rust",
    "typescript": "typescript", "tsx": "typescript", "javascript": "typescript", "jsx": "typescript",
    "vue": "typescript", "html": "typescript",
}  # fmt: skip


_TOGETHER = {"java": "jvm", "kotlin": "jvm", "scala": "jvm", "c": "c", "cpp": "c"}


class FileView:
    """Indices into `facts` stand for symbols, references and imports throughout."""

    def __init__(self, document: int, path: str, facts: FileFacts) -> None:
        self.document = document
        self.path = path
        self.directory = path.rpartition("/")[0]
        self.facts = facts
        self.family = FAMILIES.get(facts.language, "")
        self.world = _TOGETHER.get(
            facts.language, self.family or facts.language
        )  # languages that use each other's names
        self.children: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for i, symbol in enumerate(facts.symbols):
            self.children[symbol.container][symbol.name].append(i)
        self.references: dict[str, list[int]] = defaultdict(list)
        for i, reference in enumerate(facts.references):
            self.references[reference.name].append(i)
        self.imports: dict[str, list[int]] = defaultdict(list)
        self.imported_names: dict[str, list[int]] = defaultdict(list)
        self.wildcards: list[Import] = []
        for i, one in enumerate(facts.imports):
            if one.name == "*" and not one.alias:
                self.wildcards.append(one)
            if one.alias:
                self.imports[one.alias].append(i)
            if one.name:
                self.imported_names[one.name].append(i)

    def symbol(self, index: int) -> Symbol:
        return self.facts.symbols[index]

    def named_children(self, container: int, name: str) -> list[int]:
        table = self.children.get(container)
        return table.get(name, []) if table else []

    def enclosing(self, scope: int) -> list[int]:
        """The scope and those around it, innermost first."""
        out = []
        while scope >= 0:
            out.append(scope)
            scope = self.facts.symbols[scope].container
        return out

    def are_related(self, one: int, other: int) -> bool:
        """Whether one scope encloses the other."""
        return one in self.enclosing(other) or other in self.enclosing(one)

    def enclosing_type(self, scope: int) -> int:
        """The innermost type around (or at) this scope, -1 without one."""
        return next((s for s in self.enclosing(scope) if self.is_type(s)), -1)

    def is_type(self, index: int) -> bool:
        """Types, and enum constants with a body of their own."""
        kind = self.facts.symbols[index].kind
        return kind in TYPE_KINDS or (kind is SymbolKind.ENUM_MEMBER and index in self.children)

    def nearest_use(self, name: str, byte: int, after: bool) -> Reference | None:
        """The bare use of this name that stands nearest to `byte`, in the direction given."""
        uses = self.references.get(name)
        if not uses:
            return None
        references = self.facts.references
        at = bisect_left(uses, byte + after, key=lambda i: references[i].at.byte)
        order = range(at, len(uses)) if after else range(at - 1, -1, -1)
        return next((references[uses[i]] for i in order if not references[uses[i]].receiver), None)

    def nearest_field(self, byte: int, after: bool, name: str = "") -> int:
        """The first field of the struct or object declared nearest to `byte` (of this name, if any), -1 without one."""
        symbols = self.facts.symbols
        at = bisect_left(symbols, byte + after, key=lambda s: s.at.byte)
        order = range(at, len(symbols)) if after else range(at - 1, -1, -1)
        wanted = _MEMBERS if name else {SymbolKind.FIELD, SymbolKind.METHOD}
        field = next((i for i in order if symbols[i].kind in wanted and name in ("", symbols[i].name)), -1)
        while not after and field > 0 and self.in_same_struct(field - 1, field):
            field -= 1
        return field

    def in_same_struct(self, one: int, other: int) -> bool:
        """Whether two neighbouring symbols are fields of one struct."""
        first, second = self.facts.symbols[one], self.facts.symbols[other]
        return first.kind in _MEMBERS and second.kind in _MEMBERS and first.container == second.container

    def fields_from(self, first: int) -> list[int]:
        """That field and those that follow it in its struct; parameters of their function types lie between."""
        symbols = self.facts.symbols
        found, end = [first], symbols[first].span.end_byte
        for i in range(first + 1, len(symbols)):
            if self.in_same_struct(first, i):
                found.append(i)
                end = symbols[i].span.end_byte
            elif symbols[i].at.byte > end:
                break
        return found

    def is_head(self, owner: int, reference: Reference) -> bool:
        """Whether a use stands in a type's head, before its first member."""
        symbol = self.facts.symbols[owner]
        if symbol.kind not in TYPE_KINDS or not symbol.at.byte < reference.at.byte:
            return False
        members = (i for group in self.children.get(owner, {}).values() for i in group)
        starts = [self.facts.symbols[i].span.start_byte for i in members if not self._is_parameter(i)]
        return reference.at.byte < min(starts, default=0)

    def _is_parameter(self, index: int) -> bool:
        return self.facts.symbols[index].kind is SymbolKind.TYPE_PARAMETER

    def on_line(self, line: int) -> list[Reference]:
        """The references on this line."""
        references = self.facts.references
        first = bisect_left(references, line, key=lambda r: r.at.line)
        last = bisect_left(references, line + 1, key=lambda r: r.at.line)
        return list(references[first:last])

    def other_tokens(self, line: int) -> list[tuple[Position, str]]:
        """Tokens on this line that are no references: imported names and defining ones."""
        imported = [(i.at, i.name) for i in self.facts.imports if i.at.line == line]
        return imported + [(s.at, s.name) for s in self.facts.symbols if s.at.line == line]

    def between(self, start: int, end: int) -> list[Reference]:
        """The references that start in this range of bytes."""
        references = self.facts.references
        first = bisect_left(references, start, key=lambda r: r.at.byte)
        last = bisect_left(references, end, key=lambda r: r.at.byte)
        return list(references[first:last])

    def type_parameters(self, owner: int) -> list[int]:
        table = self.children.get(owner, {})
        symbols = self.facts.symbols
        return sorted(i for group in table.values() for i in group if symbols[i].kind is SymbolKind.TYPE_PARAMETER)

    def same_symbol(self, index: int) -> list[int]:
        """Declarations that mean one symbol: overload signatures, merged declarations, re-definitions."""
        symbol = self.facts.symbols[index]
        if self.family not in ("python", "typescript") or symbol.kind in _ALONE:
            return [index]
        if symbol.kind in _MEMBERS and symbol.container >= 0 and not self.is_type(symbol.container):
            return [index]  # of an object literal or an object type
        static = "static" in symbol.modifiers and self.family == "typescript"
        return [
            i
            for i in self.named_children(symbol.container, symbol.name)
            if self.facts.symbols[i].kind not in _ALONE
            and (self.family == "python" or static == ("static" in self.facts.symbols[i].modifiers))
        ]


def by_role(view: FileView, indices: list[int], kind: ReferenceKind) -> list[int]:
    """Of several meanings of one name those that a use of this kind takes: types in type position, else values."""
    if len(indices) < 2:
        return indices
    types = [
        i for i in indices if view.symbol(i).kind in TYPE_KINDS or view.symbol(i).kind is SymbolKind.TYPE_PARAMETER
    ]
    callables = [i for i in indices if view.symbol(i).kind in CALLABLE_KINDS]
    if kind is ReferenceKind.TYPE:
        return types or indices
    if kind is ReferenceKind.CALL:
        return callables or indices
    return [i for i in indices if i not in types and i not in callables] or indices
