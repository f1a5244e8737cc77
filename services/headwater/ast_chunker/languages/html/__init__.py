"""HTML: a page whose script blocks are code."""

from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="html",
    grammar="tree_sitter_html",
    extensions=(".html", ".htm", ".xhtml"),
    scripts="javascript",
    self_names=(),
)
