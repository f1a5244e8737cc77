"""Java: how its files are known and what is exported."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(_name: str, _kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Whatever is not private can be used from another file of the package."""
    return "private" not in modifiers


LANGUAGE = Language(
    name="java",
    grammar="tree_sitter_java",
    extensions=(".java",),
    members_visible=True,
    calls_apart=True,
    exported=is_exported,
    self_names=("this", "super"),
)
