"""What one text says: its facts and its chunks. Pure; the parser's own time limit is the caller's (parse_pool)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from headwater.ast_chunker.build_chunks import ChunkBuilder, body_budget
from headwater.ast_chunker.chunks import Piece, Ruler, cut_lines, cut_page, cut_tree
from headwater.ast_chunker.docs import CommentIndex
from headwater.ast_chunker.embedded_code import (
    Region,
    add_expressions,
    expression_regions,
    joined_scripts,
    merge_facts,
    parse_script,
    script_regions,
)
from headwater.ast_chunker.facts import extract
from headwater.ast_chunker.languages.registry import all_languages, grammar_of
from headwater.ast_chunker.positions import LineIndex
from headwater.ast_chunker.syntax_cost import check_cost
from headwater.domain.document import Chunk, FileFacts
from headwater.domain.treatment import MAX_PARSE_STEPS
from headwater.domain.version import PipelineVersion

Read = Callable[[bytes, Node, Sequence[tuple[int, int]]], bytes]  # what to read at the nodes of a tree of a source

LINES_LANGUAGE = "text"
MAX_EXPRESSIONS = 5_000  # of a template


@dataclass(frozen=True, slots=True)
class Analysis:
    """Facts and chunks of one text, and its number of lines."""

    facts: FileFacts
    chunks: tuple[Chunk, ...]
    lines: int


def as_it_is(source: bytes, _root: Node, _hidden: Sequence[tuple[int, int]]) -> bytes:
    """Everything."""
    return source


def analyse(
    path: str, source: bytes, language: str, version: PipelineVersion, most_steps: int = MAX_PARSE_STEPS
) -> Analysis:
    """Parse `source` (UTF-8) as `language`, "text" for none, and cut it. Syntax errors are counted, not raised.

    Raises TooCostlyError for syntax of more than `most_steps`.
    """
    if language == LINES_LANGUAGE:
        return analyse_lines(path, source, version)
    grammar = grammar_of(language)
    lines = LineIndex(source)
    tree = grammar.parse(source)
    check_cost(tree, most_steps)
    extraction = extract(tree, source, lines, grammar, path)
    ruler = Ruler(source)
    if grammar.language.scripts:
        facts, parts = _page(path, source, lines, extraction.facts, tree.root_node, as_it_is, most_steps)
        scripts = [(region.start, region.end, root, comments) for region, root, comments in parts]
        return _built(path, source, lines, facts, cut_page(scripts, facts.symbols, ruler, body_budget(path)), version)
    pieces = cut_tree(tree.root_node, extraction.facts.symbols, extraction.comments, ruler, body_budget(path))
    return _built(path, source, lines, extraction.facts, pieces, version)


def facts_of(path: str, source: bytes, language: str, read: Read) -> FileFacts:
    """The facts that `analyse` finds in a parsed language, their texts as `read` shows them."""
    grammar = grammar_of(language)
    lines, tree = LineIndex(source), grammar.parse(source)
    shown = read(source, tree.root_node, grammar.language.hidden(source))
    facts = extract(tree, shown, lines, grammar, path).facts
    return _page(path, source, lines, facts, tree.root_node, read)[0] if grammar.language.scripts else facts


Part = tuple[Region, Node, CommentIndex]


def _page(
    path: str,
    source: bytes,
    lines: LineIndex,
    facts: FileFacts,
    page: Node,
    read: Read,
    most_steps: int = MAX_PARSE_STEPS,
) -> tuple[FileFacts, list[Part]]:
    """A page of markup: each script by its own grammar, with positions of the page; the rest by lines."""
    host = all_languages()[facts.language]
    regions = script_regions(page, host.scripts)
    found: list[FileFacts] = []
    parts: list[Part] = []
    for script in joined_scripts(source, regions):
        check_cost(script.tree, most_steps)
        shown = read(source, script.tree.root_node, ())
        extraction = extract(script.tree, shown, lines, grammar_of(script.language), path)
        found.append(extraction.facts)
        parts.extend((region, script.tree.root_node, extraction.comments) for region in script.regions)
    merged = merge_facts(facts, found)
    if host.expressions:
        language = regions[0].language if regions else host.scripts
        expressions = expression_regions(page, language)
        merged = add_expressions(merged, _expressions(path, source, lines, expressions, read))
    return merged, sorted(parts, key=lambda part: part[0].start)


def _expressions(path: str, source: bytes, lines: LineIndex, regions: list[Region], read: Read) -> list[FileFacts]:
    found: list[FileFacts] = []
    for region in regions[:MAX_EXPRESSIONS]:
        script = parse_script(source, region.language, (region,))
        shown = read(source, script.tree.root_node, ())
        found.append(extract(script.tree, shown, lines, grammar_of(region.language), path).facts)
    return found


def analyse_lines(path: str, source: bytes, version: PipelineVersion, language: str = LINES_LANGUAGE) -> Analysis:
    """Line chunks only: no grammar, or the parser was given up."""
    lines = LineIndex(source)
    pieces = cut_lines(Ruler(source), body_budget(path))
    return _built(path, source, lines, FileFacts(language), pieces, version)


def _built(
    path: str, source: bytes, lines: LineIndex, facts: FileFacts, pieces: list[Piece], version: PipelineVersion
) -> Analysis:
    builder = ChunkBuilder(path, source, lines, facts, version)
    return Analysis(facts, tuple(builder.build(piece) for piece in pieces), lines.lines)
