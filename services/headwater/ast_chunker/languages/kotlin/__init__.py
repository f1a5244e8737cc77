"""Kotlin: primary constructors declare properties, extensions stand outside their type."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(_name: str, _kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Public is what is not said to be private."""
    return "private" not in modifiers


LANGUAGE = Language(
    name="kotlin",
    grammar="tree_sitter_kotlin",
    extensions=(".kt", ".kts"),
    members_visible=True,
    hoisted=False,
    exported=is_exported,
    self_names=("this", "super"),
)
