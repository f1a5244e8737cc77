"""Rust: impl blocks give methods their type, use trees bind names."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(name: str, kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """`pub` in any form; variants and macros have no such word and are seen."""
    if kind in (SymbolKind.ENUM_MEMBER, SymbolKind.MACRO):
        return True
    return any(modifier.startswith("pub") for modifier in modifiers)


def module_of(path: str, _package: str) -> str:
    """The module that a file is, below its crate: src/dir/walk.rs is dir.walk; lib, main and mod are their folder."""
    parts = path.removesuffix(".rs").split("/")
    if "src" in parts:
        parts = parts[len(parts) - parts[::-1].index("src") :]
    if parts and parts[-1] in {"lib", "main", "mod"}:
        parts = parts[:-1]
    return ".".join(parts)


LANGUAGE = Language(
    name="rust",
    grammar="tree_sitter_rust",
    extensions=(".rs",),
    exported=is_exported,
    module=module_of,
    self_names=("self", "Self"),
    hoisted=False,
)
