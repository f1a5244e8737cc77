"""In pointers-only mode nothing of a file's comments, texts and figures is in what the chunker says of it."""

import msgspec
import pytest

from headwater.ast_chunker.analyser import FileResult, FileTask, InProcessAnalyser
from headwater.ast_chunker.languages.registry import all_languages
from headwater.domain.doc_ranges import doc_at
from headwater.domain.terms import keyed_term
from headwater.domain.treatment import ContentRules
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion

VERSION = PipelineVersion("test", 8)
POINTERS = ContentRules(pointers_only=True, term_key="a key")

# Everywhere: qzcomment in a comment, qzdoc in documentation, qztext in texts, 8675309 as a figure.
SNIPPETS = {
    "a.py": r"""# qzcomment
def hello(name="qztext", port=8675309, *, deep=f"qztext {name!r} qztext"):
    '''Qzdoc says hello.'''
    greeting = open("qztext %s" % name, 8675309).read("qztext", b"qztext")
    return log(greeting,  # qzcomment
               "qztext".join(greeting), r"qztext", -8675309)
LIMIT = 8675309
TABLE = {"qztext": [8675309, "qztext"]}
""",
    "A.java": r"""/** Qzdoc says hello. */
class A { // qzcomment
  @Named("qztext") String name = make("qztext", 8675309L, 'q') /* qzcomment */;
  int run(@Max(8675309) int most) { return "qztext".concat(name).length() + 8675309; }
}
""",
    "a.go": r"""package a
import "fmt"
// Qzdoc says hello.
func Hello(name string) string { // qzcomment
	x, y := fmt.Sprintf("qztext %s", name), `qztext`
	const port = 8675309
	return call(x, /* qzcomment */ "qztext", 8675309, y)
}
type T struct { Name string `json:"qztext"` }
""",
    "a.js": r"""// Qzdoc says hello.
function hello(name = "qztext", port = 8675309) {
  const re = /qztext/g, t = `qztext ${name.trim("qztext")} qztext`;
  return send(re.exec("qztext"), t, { "qz-text": 8675309, key: "qztext" }, // qzcomment
    8675309);
}
class A { "qztext qztext"() { return 'qztext'; } }
""",
    "a.ts": r"""/** Qzdoc says hello. */
export function hello(kind: "qztext" | 8675309, name: string = "qztext"): string { // qzcomment
  const x = wrap<"qztext">(name, "qztext", 8675309);
  return x.get(`qztext ${name}`);
}
""",
    "a.tsx": r"""// Qzdoc says hello.
export const A = (p: P) => <B title="qztext" n={8675309}>qztext {p.name} {/* qzcomment */}</B>;
""",
    "a.rs": r"""/// Qzdoc says hello.
fn hello(name: &str) -> String { // qzcomment
    let x = format!("qztext {} qztext", name);
    println!("qztext {name}");
    call(x, r#"qztext"#, b"qztext", 8675309u64, 'q')
}
const LIMIT: u64 = 8675309;
""",
    "a.c": r"""/* Qzdoc says hello. */
#include <stdio.h>
#define GREETING "qztext" /* qzcomment */
int hello(const char *name) { // qzcomment
  int x = call(name, "qztext" "qztext", 8675309, L"qztext");
  return printf("qztext %s", name) + 8675309;
}
""",
    "a.cpp": r"""/// Qzdoc says hello.
#define MAX(a) log("qztext", a)
std::string hello(std::string name = "qztext", int port = 8675309) { // qzcomment
  auto x = make("qztext", R"(qztext)", 8675309, "qztext"_s);
  return x + "qztext";
}
""",
    "A.cs": r"""/// <summary>Qzdoc says hello.</summary>
class A { // qzcomment
  [Name("qztext")] string Hello(string name = "qztext", int port = 8675309) {
    var x = Call($"qztext {name} qztext", @"qztext", 8675309, 'q');
    return x.Get("qztext");
  }
}
""",
    "a.rb": r"""# Qzdoc says hello.
def hello(name = "qztext", port: 8675309)
  x = call("qztext #{name} qztext", 'qztext', 8675309, /qztext/) # qzcomment
  y = log(<<~TEXT, %w[qztext qztext])
    qztext #{x}
  TEXT
  y.get("qztext")
end
""",
    "a.php": r"""<?php
/** Qzdoc says hello. */
function hello($name = "qztext", $port = 8675309) { // qzcomment
  $x = call("qztext $name {$name->a} qztext", 'qztext', 8675309);
  return $x->get(<<<TEXT
qztext $name
TEXT);
}
""",
    "a.kt": r"""/** Qzdoc says hello. */
fun hello(name: String = "qztext", port: Int = 8675309): String { // qzcomment
  val x = call("qztext $name ${name.trim()} qztext", 8675309, 'q')
  return x.get("qztext")
}
""",
    "a.scala": r"""/** Qzdoc says hello. */
class A { // qzcomment
  def hello(name: String = "qztext", port: Int = 8675309): String = {
    val x = call(s"qztext $name qztext", "qztext", 8675309)
    x.get("qztext")
  }
}
""",
    "a.swift": r"""/// Qzdoc says hello.
func hello(name: String = "qztext", port: Int = 8675309) -> String { // qzcomment
  let x = call("qztext \(name) qztext", 8675309)
  return x.get("qztext")
}
""",
    "a.sh": r"""# Qzdoc says hello.
hello() { # qzcomment
  local x="qztext $1" y='qztext' z=qztext
  call "qztext" qztext 8675309 "$x" <<END
qztext $y
END
}
hello "qztext"
""",
    "a.lua": r"""-- Qzdoc says hello.
function hello(name) -- qzcomment
  local x = call("qztext" .. name, [[qztext]], 8675309)
  return x:get("qztext", { ["qz text"] = 8675309 })
end
""",
    "a.sql": r"""-- Qzdoc says hello.
CREATE TABLE orders (id INT DEFAULT 8675309, name VARCHAR(8675309) DEFAULT 'qztext'); -- qzcomment
CREATE VIEW late AS SELECT id FROM orders WHERE name = 'qztext' AND id > 8675309;
""",
    "a.vue": r"""<template><!-- qzcomment --><b :a="go('qztext', 8675309)">qztext {{ run("qztext") }}</b></template>
<script>
// Qzdoc says hello.
export default { methods: { run(x) { return this.call("qztext", x, 8675309) } } }
</script>
""",
    "a.html": r"""<p id="a">qztext</p><!-- qzcomment --><script>const x = call("qztext", 8675309); // qzcomment
</script>
""",
    "a.txt": "qztext and qzcomment, 8675309\n",
}
HIDDEN = ("qzcomment", "qzdoc", "qztext", "8675309", "qz-text")


def analysed(path: str, rules: ContentRules) -> FileResult:
    content = SNIPPETS[path].encode()
    analyser = InProcessAnalyser(VERSION, rules)
    return analyser.analyse([FileTask(path, Mode.FILE, hash_blob(content), content)])[0]


def written(result: FileResult) -> str:
    return msgspec.json.encode(result).decode().lower()


@pytest.mark.parametrize("path", SNIPPETS)
def test_no_comment_text_or_figure_is_left(path: str) -> None:
    plain, kept = analysed(path, ContentRules()), analysed(path, POINTERS)
    assert any(word in written(plain) for word in HIDDEN)  # so that the next line can fail
    assert [word for word in HIDDEN if word in written(kept)] == []
    assert kept.text is None


def test_every_language_has_its_snippet() -> None:
    languages = {analysed(path, POINTERS).document.facts.language for path in SNIPPETS}
    assert languages - {"text"} == set(all_languages())


@pytest.mark.parametrize("path", SNIPPETS)
def test_names_positions_and_chunks_are_those_of_an_index_with_text(path: str) -> None:
    plain, kept = analysed(path, ContentRules()).document, analysed(path, POINTERS).document
    named = [(s.name, s.kind, s.at, s.span, s.container) for s in plain.facts.symbols]
    assert [(s.name or "qztext qztext", s.kind, s.at, s.span, s.container) for s in kept.facts.symbols] == named
    used = [(r.name, r.kind, r.at, r.target, r.import_) for r in plain.facts.references]
    assert [(r.name, r.kind, r.at, r.target, r.import_) for r in kept.facts.references] == used
    assert kept.facts.imports == plain.facts.imports
    assert [(c.content_hash, c.span) for c in kept.chunks] == [(c.content_hash, c.span) for c in plain.chunks]


def test_what_resolution_reads_keeps_its_shape() -> None:
    facts = analysed("a.py", POINTERS).document.facts
    calls = {r.name: r for r in facts.references if r.arguments is not None}
    assert calls["log"].arguments == ("greeting", '" ".join(greeting)', '" "', "-0000000")
    assert calls["read"].receiver == 'open(" " % name, 0000000)'
    assert calls["join"].receiver == '" "'


def test_terms_are_hashed_and_documentation_is_where_it_stands() -> None:
    kept = analysed("a.py", POINTERS)
    assert all(len(term) == len(keyed_term("x", "a key")) for terms in kept.terms for term in terms)
    assert any(keyed_term("qzdoc", "a key") in terms for terms in kept.terms)
    docs = [doc_at(c.doc_at, SNIPPETS["a.py"].encode()) for c in kept.document.chunks]
    assert docs == [c.doc for c in analysed("a.py", ContentRules()).document.chunks]
