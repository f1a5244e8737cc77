"""From a syntax tree to what the file says of itself: symbols, references and imports, bound by lexical scope."""

import re

import tree_sitter

from headwater.ast_chunker.collect import collect
from headwater.ast_chunker.collected import Collected, RawReference
from headwater.ast_chunker.docs import CommentIndex, first_sentence
from headwater.ast_chunker.languages.registry import Grammar
from headwater.ast_chunker.place import Placed, PlacedDefinition, PlacedImport, PlacedReference, place
from headwater.ast_chunker.positions import LineIndex
from headwater.ast_chunker.scopes import (
    CALLABLE_KINDS,
    CALLED,
    CLASS_KINDS,
    LABELS,
    LOCAL_KINDS,
    NAMES,
    NOT_CALLED,
    TYPE_KINDS,
    choose,
)
from headwater.domain.document import FileFacts, Import, Reference, ReferenceKind, Symbol, SymbolKind

_REFERENCE_KINDS = {str(kind): kind for kind in ReferenceKind}
MAX_ERRORS = 10_000
MAX_OVERLOADS = 64  # of one name in one scope; beyond, the resolver decides
_NAME = re.compile(rb"[A-Za-z_]\w*")


class Extraction:
    """What `extract` found: the facts, and what chunking needs beside them."""

    __slots__ = ("atoms", "comments", "facts")

    def __init__(self, facts: FileFacts, comments: CommentIndex, atoms: list[tuple[int, int]]) -> None:
        self.facts, self.comments, self.atoms = facts, comments, atoms


def extract(tree: tree_sitter.Tree, source: bytes, lines: LineIndex, grammar: Grammar, path: str) -> Extraction:
    """The facts of one parsed file. Pure; total on every tree that the parser gives."""
    found = collect(tree, source, grammar)
    found.references.extend(_hidden_uses(source, grammar))
    comments = CommentIndex(found.comments, source, lines, found.attributes)
    placed = place(found, grammar.language, len(source))
    facts = _Builder(placed, found, source, lines, grammar, comments).build(path, count_errors(tree))
    return Extraction(facts, comments, found.atoms)


def _hidden_uses(source: bytes, grammar: Grammar) -> list[RawReference]:
    """The names in what was hidden from the parser: uses all the same."""
    return [
        RawReference("read", word.group().decode("utf-8", "replace"), start + word.start(), bound=True)
        for start, end in grammar.language.hidden(source)
        for word in _NAME.finditer(source[start:end])
    ]


def count_errors(tree: tree_sitter.Tree) -> int:
    """ERROR and MISSING nodes, descending only where there are some."""
    if not tree.root_node.has_error:
        return 0
    errors, pending = 0, [tree.root_node]
    while pending and errors < MAX_ERRORS:
        node = pending.pop()
        errors += node.is_error or node.is_missing
        pending.extend(child for child in node.children if child.has_error or child.is_missing)
    return errors


class _Builder:
    def __init__(
        self,
        placed: Placed,
        found: Collected,
        source: bytes,
        lines: LineIndex,
        grammar: Grammar,
        comments: CommentIndex,
    ) -> None:
        self._placed, self._found, self._source, self._lines = placed, found, source, lines
        self._language, self._comments = grammar.language, comments
        self._tree = placed.tree
        self._parameters = self._parameter_types()
        self._exported = {
            i.raw.name for i in placed.imports if i.raw.pattern.settings.get("reexported") and not i.raw.module
        }
        self._by_name = {
            d.raw.name: i for i, d in reversed(list(enumerate(placed.definitions))) if d.kind in CLASS_KINDS
        }

    def build(self, path: str, errors: int) -> FileFacts:
        language = self._language
        prefix = language.module(path, self._found.package)
        symbols: list[Symbol] = []
        for number, placed in enumerate(self._placed.definitions):
            symbols.append(self._symbol(number, placed, symbols, prefix))
        return FileFacts(
            language=language.name,
            package=self._found.package,
            symbols=tuple(symbols),
            references=tuple(self._reference(r) for r in self._placed.references),
            imports=tuple(self._import(i) for i in self._placed.imports),
            parse_errors=errors,
            parsed=True,
        )

    def _symbol(self, number: int, placed: PlacedDefinition, before: list[Symbol], prefix: str) -> Symbol:
        raw = placed.raw
        container = self._container(placed)
        outside = "" if container != placed.container else _type_name(raw.receiver)
        if 0 <= container < number:
            prefix = before[container].qualified
        elif placed.raw.receiver:
            outside = _type_name(raw.receiver)
        qualified = ".".join(part for part in (prefix, outside, raw.name) if part)
        return Symbol(
            name=raw.name,
            kind=placed.kind,
            qualified=qualified,
            signature=raw.signature,
            container=container,
            at=self._lines.position(raw.name_start),
            span=self._lines.span(raw.span_start, raw.span_end),
            exported=not placed.local and self._is_exported(placed),
            local=placed.local or raw.name == "<anonymous>",
            type=raw.type or self._found.results.get(raw.body_start, ""),
            bases=raw.bases,
            parameters=tuple(t for _, t in self._parameters.get(number, ())),
            modifiers=raw.modifiers,
            doc=self._doc(placed),
        )

    def _is_exported(self, placed: PlacedDefinition) -> bool:
        raw = placed.raw
        if placed.container < 0 and raw.name in self._exported:
            return True
        return self._language.exported(raw.name, placed.kind, raw.modifiers)

    def _container(self, placed: PlacedDefinition) -> int:
        if placed.raw.receiver:
            return self._by_name.get(_type_name(placed.raw.receiver), placed.container)
        return placed.container

    def _doc(self, placed: PlacedDefinition) -> str:
        if placed.doc is not None:
            return first_sentence(self._source[placed.doc[0] : placed.doc[1]].decode("utf-8", "replace"))
        if placed.kind in LOCAL_KINDS:
            return ""
        return self._comments.doc_above(placed.raw.span_start)

    def _parameter_types(self) -> dict[int, list[tuple[int, str]]]:
        """For each callable the declared types of its own parameters, in order."""
        types: dict[int, list[tuple[int, str]]] = {}
        last: dict[int, tuple[int, int]] = {}
        definitions = self._placed.definitions
        for placed in definitions:
            scope = self._tree.scopes[placed.scope]
            is_member = placed.raw.settings.get("bind") == "member"  # constructor(private x: number)
            number = scope.symbol if is_member else placed.container
            if number < 0 or not (is_member or placed.kind is SymbolKind.PARAMETER):
                continue
            raw, owner = placed.raw, definitions[number].raw
            if owner.parameters is None:
                own = (scope.start, scope.end) == (owner.start, owner.end)
            else:
                own = owner.parameters[0] <= raw.start < owner.parameters[1]
            start, end = last.get(number, (0, 0))
            if own and not start < raw.start < end:  # else a parameter's own function type names it
                last[number] = raw.start, raw.end
                declared = "" if raw.type.startswith("=") else raw.type
                shown = "…" if raw.settings.get("variadic") else declared
                types.setdefault(number, []).append((raw.name_start, shown))
        return types

    def _reference(self, placed: PlacedReference) -> Reference:
        raw = placed.raw
        target, import_ = self._bind(placed) if raw.bound else (-1, -1)
        return Reference(
            name=raw.name,
            kind=_REFERENCE_KINDS[raw.kind],
            at=self._lines.position(raw.start),
            scope=placed.symbol,
            target=target,
            import_=import_,
            receiver=raw.receiver,
            arguments=raw.arguments,
        )

    def _bind(self, placed: PlacedReference) -> tuple[int, int]:
        raw = placed.raw
        if raw.kind == "import":
            return -1, self._tree.scopes[placed.scope].imports.get(raw.name, -1)
        meaning = self._tree.meaning(placed.scope, raw.name, raw.start, self._kinds(raw))
        if not meaning.symbols and meaning.import_ < 0 and self._language.calls_apart and raw.kind == "read":
            meaning = self._tree.meaning(placed.scope, raw.name, raw.start, TYPE_KINDS)  # a variable obscures a type
        if not meaning.symbols:
            return -1, meaning.import_
        arity = -1 if raw.arguments is None else len(raw.arguments)
        if len(meaning.symbols) == 1:
            only = meaning.symbols[0]
            inherited = self._language.calls_apart and only.kind in CALLABLE_KINDS and self._unfit(only.symbol, arity)
            return -1 if inherited else only.symbol, meaning.import_
        if len(meaning.symbols) > MAX_OVERLOADS:
            return -1, meaning.import_
        arities = [self._arity(bound.symbol) for bound in meaning.symbols]
        return choose(meaning.symbols, raw.kind, arity, arities), meaning.import_

    def _kinds(self, raw: RawReference) -> frozenset[SymbolKind]:
        """What a use like this can mean in this language."""
        if raw.label:
            return LABELS
        if raw.types:
            return TYPE_KINDS
        if not self._language.calls_apart:
            return NAMES
        return {"call": CALLED, "type": TYPE_KINDS}.get(raw.kind, NOT_CALLED)

    def _unfit(self, symbol: int, arity: int) -> bool:
        """Whether a call of so many arguments can't mean it: then it means an overload from elsewhere."""
        return arity >= 0 and self._arity(symbol) not in (arity, -1)

    def _arity(self, symbol: int) -> int:
        types = self._parameters.get(symbol, [])
        return -1 if any(t == "…" for _, t in types) else len(types)

    def _import(self, placed: PlacedImport) -> Import:
        raw, settings = placed.raw, placed.raw.pattern.settings
        return Import(
            module=raw.module,
            name=raw.name,
            alias=raw.alias,
            at=self._lines.position(raw.start),
            scope=placed.symbol,
            reexported=raw.reexported,
            static=bool(settings.get("static")),
            type_only=bool(settings.get("type_only")),
        )


def _type_name(receiver: str) -> str:
    """The bare name of a receiver's type: `(s *Stack[T])` -> Stack, `*T` -> T, `a::B` -> B."""
    bare = receiver.strip("()*& ").split("[")[0].split("<")[0].split()
    return bare[-1].lstrip("*&").rsplit(".", 1)[-1].rsplit("::", 1)[-1] if bare else ""
