"""C++: members may be defined outside their class, headers share C's extension."""

import re

from headwater.ast_chunker.languages.c.macros import unplaced_macros
from headwater.ast_chunker.languages.language import Language
from headwater.domain.document import SymbolKind

_BESIDE_CODE = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)"  # comments
    r"|^\s*#\s*if(?:def\s+|\s+defined\W*)__cplusplus\b.*?^\s*#\s*(?:else|endif)\b[^\n]*"  # C, made fit for C++
    r'|"(?!C")(?:\\.|[^"\\\n])*"',
    re.MULTILINE | re.DOTALL,
)
_ONLY_CPP = re.compile(
    r"^\s*(?:class\s+\w+|#\s*include\s*<\w+>)|\bclass\s+[\w:]+\s*(?:final\s*)?[:{;]"
    r"|\bnamespace\s+[\w:]*\s*[{=]|\bnamespace\s*\{|\btemplate\s*<|\benum\s+(?:class|struct)\s"
    r"|\busing\s+(?:namespace\s|[\w:]+\s*[=;])|\b(?:public|private|protected)\s*:|\bvirtual\s+[\w~]"
    r'|\bconstexpr\s+\w|\w\s*::\s*[\w~]|\bextern\s+"C"',
    re.MULTILINE,
)


def is_exported(_name: str, kind: SymbolKind, modifiers: tuple[str, ...]) -> bool:
    """Everything but `static` functions and variables; a static member is seen like any other."""
    return "static" not in modifiers or kind not in (SymbolKind.FUNCTION, SymbolKind.VARIABLE)


def is_cpp_header(head: str) -> bool:
    """A header with what C has not, beside what it shows to C++ alone."""
    return _ONLY_CPP.search(_BESIDE_CODE.sub(" ", head)) is not None


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
