"""The languages whose facts come from queries alone: no identifier is lost, and broken code costs only itself."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import tree_sitter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.ast_chunker.languages.detection import detect_language
from headwater.ast_chunker.languages.golden import examples
from headwater.ast_chunker.languages.registry import grammar_of
from headwater.ast_chunker.process import analyse_file
from headwater.domain.document import Document, FileFacts
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion

VERSION = PipelineVersion("test", 8)
FURTHER = ["rust", "c", "cpp", "csharp", "ruby", "php", "kotlin", "scala", "swift", "bash", "lua", "sql"]
NO_NAMES = {"$0", "int", "null", "class", "1", "2"}  # keywords taken for names, and nameless arguments
ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT.parent / "shared" / "golden"
CORPORA = Path(os.environ.get("HEADWATER_CORPORA", ROOT / ".cache" / "corpora"))


def analyse(path: str, content: bytes) -> tuple[Document, str]:
    document, text = analyse_file(path, Mode.FILE, hash_blob(content), content, VERSION)
    assert text is not None
    return document, text


def claimed(facts: FileFacts) -> set[int]:
    tokens = {s.at.byte for s in facts.symbols} | {r.at.byte for r in facts.references}
    return tokens | {i.at.byte for i in facts.imports}


def identifiers(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(node.children)
        named = node.is_named and node.child_count == 0
        if named and ("identifier" in node.type or node.type in {"constant", "variable_name", "instance_variable"}):
            yield node


@pytest.mark.parametrize("example", examples(FURTHER), ids=lambda p: f"{p.parent.parent.name}-{p.name}")
def test_every_identifier_is_a_definition_an_import_or_a_use(example: Path) -> None:
    source = example.read_bytes()
    document, _ = analyse(example.name, source)
    grammar = grammar_of(detect_language(example.name, source.decode()))
    known = claimed(document.facts)
    lost = {
        (node.start_point.row + 1, (node.text or b"").decode())
        for node in identifiers(grammar.parse(source).root_node)
        if node.start_byte not in known and node.parent is not None and node.parent.type != "destructor_name"
    }
    assert {(line, name) for line, name in lost if name not in NO_NAMES} == set()


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(st.sampled_from(examples([*FURTHER, "html", "vue"])), st.data())
def test_mutated_sources_keep_every_byte_in_a_chunk(example: Path, data: st.DataObject) -> None:
    content = example.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 60)))
    junk = data.draw(st.sampled_from([b"", b"\r", b"{{{", b'"""', b"<script>", b"</script>", b"\xff", b"#define X"]))
    document, text = analyse(example.name, content[:start] + junk + content[end:])
    raw, at = text.encode(), 0
    for chunk in document.chunks:
        assert not raw[at : chunk.span.start_byte].strip()
        assert at <= chunk.span.start_byte < chunk.span.end_byte
        at = chunk.span.end_byte
    assert not raw[at:].strip()
    for symbol in document.facts.symbols:
        assert raw[symbol.at.byte :].startswith(symbol.name.encode())


def test_c8_functions_between_bare_macro_words_are_found() -> None:
    example = next(p for p in examples(["cpp"]) if p.name == "macros.cpp")
    document, text = analyse("macros.cpp", example.read_bytes())
    functions = [s.name for s in document.facts.symbols if not s.local]
    assert functions == ["first", "second", "third"]
    covered = "".join(text[c.span.start_byte : c.span.end_byte] for c in document.chunks)
    words = {"EXPORT_API", "BEGIN_GUARD", "END_GUARD", "Q_DECLARE_PRIVATE", "NOEXCEPT_IF"}
    assert all(word in covered for word in ("first", "second", "third", *words))
    assert words <= {r.name for r in document.facts.references}


def test_c8_symbols_lost_beside_unknown_words_are_counted_and_their_text_is_kept() -> None:
    source = b"some_word first(int a)\n{\n    other_word\n    return a +;\n}\n\nint second(int b) { return b; }\n"
    document, text = analyse("a.cpp", source)
    assert "second" in [s.name for s in document.facts.symbols]
    assert document.facts.parse_errors > 0
    assert "other_word" in "".join(text[c.span.start_byte : c.span.end_byte] for c in document.chunks)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("class API_EXPORT A : public B {\n  Q_OBJECT\n  int a();\n};", ["A", "a"]),
        ("enum E {\n  ONE,\n  TWO\n};", ["E", "ONE", "TWO"]),
        ("enum E {\n  ONLY\n};", ["E", "ONLY"]),
        ("int a = 1 +\n  LIMIT\n;\nint b;", ["a", "b"]),
        ("#include <x>\nBEGIN_NAMESPACE\n// note\nint f() { return 1; }\nEND_NAMESPACE", ["f"]),
        ("int __init boot(void) { return 0; }", ["boot"]),
        ("/* long\n   note */\nGUARD\nint f();\n/*\nTODO\n*/\nint g();", ["f", "g"]),
    ],
)
def test_c8_macro_words_cost_no_symbols(source: str, names: list[str]) -> None:
    document, _ = analyse("a.cpp", source.encode())
    assert [s.name for s in document.facts.symbols if not s.local] == names
    assert document.facts.parse_errors == 0
    assert "TODO" not in {r.name for r in document.facts.references}


def test_c6_inner_functions_are_local_in_every_language_that_has_them() -> None:
    inner = {"inventory.rs": "add", "Inventory.kt": "twice", "Inventory.scala": "twice", "Inventory.swift": "twice"}
    inner |= {"Orders.cs": "Twice", "Cart.php": "inner", "inventory.lua": "twice", "deploy.sh": "nested"}
    for example in examples(FURTHER):
        if (name := inner.get(example.name)) is not None:
            document, _ = analyse(example.name, example.read_bytes())
            assert [s.local for s in document.facts.symbols if s.name == name] == [True], example.name


def test_rust_methods_belong_to_their_type_and_name_the_trait_that_they_implement() -> None:
    source = b"struct A;\ntrait T { fn f(&self); }\nimpl T for A {\n    fn f(&self) {}\n}\nimpl A { pub fn g() {} }\n"
    document, _ = analyse("src/dir/m.rs", source)
    methods = {s.qualified: s for s in document.facts.symbols if s.kind == "method"}
    assert set(methods) == {"dir.m.T.f", "dir.m.A.f", "dir.m.A.g"}
    assert methods["dir.m.A.f"].bases == ("T",)
    assert methods["dir.m.A.g"].exported
    assert not methods["dir.m.A.f"].exported


def test_rust_attributes_are_in_the_chunk_but_not_in_the_span() -> None:
    body = "\n".join(f"    let value{i} = compute({i});" for i in range(12))
    source = f"fn before() {{\n{body}\n}}\n\n/// Counts.\n#[inline]\npub fn count() {{\n{body}\n}}\n".encode()
    document, _ = analyse("a.rs", source)
    symbol = next(s for s in document.facts.symbols if s.name == "count")
    assert (symbol.span.start_line, symbol.doc) == (18, "Counts.")
    chunk = next(c for c in document.chunks if c.symbol >= 0 and document.facts.symbols[c.symbol].name == "count")
    assert chunk.span.start_line == 16


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        (b"use a::{b::{c, d as e}, self};", {("a", "", "a"), ("a::b", "c", "c"), ("a::b", "d", "e")}),
        (b"use a::b::*;\nuse x as y;", {("a::b", "*", ""), ("x", "", "y")}),
    ],
)
def test_rust_use_trees(source: bytes, imports: set[tuple[str, str, str]]) -> None:
    document, _ = analyse("a.rs", source)
    assert {(i.module, i.name, i.alias) for i in document.facts.imports} == imports


def test_c_struct_tags_are_no_variables() -> None:
    document, _ = analyse("a.c", b"struct ring { int n; };\nint f(struct ring *ring) { struct ring copy; return 0; }\n")
    facts = document.facts
    targets = {facts.symbols[r.target].kind for r in facts.references if r.name == "ring"}
    assert targets == {"struct"}


def test_names_inside_macro_bodies_and_strings_are_uses() -> None:
    c, _ = analyse("a.c", b"#define TWICE(x) add(x, x)\n")
    assert [r.name for r in c.facts.references] == ["add", "x", "x"]
    kotlin, _ = analyse("a.kt", b'fun f(who: String) = "hello $who and \\$not ${who.length}"\n')
    assert [r.name for r in kotlin.facts.references if r.name in {"who", "not"}] == ["who", "who"]
    rust, _ = analyse("a.rs", b'fn f(who: u8) { println!("{who} {0:?} {who:>4}", 1); }\n')
    assert [r.name for r in rust.facts.references if r.name == "who"] == ["who", "who"]


@pytest.mark.shared
def test_golden_rust_definitions_and_uses_are_all_there() -> None:
    if not (CORPORA.is_dir() and GOLDEN.is_dir()):
        pytest.skip(f"no {CORPORA}: run 'make corpora' (or set HEADWATER_CORPORA)")
    for name in ("identifier_open.jsonl", "usages_open.jsonl"):
        rows = map(json.loads, (GOLDEN / name).read_text("utf-8").splitlines())
        for row in (r for r in rows if r["lang"] == "rust"):
            for place in row["expected"]:
                path = CORPORA / row["corpus"] / place["path"]
                document, _ = analyse(place["path"], path.read_bytes())
                assert expected_is_there(document.facts, place, row.get("names", [])), (row["id"], place)


def expected_is_there(facts: FileFacts, place: dict[str, int], names: list[str]) -> bool:
    if names:
        lines = (place["start_line"], place["end_line"])
        return any((s.span.start_line, s.span.end_line) == lines and s.name in names for s in facts.symbols)
    tokens = [*facts.references, *facts.imports, *facts.symbols]
    return any((t.at.line, t.at.col) == (place["line"], place["col"]) for t in tokens)
