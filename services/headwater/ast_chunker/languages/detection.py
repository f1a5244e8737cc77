"""Which language a file is in: its name, its shebang, and its content where names are shared or lie."""

import re
from functools import lru_cache

from headwater.ast_chunker.languages.language import Language
from headwater.ast_chunker.languages.registry import all_languages

TEXT = "text"
HEAD = 8192
_SHEBANG = re.compile(
    r"^\ufeff?#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*(?:\w+=\S*\s+)*)?(?:\S*/)?([A-Za-z]+[A-Za-z0-9+#-]*)"
)
_MARKUP = re.compile(r"^\ufeff?\s*(?:<\?xml|<!DOCTYPE|<!--|<[A-Za-z][\w:.-]*(?:\s[^>]*)?>)", re.IGNORECASE)
_MARKUP_FREE = frozenset(
    {"python", "java", "go", "typescript", "rust", "c", "cpp", "csharp", "ruby", "lua", "sql", "bash"}
)
_CODE_AFTER_MARKUP = re.compile(r"^\s*(?:import|export|const|let|var|function|class|interface|type)\s", re.MULTILINE)
_STRANGERS = {  # other languages that share an extension, and have no grammar here
    ".h": re.compile(
        r"^\s*(?:@(?:interface|protocol|class|implementation|import)\s|#\s*import\s*[<\"]|NS_ASSUME_NONNULL_BEGIN\b)",
        re.MULTILINE,
    ),
    ".rs": re.compile(r"^\s*#pragma\s+(?:version|rs)\b", re.MULTILINE),  # RenderScript
}


def detect_language(path: str, text: str) -> str:
    """The name of the language, "text" when none is known. `text` may be only the head of the file."""
    head = text[:HEAD]
    name = path.rsplit("/", 1)[-1]
    candidates = _by_filename().get(name, ()) or _by_extension(name)
    if not candidates:
        return _by_shebang(head)
    if (stranger := _STRANGERS.get(name.lower()[name.rfind(".") :])) and stranger.search(head):
        return TEXT
    language = next((c for c in candidates if c.claims(head)), candidates[0])
    if language.name in _MARKUP_FREE and _is_markup(head):
        return TEXT
    return language.name


def _by_extension(name: str) -> tuple[Language, ...]:
    lowered = name.lower()
    at = lowered.find(".", 1)
    while at >= 0:  # the longest extension wins: .d.ts before .ts
        if found := _extensions().get(lowered[at:]):
            return found
        at = lowered.find(".", at + 1)
    return ()


def _by_shebang(head: str) -> str:
    match = _SHEBANG.match(head)
    if match is None:
        return TEXT
    interpreter = match.group(1).lower()
    known = _shebangs()
    return known.get(interpreter) or known.get(interpreter.rstrip("0123456789.-")) or TEXT


def _is_markup(head: str) -> bool:
    """A Qt translation named .ts, a page named .py: text that opens with a tag and shows no statement."""
    return _MARKUP.match(head) is not None and not _CODE_AFTER_MARKUP.search(head)


@lru_cache(maxsize=1)
def _extensions() -> dict[str, tuple[Language, ...]]:
    table: dict[str, list[Language]] = {}
    for language in all_languages().values():
        for extension in language.extensions:
            table.setdefault(extension, []).append(language)
    return {extension: tuple(found) for extension, found in table.items()}


@lru_cache(maxsize=1)
def _by_filename() -> dict[str, tuple[Language, ...]]:
    return {name: (language,) for language in all_languages().values() for name in language.filenames}


@lru_cache(maxsize=1)
def _shebangs() -> dict[str, str]:
    return {name: language.name for language in all_languages().values() for name in language.shebangs}
