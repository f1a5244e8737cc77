"""JavaScript: how its files are known and what is exported."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind

_MEMBERS = frozenset(
    {
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.ACCESSOR,
        SymbolKind.FIELD,
        SymbolKind.PROPERTY,
        SymbolKind.ENUM_MEMBER,
    }
)


def is_exported(name: str, kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Declarations with `export`, and members that are not private."""
    if kind in _MEMBERS:
        return not name.startswith("#") and "private" not in modifiers
    return "export" in modifiers


LANGUAGE = Language(
    name="javascript",
    grammar="tree_sitter_javascript",
    extensions=(".js", ".mjs", ".cjs", ".jsx", ".es6"),
    filenames=("Jakefile",),
    shebangs=("node", "nodejs", "deno", "bun"),
    extends=("jsx", "ecmascript"),
    hoisted=True,
    exported=is_exported,
    self_names=("this", "super"),
)
