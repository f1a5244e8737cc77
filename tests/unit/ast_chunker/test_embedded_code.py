"""Scripts in pages: parsed by the grammar that their tag names, with the page's own lines."""

from headwater.ast_chunker.process import analyse_file
from headwater.domain.document import Document
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion

VUE = b"""<template>
  <div>
    {{ total }}
</div></template>
<script lang="ts">
export interface Row { id: number }
</script>
<script setup lang="ts">
import { ref } from "vue";
const total = ref(0);
function add(row: Row) { total.value += row.id; }
</script>
"""


def analyse(path: str, content: bytes) -> Document:
    document, _ = analyse_file(path, Mode.FILE, hash_blob(content), content, PipelineVersion("test", 8))
    return document


def lines(document: Document) -> dict[str, int]:
    return {s.name: s.at.line for s in document.facts.symbols if not s.local}


def test_a17_both_script_blocks_are_found_with_lines_of_the_file() -> None:
    document = analyse("a.vue", VUE)
    assert document.facts.language == "vue"
    assert lines(document) | {"id": 6} == {"Row": 6, "id": 6, "total": 10, "add": 11}
    assert [(i.module, i.name, i.at.line) for i in document.facts.imports] == [("vue", "ref", 9)]


def test_script_blocks_of_one_component_see_each_other() -> None:
    facts = analyse("a.vue", VUE).facts
    use = next(r for r in facts.references if r.name == "Row")
    assert facts.symbols[use.target].name == "Row"


def test_template_expressions_are_uses() -> None:
    source = VUE.replace(b"<div>", b'<div :class="add(total)" v-for="x in total" @click="add(1)">')
    uses = [(r.name, r.at.line, r.kind) for r in analyse("a.vue", source).facts.references if r.at.line <= 4]
    assert ("add", 2, "call") in uses
    assert ("total", 2, "read") in uses
    assert ("total", 3, "read") in uses


def test_an_unfinished_script_spoils_only_itself() -> None:
    page = b"<script>\nfunction a() {\n</script>\n<p>text</p>\n<script>\nfunction b() { a(); }\n</script>\n"
    document = analyse("a.html", page)
    assert lines(document)["b"] == 6
    assert document.facts.parse_errors > 0


def test_data_blocks_are_no_code() -> None:
    page = b'<script type="application/json">{"a": 1}</script><script type="text/template"><b>x</b></script>'
    document = analyse("a.html", page)
    assert document.facts.symbols == ()
    assert document.facts.parse_errors == 0


def test_every_chunk_lies_where_the_page_has_it() -> None:
    document = analyse("a.vue", VUE)
    covered = b"".join(VUE[c.span.start_byte : c.span.end_byte] for c in document.chunks)
    assert b"{{ total }}" in covered
    assert b"total.value" in covered
