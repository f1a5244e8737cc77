"""The rows of the case list that files alone decide: encodings, odd sizes, syntax that breaks chunkers."""

import pytest

from headwater.ast_chunker.process import analyse_file
from headwater.domain.chunk_text import embedded_text
from headwater.domain.document import Chunk, Document, Reference, Status, Symbol, SymbolKind
from headwater.domain.subtoken import subtokens
from headwater.domain.treatment import ContentRules
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion

VERSION = PipelineVersion("test", 8)
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 12345\n"


def analysed(path: str, content: bytes | str, mode: int = Mode.FILE) -> tuple[Document, str]:
    raw = content.encode() if isinstance(content, str) else content
    document, text = analyse_file(path, mode, hash_blob(raw), raw, VERSION)
    return document, text or ""


def _rules(parsed: int, largest: int) -> ContentRules:
    return ContentRules(max_parsed_bytes=parsed, max_bytes=largest)


def symbol(document: Document, name: str) -> Symbol:
    return next(s for s in document.facts.symbols if s.name == name)


def chunk_of(document: Document, name: str) -> Chunk:
    return next(c for c in document.chunks if c.symbol >= 0 and document.facts.symbols[c.symbol].name == name)


def uses(document: Document, name: str) -> list[Reference]:
    return [r for r in document.facts.references if r.name == name]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a1_utf16_with_mark_is_decoded_and_indexed(encoding: str) -> None:
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b"\xfe\xff"
    document, text = analysed("src/Only.java", mark + "class Only { int größe; }\n".encode(encoding))
    assert (document.status, document.encoding) == (Status.INDEXED, encoding)
    assert symbol(document, "Only").at.line == 1
    assert text.startswith("class Only")


def test_a1_utf16_without_mark_is_recognised() -> None:
    document, _ = analysed("Only.java", "class Only { int size; }\n".encode("utf-16-le"))
    assert symbol(document, "Only").kind is SymbolKind.CLASS


def test_a2_invalid_utf8_is_replaced_with_one_warning() -> None:
    document, text = analysed("Bad.java", b"// caf\xe9 \xe9\nclass Bad {}\n")
    assert document.status is Status.INDEXED
    assert len(document.warnings) == 1
    assert "\ufffd" in text
    assert symbol(document, "Bad").at.line == 2


def test_a4_byte_order_mark_is_no_column_and_in_no_name() -> None:
    content = b"\xef\xbb\xbfdef first():\n    pass\n"
    document, text = analysed("mod.py", content)
    first = symbol(document, "first")
    assert (first.at.line, first.at.col, first.at.byte_col, first.at.byte) == (1, 5, 5, 7)
    assert content[first.span.start_byte :].startswith(b"def first")
    assert not any("\ufeff" in s.name for s in document.facts.symbols)
    assert text.encode() == content


THREE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n\n\ndef three():\n    return 3\n"


@pytest.mark.parametrize(("ending", "lines"), [("\n", True), ("\r\n", True), ("\r", False)])
def test_a5_ranges_slice_the_exact_bytes_for_every_line_ending(ending: str, lines: bool) -> None:
    content = THREE.replace("\n", ending).encode()
    document, _ = analysed("three.py", content)
    for s in document.facts.symbols:
        assert content[s.at.byte : s.at.byte + len(s.name)] == s.name.encode()
        assert content[s.span.start_byte : s.span.end_byte].startswith(b"def " + s.name.encode())
    if lines:
        twin, _ = analysed("three.py", THREE)
        assert [s.at.line for s in document.facts.symbols] == [s.at.line for s in twin.facts.symbols]


def test_a8_five_thousand_nested_parentheses_survive() -> None:
    content = "x = (\n" + "(\n" * 5000 + "1\n" + ")\n" * 5000 + ")\n"
    document, _ = analysed("deep.py", content)
    assert document.status is Status.INDEXED
    assert symbol(document, "x").at.line == 1
    assert max(c.span.end_byte - c.span.start_byte for c in document.chunks) < 10_000


def test_a11_lfs_pointer_is_skipped_and_a_mention_of_one_is_not() -> None:
    pointer, _ = analysed("model.py", LFS)
    mention, _ = analysed("real.py", "# version https://git-lfs.github.com/spec/v1\ndef real(): pass\n")
    assert (pointer.status, pointer.reason) == (Status.SKIPPED, "lfs-pointer")
    assert symbol(mention, "real").kind is SymbolKind.FUNCTION


def test_a9_symlinks_and_submodules_are_leaves() -> None:
    link, _ = analysed("link.py", b"../outside.py", Mode.SYMLINK)
    module, _ = analysed("sub", b"", Mode.SUBMODULE)
    assert (link.reason, module.reason) == ("symlink", "submodule")


def test_a19_minified_code_is_marked_and_its_chunks_are_capped() -> None:
    content = ";".join(f"function a{i}(b,c){{return b+c+{i}}}" for i in range(2000))
    document, _ = analysed("dist/app.min.js", content)
    assert document.generated
    assert max(c.tokens for c in document.chunks) <= 500


def test_a19_large_text_is_chunked_by_lines_and_larger_is_skipped_with_its_size() -> None:
    raw = ("x" * 80 + " = 1\n").encode() * 300
    by_lines, _ = analyse_file("big.js", Mode.FILE, hash_blob(raw), raw, VERSION, _rules(1000, 100_000))
    skipped, text = analyse_file("big.js", Mode.FILE, hash_blob(raw), raw, VERSION, _rules(10, 1000))
    assert not by_lines.facts.parsed
    assert by_lines.chunks
    assert by_lines.warnings
    assert skipped.reason == f"too-large: {len(raw)} bytes, the limit is 1000"
    assert text is None


def test_a19_one_enormous_line_has_no_monster_chunk() -> None:
    document, _ = analysed("data.txt", "word " * 200_000)
    assert max(c.span.end_byte - c.span.start_byte for c in document.chunks) <= 6000


def test_c1_columns_count_code_points_and_bytes() -> None:
    document, _ = analysed("cjk.py", '# 名前と範囲\ndef alpha(): return "東京", beta\n')
    beta = uses(document, "beta")[0]
    assert (beta.at.line, beta.at.col, beta.at.byte_col) == (2, 27, 31)


def test_c1_unsupported_language_has_exact_line_chunks() -> None:
    document, text = analysed("program.cob", "       名前.\n       SECOND LINE.\n       THIRD.\n")
    (chunk,) = document.chunks
    assert (chunk.kind, chunk.span.start_line, chunk.span.end_line) == ("lines", 1, 3)
    assert text.encode()[chunk.span.start_byte : chunk.span.end_byte].decode().startswith("名前")


@pytest.mark.parametrize("content", ["", " " * 5000, "\n\n\t\n", "def f():\n    pass\n" + " " * 5000 + "\nx = 1\n"])
def test_c3_no_blank_chunks(content: str) -> None:
    document, text = analysed("pkg/__init__.py", content)
    raw = text.encode()
    assert all(raw[c.span.start_byte : c.span.end_byte].strip() for c in document.chunks)


def test_c3_tokens_are_those_of_the_text_that_is_embedded() -> None:
    body = "".join(f'    value_{i} = "a rather long string of words number {i}"\n' for i in range(70))
    document, text = analysed("long.py", f"import os\n\ndef long():\n{body}    return os.sep\n")
    raw = text.encode()
    for c in document.chunks:
        piece = raw[c.span.start_byte : c.span.end_byte].decode()
        assert c.tokens == len(subtokens(embedded_text("long.py", c, piece))) <= 500
    assert len(document.chunks) > 2


DECORATED = """import functools

LIMIT = 1


# Says how it is cached.
@functools.cache
def cached(key):
    return "a longer body so that the function stands on its own", key, LIMIT, "and some more words to be sure of it"


class Service:
    # Says what the method is for.
    @property
    def name(self):
        return self
"""


def test_c4_chunk_starts_at_the_comment_above_the_decorator() -> None:
    document, _ = analysed("deco.py", DECORATED)
    assert chunk_of(document, "cached").span.start_line == 6
    assert symbol(document, "cached").span.start_line == 7
    assert symbol(document, "cached").doc == "Says how it is cached."
    assert symbol(document, "name").span.start_line == 14


def test_c4_comment_above_an_exported_function() -> None:
    body = " + ".join(f"value{i}" for i in range(40))
    source = f"import x from './x';\n\n/** Adds them all. */\nexport function total() {{ return {body}; }}\n"
    document, _ = analysed("total.ts", source)
    assert chunk_of(document, "total").span.start_line == 3
    assert symbol(document, "total").exported


def test_c5_java_overloads_are_two_symbols_with_separate_uses() -> None:
    source = 'class A {\n int find(int i) { return find("a", 1); }\n int find(String s, int n) { return find(1); }\n}\n'
    document, _ = analysed("A.java", source)
    overloads = [i for i, s in enumerate(document.facts.symbols) if s.name == "find"]
    assert [document.facts.symbols[i].parameters for i in overloads] == [("int",), ("String", "int")]
    assert [r.target for r in uses(document, "find")] == [overloads[1], overloads[0]]


def test_c6_inner_function_named_like_a_method_is_local() -> None:
    run = "    def run(self):\n        def stop():\n            pass\n        stop()\n"
    source = f"class A:\n{run}    def stop(self): pass\n"
    document, _ = analysed("a.py", source)
    inner, method = (s for s in document.facts.symbols if s.name == "stop")
    assert (inner.local, method.local) == (True, False)
    assert document.facts.symbols[uses(document, "stop")[0].target] == inner


def test_c6_every_arrow_form_has_a_definition() -> None:
    source = (
        "const add = (a) => a;\nconst load = async () => 1;\n"
        "const api = { get: (id) => id, put: async function () {} };\nclass A { h = (e) => e }\n"
    )
    document, _ = analysed("a.js", source)
    kinds = {s.name: s.kind for s in document.facts.symbols if s.name in {"add", "load", "get", "put", "h"}}
    assert kinds["add"] == kinds["load"] == SymbolKind.FUNCTION
    assert kinds["get"] == kinds["put"] == kinds["h"] == SymbolKind.METHOD


def test_c9_calls_through_aliases_of_both_forms_are_bound_to_their_imports() -> None:
    document, _ = analysed("use.py", "import m as x\nfrom p import m as y\n\nx.go()\ny.go()\n")
    for name, module, member in (("x", "m", ""), ("y", "p", "m")):
        at_use = uses(document, name)[-1]
        imported = document.facts.imports[at_use.import_]
        assert (imported.module, imported.name, imported.alias) == (module, member, name)
    assert [r.receiver for r in uses(document, "go")] == ["x", "y"]
