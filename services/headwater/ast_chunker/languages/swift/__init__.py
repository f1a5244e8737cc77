"""Swift: extensions add members to types that may be declared elsewhere."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(_name: str, _kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Internal and up: what is not private or fileprivate."""
    return not any("private" in modifier.split() or "fileprivate" in modifier.split() for modifier in modifiers)


LANGUAGE = Language(
    name="swift",
    grammar="tree_sitter_swift",
    extensions=(".swift",),
    members_visible=True,
    hoisted=False,
    exported=is_exported,
    self_names=("self", "super", "Self"),
)
