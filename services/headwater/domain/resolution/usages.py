"""Every use of a symbol: candidates by name and alias, each kept unless it provably means something else."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from headwater.domain.document import Position, Reference, ReferenceKind, Symbol, SymbolKind
from headwater.domain.resolution.compiled_usages import CompiledUsages
from headwater.domain.resolution.file_view import CALLABLE_KINDS, TYPE_KINDS, FileView
from headwater.domain.resolution.names import Names
from headwater.domain.resolution.plausible import is_plausible
from headwater.domain.resolution.source import FactsSource, SymbolId
from headwater.domain.resolution.types import Definitions, Denotation, External, Unknown

_NEVER_OVERRIDDEN = frozenset(
    {SymbolKind.CONSTRUCTOR, SymbolKind.PARAMETER, SymbolKind.TYPE_PARAMETER, SymbolKind.LOCAL}
)
_MAX_ALIASES = 20


class Usage(msgspec.Struct, frozen=True):
    """One use. `resolved` is False where the name alone speaks for it and nothing against it."""

    document: int
    at: Position
    kind: ReferenceKind
    name: str
    resolved: bool


class Usages:
    """Answers for one generation; what it learns of files is kept for the next question."""

    def __init__(self, source: FactsSource) -> None:
        self.names = Names(source)
        self._source = source

    def of(self, ids: Sequence[SymbolId]) -> list[Usage]:
        """All uses of the symbol that these definitions declare, in (document, position) order, each once."""
        wanted = self._whole_symbol(ids)
        found: dict[tuple[int, int], Usage] = {}
        compiled = self._by_compiler(wanted)
        guessed = (*self._named(wanted), *self._overrides(wanted)) if compiled is None else compiled
        for usage in guessed:
            key = (usage.document, usage.at.byte)
            if key not in found or (usage.resolved and not found[key].resolved):
                found[key] = usage
        return [found[key] for key in sorted(found)]

    def _by_compiler(self, wanted: frozenset[SymbolId]) -> list[Usage] | None:
        """The compiler's tokens, and what names give in files that it didn't see; None where it knows nothing."""
        index = self._source.compiled()
        if index is None:
            return None
        compiled = CompiledUsages(self.names, index)
        symbols = compiled.symbols_of(wanted)
        if not symbols:
            return None
        found = [Usage(view.document, at, kind, name, True) for view, at, kind, name in compiled.uses(symbols)]
        rest = (*self._named(wanted), *self._overrides(wanted))
        return found + [u for u in rest if not compiled.covers(self.names.view(u.document))]

    def definitions_at(self, document: int, byte: int) -> tuple[SymbolId, ...]:
        """The definitions that the name token at this byte is or denotes; empty when unknown or outside."""
        view = self.names.view(document)
        for i, symbol in enumerate(view.facts.symbols):
            if _covers(symbol.at, symbol.name, byte) and symbol.name != "<anonymous>":
                return (SymbolId(document, i),)
        for reference in view.facts.references:
            if _covers(reference.at, reference.name, byte):
                return self._compiled_definitions(view, reference.at) or _symbols(self.names.denote(view, reference))
        for i, one in enumerate(view.facts.imports):
            if one.name and _covers(one.at, one.name, byte):
                return self._compiled_definitions(view, one.at) or _symbols(self.names.imported(view, i))
        return ()

    def _compiled_definitions(self, view: FileView, at: Position) -> tuple[SymbolId, ...]:
        index = self._source.compiled()
        return () if index is None else CompiledUsages(self.names, index).definitions(view, at)

    def _whole_symbol(self, ids: Iterable[SymbolId]) -> frozenset[SymbolId]:
        """With the further declarations of the same symbol."""
        return frozenset(
            SymbolId(i.document, other)
            for i in ids
            for other in (*self.names.view(i.document).same_symbol(i.number), i.number)
        )

    def _named(self, wanted: frozenset[SymbolId]) -> Iterator[Usage]:
        first = min(wanted)
        symbol = self.names.symbol(first)
        names = {symbol.name} | ({"default"} if "default" in symbol.modifiers else set())
        if symbol.local and symbol.kind not in CALLABLE_KINDS | TYPE_KINDS and not self._is_member(first):
            documents: Iterable[int] = {i.document for i in wanted}
            documents = [*documents, *self._keyword_documents(first, symbol)]
        else:
            names |= self._aliases(wanted, names)
            documents = [d for n in sorted(names) for d in (*self._source.mentioning(n), *self._source.importing(n))]
            documents += [i.document for i in wanted]
        for document in dict.fromkeys(documents):
            yield from self._in_document(self.names.view(document), names, symbol, wanted)

    def _is_member(self, id_: SymbolId) -> bool:
        symbol = self.names.symbol(id_)
        return symbol.kind in (SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.METHOD, SymbolKind.ENUM_MEMBER)

    def _keyword_documents(self, id_: SymbolId, symbol: Symbol) -> Sequence[int]:
        """Python parameters are named by callers."""
        is_keyword = symbol.kind is SymbolKind.PARAMETER and self.names.view(id_.document).family == "python"
        return self._source.mentioning(symbol.name) if is_keyword else ()

    def _aliases(self, wanted: frozenset[SymbolId], names: set[str]) -> set[str]:
        """Other names under which modules hand the symbol on; used only where they resolve to it."""
        aliases: set[str] = set()
        pending = list(names)
        while pending and len(aliases) < _MAX_ALIASES:
            name = pending.pop()
            for document in self._source.importing(name):
                view = self.names.view(document)
                for i in view.imported_names.get(name, ()):
                    alias = view.facts.imports[i].alias
                    if alias in ("", name) or alias in aliases or alias in names:
                        continue
                    if wanted.intersection(_symbols(self.names.imported(view, i))):
                        aliases.add(alias)
                        pending.append(alias)
        return aliases

    def _in_document(
        self, view: FileView, names: set[str], symbol: Symbol, wanted: frozenset[SymbolId]
    ) -> Iterator[Usage]:
        local_only = symbol.local and not any(self._is_member(i) for i in wanted)
        calls_constructor = symbol.kind is SymbolKind.CONSTRUCTOR
        for name in (*names, *(("this", "super") if calls_constructor else ())):
            for i in view.references.get(name, ()):
                usage = self._judge(view, view.facts.references[i], symbol, wanted)
                if usage is not None:
                    yield usage
        if not local_only:
            yield from self._imports_in(view, names, wanted)

    def _imports_in(self, view: FileView, names: set[str], wanted: frozenset[SymbolId]) -> Iterator[Usage]:
        home = self.names.view(min(wanted).document)
        for name in names:
            for i in view.imported_names.get(name, ()):
                found = self.names.imported(view, i)
                resolved = bool(wanted.intersection(_symbols(found)))
                if resolved or (isinstance(found, Unknown) and view.world == home.world):
                    one = view.facts.imports[i]
                    yield Usage(view.document, one.at, ReferenceKind.IMPORT, one.name, resolved)

    def _judge(self, view: FileView, reference: Reference, symbol: Symbol, wanted: frozenset[SymbolId]) -> Usage | None:
        found = self.names.denote(view, reference)
        if isinstance(found, Definitions):
            if not wanted.intersection(self._closed(found)):
                return None
            return Usage(view.document, reference.at, reference.kind, reference.name, True)
        unknown = isinstance(found, Unknown) or (isinstance(found, External) and self._augments_library(min(wanted)))
        if not unknown or reference.name != symbol.name:
            return None
        if not is_plausible(self.names, view, reference, min(wanted)):
            return None
        return Usage(view.document, reference.at, reference.kind, reference.name, False)

    def _augments_library(self, id_: SymbolId) -> bool:
        """Members that `declare global` adds to types of the library are reached through the library's names."""
        view = self.names.view(id_.document)
        return any(view.symbol(s).qualified.split(".")[-1] == "global" for s in view.enclosing(id_.number)[1:])

    def _closed(self, found: Definitions) -> frozenset[SymbolId]:
        return self._whole_symbol(found.symbols)

    def _overrides(self, wanted: frozenset[SymbolId]) -> Iterator[Usage]:
        """The names of members that override the symbol, nearest only."""
        first = min(wanted)
        symbol = self.names.symbol(first)
        view = self.names.view(first.document)
        if symbol.bases and symbol.kind is SymbolKind.METHOD:
            return  # implements a trait: nothing overrides it
        if symbol.container < 0 or symbol.kind in _NEVER_OVERRIDDEN or view.family in ("", "go"):
            return
        if not view.is_type(symbol.container):
            return
        if view.family == "java" and symbol.kind is not SymbolKind.METHOD:
            return  # fields are hidden, not overridden
        owner = view.symbol(symbol.container).name
        for candidate in self._members_named(symbol.name, owner):
            if candidate not in wanted and wanted.intersection(self.names.members.overridden(candidate)):
                if not self._declares_override(candidate):
                    continue
                one = self.names.symbol(candidate)
                yield Usage(candidate.document, one.at, ReferenceKind.OVERRIDE, one.name, True)

    def _declares_override(self, id_: SymbolId) -> bool:
        """Of several declarations of one member the one with the body, which stands last in a class."""
        same = self.names.view(id_.document).same_symbol(id_.number)
        symbol = self.names.symbol(id_)
        if symbol.container < 0:
            return True
        container = self.names.symbol(SymbolId(id_.document, symbol.container))
        return id_.number == (max(same) if container.kind is SymbolKind.CLASS else min(same))

    def _members_named(self, name: str, owner: str) -> Iterator[SymbolId]:
        """Members of this name; also those of local and anonymous classes in files that name `owner`."""
        seen = {d.id for d in self._source.defining(name)}
        yield from sorted(seen)
        for document in self._source.declaring_locally(name, owner):
            view = self.names.view(document)
            for container in view.children:
                if container >= 0 and view.is_type(container):
                    for i in view.named_children(container, name):
                        if SymbolId(document, i) not in seen:
                            yield SymbolId(document, i)


def _symbols(found: Denotation) -> tuple[SymbolId, ...]:
    return found.symbols if isinstance(found, Definitions) else ()


def _covers(at: Position, name: str, byte: int) -> bool:
    return at.byte <= byte < at.byte + len(name.encode("utf-8"))
