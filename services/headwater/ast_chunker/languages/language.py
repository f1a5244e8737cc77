"""What a language declares about itself; its queries stand beside it as `.scm` files."""

from collections.abc import Callable
from dataclasses import dataclass

from headwater.domain.document import SymbolKind

Exported = Callable[[str, SymbolKind, tuple[str, ...]], bool]


def always_exported(_name: str, _kind: SymbolKind, _modifiers: tuple[str, ...]) -> bool:
    """For languages in which whatever is not local can be used elsewhere."""
    return True


def package_only(_path: str, package: str) -> str:
    """For languages whose files name their package, or have none."""
    return package


def never_sniffed(_head: str) -> bool:
    """For languages that own their extensions."""
    return False


def nothing_hidden(_source: bytes) -> list[tuple[int, int]]:
    """For grammars that read whole files."""
    return []


@dataclass(frozen=True)
class Language:
    """One language. The capture vocabulary of the queries is fixed in languages/README.md."""

    name: str  # FileFacts.language
    grammar: str  # importable module of the grammar wheel
    extensions: tuple[str, ...] = ()  # with the dot, lower case
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()  # interpreters
    entry: str = "language"  # the grammar module's function
    extends: tuple[str, ...] = ()  # folders whose queries follow its own
    members_visible: bool = False  # members can be named without receiver anywhere inside their class
    class_body_visible: bool = False  # … only directly in the class body (Python)
    calls_apart: bool = False  # methods have a namespace of their own: a call never means a variable (Java)
    parameters_from_body: bool = False  # types and defaults of parameters never mean a parameter (Python, Go)
    hoisted: bool = False  # a local is visible in its whole scope; else only after its declaration
    exported: Exported = always_exported  # asked of symbols that are not local
    module: Callable[[str, str], str] = package_only  # (path, package) -> prefix of qualified names
    self_names: tuple[str, ...] = ("this",)  # spellings of the current object
    hidden: Callable[[bytes], list[tuple[int, int]]] = nothing_hidden  # ranges that only confuse the parser: uses
    scripts: str = ""  # markup: the language of its script blocks that don't name one
    expressions: bool = False  # markup: its directives and {{ interpolations }} are code, too
    claims: Callable[[str], bool] = never_sniffed  # for a shared extension: is this text (its first 8 KiB) mine?
