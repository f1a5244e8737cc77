"""Python: how its files are known and what is exported."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(name: str, _kind: SymbolKind, _modifiers: tuple[str, ...]) -> bool:
    """By convention: what starts with an underscore is private, dunder names are not."""
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def module_of(path: str, _package: str) -> str:
    """The dotted module that a path is imported as: source roots and `__init__` fall away."""
    stem = path.rsplit(".", 1)[0]
    for root in ("src/", "lib/", "python/"):
        stem = stem.removeprefix(root)
    return stem.removesuffix("/__init__").replace("/", ".")


LANGUAGE = Language(
    name="python",
    grammar="tree_sitter_python",
    extensions=(".py", ".pyi", ".pyw", ".bzl", ".star"),
    filenames=("SConstruct", "SConscript", "BUILD", "WORKSPACE"),
    shebangs=("python", "python2", "python3", "pypy3"),
    class_body_visible=True,
    parameters_from_body=True,
    hoisted=True,
    module=module_of,
    exported=is_exported,
    self_names=("self", "cls"),
)
