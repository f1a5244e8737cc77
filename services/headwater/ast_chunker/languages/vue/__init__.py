"""Vue components: their blocks are HTML elements, and HTML's grammar reads them."""

from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="vue",
    grammar="tree_sitter_html",
    extensions=(".vue",),
    extends=("html",),
    scripts="javascript",
    expressions=True,
    self_names=(),
)
