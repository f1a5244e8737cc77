"""TypeScript: how its files are known and what is exported."""

from headwater.ast_chunker.languages.javascript import is_exported
from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="typescript",
    grammar="tree_sitter_typescript",
    entry="language_typescript",
    extensions=(".ts", ".mts", ".cts"),
    extends=("ecmascript",),
    hoisted=True,
    exported=is_exported,
    self_names=("this", "super"),
)
