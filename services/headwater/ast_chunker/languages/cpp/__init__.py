"""C++: members may be defined outside their class, headers share C's extension."""

import re

from headwater.ast_chunker.languages.c.macros import unplaced_macros
from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind

_ONLY_CPP = re.compile(
    r"^\s*(class\s+\w+|namespace\b|template\s*<|using\s+\w|public:|private:|protected:|virtual\s|#\s*include\s*<\w+>)",
    re.MULTILINE,
)


def is_exported(_name: str, kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Everything but `static` functions and variables; a static member is seen like any other."""
    return "static" not in modifiers or kind not in (SymbolKind.FUNCTION, SymbolKind.VARIABLE)


def is_cpp_header(head: str) -> bool:
    """A header with classes, namespaces, templates, or the standard library's includes without `.h`."""
    return _ONLY_CPP.search(head) is not None


LANGUAGE = Language(
    name="cpp",
    grammar="tree_sitter_cpp",
    extensions=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".h"),
    members_visible=True,
    hoisted=False,
    hidden=unplaced_macros,
    exported=is_exported,
    claims=is_cpp_header,
)
