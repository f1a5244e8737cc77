"""Python: modules and packages, re-exports, wildcard imports, self, super and properties."""

import builtins
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from headwater.domain.document import Import, Reference, ReferenceKind, Symbol, SymbolKind
from headwater.domain.resolution.expression import Call, Name
from headwater.domain.resolution.file_view import TYPE_KINDS, FileView
from headwater.domain.resolution.rules.plain import PlainRules
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import (
    EXTERNAL,
    UNKNOWN,
    ClassOf,
    Definitions,
    Denotation,
    External,
    Instance,
    ListType,
    Module,
    Type,
    Unknown,
    union,
)
from headwater.domain.resolution.typing import Place

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

_BUILTINS = frozenset(dir(builtins)) | {
    "__file__",
    "__name__",
    "__path__",
    "__doc__",
    "__spec__",
    "unicode",
    "basestring",
}
_LIBRARY = frozenset(  # of the standard library, what nobody shadows: no need to look for it
    {"__future__", "abc", "asyncio", "base64", "collections", "contextlib", "copy", "dataclasses", "datetime", "enum",
     "functools", "hashlib", "importlib", "inspect", "io", "itertools", "json", "logging", "math", "operator", "os",
     "pathlib", "pickle", "random", "re", "shutil", "socket", "struct", "subprocess", "sys", "tempfile", "textwrap",
     "threading", "time", "traceback", "typing", "unittest", "urllib", "uuid", "warnings", "weakref"}
)  # fmt: skip
_MANY_PACKAGES = 50  # of one name
_SOURCE_FOLDERS = ("", "src", "lib", "python")
_GIVES_BACK = frozenset(
    {"copy", "deepcopy", "next", "max", "min", "getattr", "iter", "partial", "cast", "reduce", "replace", "pop", "get",
     "setdefault", "wraps", "contextmanager", "lru_cache", "property", "eval", "import_module", "__import__", "popitem",
     "filter", "map", "sum", "vars", "globals", "locals", "super", "type"}
)  # fmt: skip
_SAME_ELEMENTS = frozenset({"list", "set", "tuple", "sorted", "reversed", "frozenset", "deque", "iter"})
_TEXT = frozenset({"str", "bytes", "int", "float", "bool", "bytearray"})


class PythonRules(PlainRules):
    """Module keys are `python:<folder or file without suffix>`; `document` is its own file, -1 for a namespace."""

    def imported(self, names: "Names", view: FileView, one: Import) -> Denotation:
        if not one.name:
            dotted = one.module if one.alias and one.alias != one.module.split(".")[0] else one.module.split(".")[0]
            return self._module(names, view, dotted)
        module = self._module(names, view, one.module)
        if isinstance(module, External):
            return External(f"module {one.name}")  # or a class or function of it
        if not isinstance(module, Module):
            return module
        return self.module_member(names, module, one.name)

    def _module(self, names: "Names", view: FileView, dotted: str) -> Denotation:
        """The module of this dotted name: relative to the file, else below a folder around it or a source folder."""
        bare = dotted.lstrip(".")
        path = bare.replace(".", "/")
        if dotted.startswith("."):
            folder = PurePosixPath(view.directory)
            for _ in range(len(dotted) - len(bare) - 1):
                folder = folder.parent
            return self._at(names, _join(str(folder), path))
        top, seen_top = path.split("/")[0], False
        if top in _LIBRARY:
            return External(f"module {bare}")
        for root in _roots(view.directory):
            found = self._at(names, _join(root, path))
            if found.document >= 0 or names.source.has_folder(_join(root, path)):
                return found
            seen_top = seen_top or self._exists(names, _join(root, top))
        return UNKNOWN if seen_top else self._elsewhere(names, path) or External(f"module {bare}")

    def _elsewhere(self, names: "Names", path: str) -> Denotation | None:
        """A module below a source folder of any other name: the one that there is, or it can't be told which."""
        packages = names.source.top_packages(path.partition("/")[0])
        if len(packages) > _MANY_PACKAGES:
            return UNKNOWN
        at = [_join(package.rpartition("/")[0], path) for package in packages]
        found = [module for place in at if (module := self._at(names, place)).document >= 0]
        return found[0] if len(found) == 1 else UNKNOWN if packages else None

    def _exists(self, names: "Names", path: str) -> bool:
        at = names.source.document_at
        return at(path + ".py") is not None or at(path + "/__init__.py") is not None

    def _at(self, names: "Names", path: str) -> Module:
        for file in (f"{path}/__init__.py", f"{path}.py", f"{path}.pyi"):
            document = names.source.document_at(file.lstrip("/"))
            if document is not None:
                return Module(f"python:{path}", document)
        return Module(f"python:{path}")

    def module_member(self, names: "Names", module: Module, name: str) -> Denotation:
        found = self._own_member(names, module, name)
        if found is not None or module.document < 0:
            return found or UNKNOWN
        return self._through_wildcards(names, names.view(module.document), name) or UNKNOWN

    def _own_member(self, names: "Names", module: Module, name: str) -> Denotation | None:
        path = module.key.partition(":")[2]
        found = self._declared(names, names.view(module.document), name) if module.document >= 0 else None
        if found is not None and not isinstance(found, Unknown):
            return found
        submodule = self._at(names, _join(path, name))
        return submodule if submodule.document >= 0 else None

    def _declared(self, names: "Names", view: FileView, name: str) -> Denotation | None:
        """A name bound at the top of a module: definitions win over imports of the same name."""
        own = view.named_children(-1, name)
        if own:
            return Definitions(tuple(SymbolId(view.document, i) for i in own))
        if name in view.imports:
            top = [i for i in view.imports[name] if view.facts.imports[i].scope < 0] or view.imports[name]
            found = [names.imported(view, i) for i in top]
            return next((f for f in found if isinstance(f, Definitions | Module)), found[-1])
        return None

    def _through_wildcards(self, names: "Names", view: FileView, name: str) -> Denotation | None:
        """By the order of the imports, each module once however they import each other."""
        outcome: Denotation | None = None
        seen, pending = {view.document}, [(view, one) for one in reversed(view.wildcards)]
        while pending:
            at, one = pending.pop()
            module = self._module(names, at, one.module)
            if isinstance(module, Module) and module.document >= 0 and module.document not in seen:
                seen.add(module.document)
                found = self._own_member(names, module, name)
                if found is None:
                    inner = names.view(module.document)
                    pending += [(inner, further) for further in reversed(inner.wildcards)]
                elif not isinstance(found, External):
                    return found
            elif isinstance(module, External) and at is view:
                outcome = EXTERNAL
        return outcome

    def free(self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        found = self._through_wildcards(names, view, name)
        if found is not None:
            return found
        return External(name) if name in _BUILTINS else UNKNOWN

    def visible_in(
        self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind, innermost: bool
    ) -> Denotation | None:
        if view.symbol(scope).kind in TYPE_KINDS and innermost:
            own = self.own_members(names, SymbolId(view.document, scope), name)
            if own:
                return Definitions(tuple(own))
        return super().visible_in(names, view, scope, name, kind, innermost)

    def refine(self, names: "Names", view: FileView, reference: Reference, target: SymbolId) -> Denotation:
        """`str = str` at the top of a module reads what the name meant before."""
        symbol = view.symbol(target.number)
        inside = symbol.span.start_byte <= reference.at.byte < symbol.span.end_byte
        if inside and symbol.kind is SymbolKind.VARIABLE and symbol.container < 0 and symbol.type == f"={symbol.name}":
            return self.free(names, view, -1, reference.name, reference.kind)
        return super().refine(names, view, reference, target)

    def absent(self, names: "Names", owner: SymbolId, name: str) -> Denotation:
        return EXTERNAL if name.startswith("__") and name.endswith("__") else UNKNOWN

    def self_type(self, names: "Names", view: FileView, scope: int, name: str) -> Type | None:
        if name != "super":
            return None
        owner = view.enclosing_type(scope)
        return External("super") if owner >= 0 else None

    def untyped(self, names: "Names", id_: SymbolId) -> Type:
        """The first parameter of a method is the object or, in a class method, the class."""
        view = names.view(id_.document)
        symbol = view.symbol(id_.number)
        if symbol.kind is not SymbolKind.PARAMETER or symbol.container < 0:
            return UNKNOWN
        method = view.symbol(symbol.container)
        place = names.typing.calls.position(id_)
        if 0 <= place < len(method.parameters) and method.parameters[place] == "…":
            return External("dict")  # *args or **kwargs: a container of anything, with none of our members
        if method.container < 0 or view.symbol(method.container).kind not in TYPE_KINDS:
            return UNKNOWN
        if names.typing.calls.parameters(SymbolId(id_.document, symbol.container))[0] != id_:
            return UNKNOWN
        owner = SymbolId(id_.document, method.container)
        decorators = decorators_of(names, view, method)
        if "staticmethod" in decorators:
            return UNKNOWN
        is_class = (
            "classmethod" in decorators
            or method.name in ("__new__", "__init_subclass__")
            or symbol.name in ("cls", "mcs")
        )
        return ClassOf(owner) if is_class else Instance(owner)

    def call_external(self, names: "Names", callee: External, call: Call, receiver: Type | None, place: Place) -> Type:
        if isinstance(call.callee, Name) and call.callee.name == "super":
            view = names.view(place.document)
            owner = view.enclosing_type(place.scope)
            bases = names.members.bases(SymbolId(view.document, owner)) if owner >= 0 else [UNKNOWN]
            return union(bases) if bases else External("object")
        name = call.callee.name if isinstance(call.callee, Name) else getattr(call.callee, "name", "")
        if name in _SAME_ELEMENTS and call.arguments:
            inner = names.typing.of_expression(call.arguments[0], place)
            return inner if isinstance(inner, ListType) else External(name) if isinstance(inner, External) else UNKNOWN
        if name in _GIVES_BACK:
            return UNKNOWN
        if receiver is None or isinstance(receiver, Module):
            return External(name)
        if isinstance(receiver, External) and receiver.name.startswith("module "):
            return External(name)
        if isinstance(receiver, External) and (receiver.name in _TEXT or not name.islower()):
            return External(name)
        return External(name) if isinstance(receiver, External) and not call.arguments else UNKNOWN


def decorators_of(names: "Names", view: FileView, symbol: Symbol) -> set[str]:
    """The decorators' names: uses that stand in the declaration before the defining identifier."""
    found = {m.lstrip("@") for m in symbol.modifiers}
    for reference in view.between(symbol.span.start_byte, symbol.at.byte):
        found.add(reference.name)
    return found


def _join(folder: str, path: str) -> str:
    return "/".join(p for p in (folder.strip("/").removeprefix("."), path) if p)


def _roots(directory: str) -> list[str]:
    """Folders that may hold top-level packages, nearest first: those around the file and their source folders."""
    parts = directory.split("/") if directory else []
    around = ["/".join(parts[:n]) for n in range(len(parts), -1, -1)]
    return [_join(folder, source) for folder in around for source in _SOURCE_FOLDERS]
