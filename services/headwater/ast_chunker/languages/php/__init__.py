"""PHP: namespaces, traits, and variables that keep their dollar sign."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(_name: str, _kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Everything that is not private."""
    return "private" not in modifiers


LANGUAGE = Language(
    name="php",
    grammar="tree_sitter_php",
    entry="language_php",
    extensions=(".php", ".phtml", ".php5", ".inc"),
    shebangs=("php",),
    exported=is_exported,
    self_names=("$this", "self", "static", "parent"),
)
