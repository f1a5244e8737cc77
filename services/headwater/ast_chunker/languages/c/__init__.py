"""C: what is not static is seen by the linker, a header's text by whoever includes it."""

from headwater.ast_chunker.languages.c.macros import unplaced_macros
from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind


def is_exported(_name: str, _kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Everything but `static` functions and variables."""
    return "static" not in modifiers


LANGUAGE = Language(
    name="c",
    grammar="tree_sitter_c",
    extensions=(".c", ".h"),
    exported=is_exported,
    self_names=(),
    hoisted=False,
    hidden=unplaced_macros,
)
