"""Scala: objects and classes share names, and every class parameter is a member."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(_name: str, _kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Public is what is not said to be private; modifiers come as one node's text."""
    return not any("private" in modifier for modifier in modifiers)


LANGUAGE = Language(
    name="scala",
    grammar="tree_sitter_scala",
    extensions=(".scala", ".sc", ".sbt"),
    members_visible=True,
    exported=is_exported,
    self_names=("this", "super"),
)
