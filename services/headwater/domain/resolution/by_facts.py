"""Resolution from what files say of themselves: scopes, imports, self receivers, receivers that are types, arity."""

import re
from collections.abc import Callable, Sequence

from headwater.domain.document import FileFacts, Import, Symbol, SymbolKind
from headwater.domain.resolution.model import Binding, Definition, Use, Verdict
from headwater.domain.resolution.modules import module_matches

_SELF = frozenset({"this", "self", "cls", "Self", "@", "$this", "Me"})
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_TYPES = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.RECORD,
        SymbolKind.ANNOTATION,
        SymbolKind.TYPE,
    }
)
_BARE_NAME = re.compile(r"[\w$]+")


class FactsResolver:
    """Binds by facts alone; whatever needs types of expressions stays BY_NAME."""

    def bind(self, use: Use, candidates: Sequence[Definition]) -> Binding:
        """See `Resolver`."""
        reference = use.reference
        if reference.target >= 0:
            return _exactly([d for d in candidates if d.id == (use.path, reference.target)], use)
        if reference.import_ >= 0:
            return _through_import(use, use.facts.imports[reference.import_], candidates)
        if reference.receiver:
            return _member(use, candidates)
        return _free_name(use, candidates)


def _exactly(targets: Sequence[Definition], use: Use) -> Binding:
    """Resolved to `targets` after overloads that can't be meant are out; elsewhere when there are none."""
    fitting = fit_arity(targets, use)
    return Binding(Verdict.RESOLVED, _ids(fitting)) if fitting else Binding(Verdict.ELSEWHERE)


def _by_name(targets: Sequence[Definition], use: Use) -> Binding:
    fitting = fit_arity(targets, use)
    return Binding(Verdict.BY_NAME, _ids(fitting)) if fitting else Binding(Verdict.ELSEWHERE)


def _through_import(use: Use, imported: Import, candidates: Sequence[Definition]) -> Binding:
    """`from p import m`: candidates named m in module p; unseen modules leave the name."""
    member = imported.name if imported.name not in ("", "*") else ""
    named = [d for d in candidates if not member or d.symbol.name == member]
    in_module = [d for d in named if _in_module(d, imported, use.path)]
    top = [d for d in in_module if d.container is None or not _in_type(d)]
    if top or in_module:
        return _exactly(top or in_module, use)
    return _by_name([d for d in named if d.container is None], use)  # re-exported, or from outside


def _in_module(definition: Definition, imported: Import, importer: str) -> bool:
    package = definition.facts.package
    if module_matches(imported.module, importer, definition.path, package):
        return True
    container = definition.container
    return container is not None and imported.module.rsplit(".", 1)[-1] == container.name  # import static p.Type.m


def _member(use: Use, candidates: Sequence[Definition]) -> Binding:
    """`receiver.name`: self, a type's own name, a module's alias; else any member of that name."""
    receiver = use.reference.receiver
    if receiver in _SELF and (own := enclosing_type(use)):
        mine = [d for d in candidates if d.container is not None and d.container.name == own.name]
        if mine:
            return _exactly(_same_file_first(mine, use.path), use)
        return _by_name([d for d in candidates if _in_type(d)], use)  # inherited
    if imported := _import_bound(use.facts, receiver):
        in_module = [d for d in candidates if not _in_type(d) and _in_module_or_below(d, imported, use.path)]
        if in_module:
            return _exactly(in_module, use)
    head = receiver.removesuffix("{").removesuffix("(").rsplit(".", 1)[-1].rsplit("::", 1)[-1]
    if _BARE_NAME.fullmatch(head):
        of_type = [d for d in candidates if d.container is not None and d.container.name == head]
        if of_type:
            return _exactly(of_type, use)
    return _by_name([d for d in candidates if _in_type(d)] or list(candidates), use)


def _in_module_or_below(definition: Definition, imported: Import, importer: str) -> bool:
    package = definition.facts.package
    if imported.name in ("", "*"):
        return module_matches(imported.module, importer, definition.path, package)
    separator = "" if imported.module.endswith((".", "/")) else "."
    return module_matches(f"{imported.module}{separator}{imported.name}", importer, definition.path, package)


def _free_name(use: Use, candidates: Sequence[Definition]) -> Binding:
    """A bare name that nothing in the file binds: same file, same folder or package, wildcard imports, else by name."""
    own = enclosing_type(use)
    if own is not None:
        here = [d for d in candidates if d.path == use.path]
        mine = [d for d in here if d.container is not None and d.container.name == own.name]
        if mine and use.facts.language in ("java", "kotlin", "csharp", "scala", "cpp", "swift", "ruby"):
            return _exactly(mine, use)
    free = [d for d in candidates if not _in_type(d) or d.symbol.kind in _TYPES]
    here = [d for d in free if _shares_package(d, use)]
    if here:
        return _exactly(here, use)
    wild = [i for i in use.facts.imports if i.name == "*"]
    through = [d for d in free if any(_in_module(d, i, use.path) for i in wild)]
    if through:
        return _exactly(through, use)
    return _by_name(free or list(candidates), use)


def _shares_package(definition: Definition, use: Use) -> bool:
    """Names that are visible without an import: the file itself; in Go and Java, the package."""
    if definition.path == use.path:
        return True
    if use.facts.language not in ("go", "java", "kotlin", "scala") or definition.facts.language != use.facts.language:
        return False
    same_folder = definition.path.rpartition("/")[0] == use.path.rpartition("/")[0]
    return definition.facts.package == use.facts.package and (same_folder or use.facts.language != "go")


def fit_arity(definitions: Sequence[Definition], use: Use) -> list[Definition]:
    """Leave out overloads that can't take this call's number of arguments, if any other can."""
    arguments = use.reference.arguments
    if arguments is None or len(definitions) < 2:
        return list(definitions)
    fitting = [d for d in definitions if _takes(d.symbol, len(arguments))]
    return fitting or list(definitions)


def _takes(symbol: Symbol, count: int) -> bool:
    if symbol.kind not in _CALLABLE:
        return True
    if symbol.parameters and symbol.parameters[-1] == "…":
        return count >= len(symbol.parameters) - 1
    return count == len(symbol.parameters)


def enclosing_type(use: Use) -> Symbol | None:
    """The innermost class-like symbol around a use."""
    return _up(use.facts, use.reference.scope, lambda s: s.kind in _TYPES)


def _up(facts: FileFacts, index: int, wanted: Callable[[Symbol], bool]) -> Symbol | None:
    while index >= 0:
        symbol = facts.symbols[index]
        if wanted(symbol):
            return symbol
        index = symbol.container
    return None


def _in_type(definition: Definition) -> bool:
    return definition.container is not None and definition.container.kind in _TYPES


def _import_bound(facts: FileFacts, name: str) -> Import | None:
    return next((i for i in facts.imports if i.alias == name), None)


def _same_file_first(definitions: list[Definition], path: str) -> list[Definition]:
    return [d for d in definitions if d.path == path] or definitions


def _ids(definitions: Sequence[Definition]) -> tuple[tuple[str, int], ...]:
    return tuple(d.id for d in definitions)
