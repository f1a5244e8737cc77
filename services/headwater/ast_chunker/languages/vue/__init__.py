"""Vue components: their blocks are HTML elements, and HTML's grammar reads them."""

from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="vue",
    grammar="tree_sitter_html",
    extensions=(".vue", ".svelte"),
    extends=("html",),
    scripts="javascript",
    self_names=(),
)
