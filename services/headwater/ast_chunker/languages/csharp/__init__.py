"""C#: namespaces, partial classes, properties, and extension methods as static methods."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(_name: str, _kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Everything that is not private; without a word, a type is internal and a member private but for interfaces."""
    return "private" not in modifiers


LANGUAGE = Language(
    name="csharp",
    grammar="tree_sitter_c_sharp",
    extensions=(".cs", ".csx"),
    members_visible=True,
    hoisted=False,
    exported=is_exported,
    self_names=("this", "base"),
)
