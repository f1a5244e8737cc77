"""TSX: TypeScript with JSX, a grammar of its own."""

from headwater.ast_chunker.languages.javascript import is_exported
from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="tsx",
    grammar="tree_sitter_typescript",
    entry="language_tsx",
    extensions=(".tsx",),
    extends=("typescript", "jsx", "ecmascript"),
    hoisted=True,
    exported=is_exported,
    self_names=("this", "super"),
)
