"""Code inside markup: which ranges of a page are scripts, in which language, and how their facts become one file's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
from tree_sitter import Node, Point, Range, Tree

from headwater.ast_chunker.languages.registry import grammar_of
from headwater.domain.document import FileFacts, Import, Reference, Symbol

_INTERPOLATION = re.compile(rb"\{\{(.+?)\}\}", re.DOTALL)
_BY_ATTRIBUTE = {
    "ts": "typescript",
    "typescript": "typescript",
    "text/typescript": "typescript",
    "application/typescript": "typescript",
    "tsx": "tsx",
    "js": "javascript",
    "jsx": "javascript",
    "javascript": "javascript",
    "module": "javascript",
    "text/javascript": "javascript",
    "application/javascript": "javascript",
    "text/ecmascript": "javascript",
    "text/jsx": "javascript",
    "text/babel": "javascript",
}


@dataclass(frozen=True, slots=True, order=True)
class Region:
    """A range of the page in bytes, and the language of what is in it."""

    start: int
    end: int
    language: str


@dataclass(frozen=True, slots=True)
class Script:
    """Scripts of one language parsed as one text, so that they see each other's names; positions are the page's."""

    language: str
    regions: tuple[Region, ...]
    tree: Tree


def script_regions(root: Node, default: str) -> list[Region]:
    """The script blocks of an HTML-like tree, top-down; data blocks (JSON, templates) are none."""
    return sorted(r for script in _nodes(root, "script_element") for r in _region(script, default))


def expression_regions(root: Node, language: str) -> list[Region]:
    """What a component's template says in code: directives (`:a`, `@a`, `#a`, `v-a`) and `{{ interpolations }}`."""
    regions: list[Region] = []
    for attribute in _nodes(root, "attribute"):
        name = (attribute.children[0].text or b"").decode("utf-8", "replace")
        values = [v for c in attribute.children for v in (c, *c.children) if v.type == "attribute_value"]
        if name.startswith((":", "@", "#", "v-")):
            regions.extend(Region(value.start_byte, value.end_byte, language) for value in values)
    for text in _nodes(root, "text"):
        for match in _INTERPOLATION.finditer(text.text or b""):
            start = text.start_byte + match.start(1)
            regions.append(Region(start, start + len(match.group(1)), language))
    return sorted(regions)


def _nodes(root: Node, kind: str) -> Iterator[Node]:
    """Every node of one type, none below another of it."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == kind:
            yield node
        else:
            pending.extend(node.children)


def joined_scripts(source: bytes, regions: Sequence[Region]) -> list[Script]:
    """The regions parsed, those of one language together; each alone where an error in one could spoil the others."""
    scripts: list[Script] = []
    for language in dict.fromkeys(region.language for region in regions):
        own = tuple(region for region in regions if region.language == language)
        joined = parse_script(source, language, own)
        if len(own) > 1 and joined.tree.root_node.has_error:
            scripts.extend(parse_script(source, language, (region,)) for region in own)
        else:
            scripts.append(joined)
    return scripts


def parse_script(source: bytes, language: str, regions: tuple[Region, ...]) -> Script:
    """The regions (ascending) as one text of a language."""
    parser = grammar_of(language).parser()
    parser.included_ranges = [Range(_point(source, r.start), _point(source, r.end), r.start, r.end) for r in regions]
    return Script(language, regions, parser.parse(source))


def _point(source: bytes, byte: int) -> Point:
    return Point(source.count(b"\n", 0, byte), byte - source.rfind(b"\n", 0, byte) - 1)


def _region(script: Node, default: str) -> list[Region]:
    attributes = _attributes(script.children[0])
    declared = attributes.get("lang") or attributes.get("type") or ""
    language = _BY_ATTRIBUTE.get(declared.lower()) if declared else default
    if language is None:
        return []
    texts = [c for c in script.children if c.type == "raw_text" and c.end_byte > c.start_byte]
    return [Region(text.start_byte, text.end_byte, language) for text in texts]


def _attributes(tag: Node) -> dict[str, str]:
    found: dict[str, str] = {}
    for attribute in tag.children:
        if attribute.type != "attribute":
            continue
        name, _, value = (attribute.text or b"").decode("utf-8", "replace").partition("=")
        found[name.strip().lower()] = value.strip().strip("\"'")
    return found


def merge_facts(page: FileFacts, scripts: Sequence[FileFacts]) -> FileFacts:
    """One file's facts from the page's own and those of its scripts, in order; indexes are moved along."""
    symbols: list[Symbol] = list(page.symbols)
    references: list[Reference] = list(page.references)
    imports: list[Import] = list(page.imports)
    for facts in scripts:
        first, first_import = len(symbols), len(imports)
        symbols.extend(msgspec.structs.replace(s, container=_moved(s.container, first)) for s in facts.symbols)
        references.extend(
            msgspec.structs.replace(
                r,
                scope=_moved(r.scope, first),
                target=_moved(r.target, first),
                import_=_moved(r.import_, first_import),
            )
            for r in facts.references
        )
        imports.extend(msgspec.structs.replace(i, scope=_moved(i.scope, first)) for i in facts.imports)
    return msgspec.structs.replace(
        page,
        symbols=tuple(symbols),
        references=tuple(sorted(references, key=lambda r: r.at.byte)),
        imports=tuple(imports),
        parse_errors=page.parse_errors + sum(facts.parse_errors for facts in scripts),
    )


def add_expressions(page: FileFacts, expressions: Sequence[FileFacts]) -> FileFacts:
    """The page with what its template uses: free names mean the component's own top level or its imports.

    Not everything a directive holds is an expression (`x in rows`), so their syntax errors don't count.
    """
    symbols = {s.name: i for i, s in reversed(list(enumerate(page.symbols))) if s.container < 0 and not s.local}
    imports = {imported.alias: i for i, imported in enumerate(page.imports) if imported.alias}
    starts = {r.at.byte for facts in expressions for r in facts.references}
    merged = merge_facts(page, [msgspec.structs.replace(facts, parse_errors=0) for facts in expressions])
    bound = (
        msgspec.structs.replace(r, target=symbols.get(r.name, -1), import_=imports.get(r.name, -1))
        if r.at.byte in starts and r.target < 0 and not r.receiver
        else r
        for r in merged.references
    )
    return msgspec.structs.replace(merged, references=tuple(bound))


def _moved(index: int, by: int) -> int:
    return index + by if index >= 0 else index
