"""Go: how its files are known and what is exported."""

from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(name: str, _kind: SymbolKind, _modifiers: tuple[str, ...]) -> bool:
    """Names that start with an upper-case letter."""
    return name[:1].isupper()


LANGUAGE = Language(
    name="go",
    grammar="tree_sitter_go",
    extensions=(".go",),
    exported=is_exported,
    parameters_from_body=True,
    self_names=(),
)
