"""Nothing recurses but what a limit that is checked first bounds: docs/adr/0023-no-unbounded-recursion.md."""

from pathlib import Path

from tests.support.call_graph import recursive_groups

import headwater

STACKLESS = "generators that `stackless.run` keeps on a stack of its own, up to `graph_depth` levels"
ASKED = "`structural_depth` and `structural_steps`, checked by `structural.admission` before a query is used"
WORDS = "`structural_words_bytes`, and the number of words that one is read from"
OWN = "the program's own data: nothing of a repository or a caller decides its depth"
EXPRESSION = "the depth of the expression's tree, which `ExpressionCursor._deeper` and `_MAX_STEPS` bound"
TYPE = "the depth of a type, which `type_syntax._bounded` and `Typing._MAX_DEPTH` bound"
TYPING = "`_MAX_DEPTH` of `Typing` and of `Names`, counted over all that call each other through them"

ALLOWED = {
    "ast_chunker.chunks:_Cutter._place": "`MAX_DEPTH` of `chunks`, below it by lines",
    "cli.output:_spread": OWN,
    "domain.resolution.calls:Calls._of_interface": TYPING,
    "domain.resolution.calls:Calls._result_of": TYPING,
    "domain.resolution.calls:_unify": TYPE,
    "domain.resolution.containers:component": TYPE,
    "domain.resolution.containers:element": TYPE,
    "domain.resolution.containers:item": TYPE,
    "domain.resolution.conversions:Conversions._from_array": TYPE,
    "domain.resolution.expression_cursor:type_text": EXPRESSION,
    "domain.resolution.expression_parser:_Parser._argument": EXPRESSION,
    "domain.resolution.members:Members.find": TYPING,
    "domain.resolution.names:Names._member_of_any": TYPING,
    "domain.resolution.rules.typescript:TypeScriptRules._exported": "`_MAX_REEXPORTS` modules, each once",
    "domain.resolution.type_syntax:_go": TYPE,
    "domain.resolution.type_syntax:_java": TYPE,
    "domain.resolution.type_syntax:_python": TYPE,
    "domain.resolution.type_syntax:_typescript": TYPE,
    "domain.resolution.type_syntax_rust:_function": "`_MAX_DEPTH` brackets and arrows of a type's text",
    "domain.resolution.types:substitute": TYPE,
    "domain.resolution.typing:Typing._binary": TYPING,
    "domain.scip.compiled:code_points": "once, with an encoding that is known",
    "query.identity.policy_text:_value": "an operator's own file; YAML that nests too deep is refused by its reader",
    "query.literals:_Reader._atom": "`_Reader._MAX_DEPTH` groups",
    "query.symbol_search:_Search.named": OWN,
    "stores.postgres.database:PostgresDatabase.compact": OWN,
    "streaming.in_process:InProcessRunner._attempt": "a batch of one is not divided again",
    "streaming.in_process:InProcessRunner._emit": "the stages of a pipeline",
    "streaming.schema_compatibility:_Comparison._alternatives": "the program's own schemas, each named type once",
    "structural.flowgraph.builder:Builder._through": STACKLESS,
    "structural.flowgraph.reaching:_attempt": STACKLESS,
    "structural.flowgraph.compile:_condition": ASKED,
    "structural.flowgraph.evaluate:_all": ASKED,
    "structural.flowgraph.pipeline:written": ASKED,
    "structural.generate.describe:_clause": OWN,
    "structural.generate.describe:_structured_condition": OWN,
    "structural.generate.pattern_style:_concrete": OWN,
    "structural.generate.pattern_style:_removable": OWN,
    "structural.generate.pattern_style:_without": OWN,
    "structural.render:_clause": ASKED,
    "structural.semgrep.astgrep:_Compiler._condition": ASKED,
    "structural.semgrep.astgrep:_relations": ASKED,
    "structural.semgrep.patterns:_Compiler._arguments": ASKED,
    "structural.semgrep.patterns:_Compiler._clauses": ASKED,
    "structural.semgrep.validate:_keys": "the depth that `read_rules` allows before it looks at rules",
    "structural.semgrep.validate:_patterns": "the depth that `read_rules` allows before it looks at rules",
    "structural.translate.clauses:Clauses._clause": WORDS,
    "structural.translate.grammar:_further_target": WORDS,
    "structural.translate.nouns:NounPhrases._before_noun": WORDS,
    "structural.translate.prompt:_comments": OWN,
    "structural.translate.rereading:_renamed": ASKED,
    "structural.translate.rereading:_widened": ASKED,
    "structural.translate.retrieve:_refilled": OWN,
    "structural.translate.retrieve:slots": OWN,
    "structural.translate.snippet:_node": "`_DEEPEST` of a snippet",
    "structural.translate.tokens:_code": WORDS,
    "structural.translate.tokens:_word": WORDS,
}


def test_s6_nothing_recurses_but_what_a_limit_bounds() -> None:
    groups = recursive_groups(Path(headwater.__file__).parent)
    found = {min(group).removeprefix("headwater.") for group in groups}
    assert found - ALLOWED.keys() == set(), "walk iteratively, or check a limit first and say which"
    assert ALLOWED.keys() - found == set(), "no longer recurses: take it off the list"


def test_s6_a_cycle_through_methods_imports_and_inner_functions_is_seen(tmp_path: Path) -> None:
    root = tmp_path / "program"
    root.mkdir()
    (root / "one.py").write_text(
        "from program.two import back\n\ndef there():\n    return back()\n\n"
        "class Tree:\n    def walk(self):\n        return self._inside()\n"
        "    def _inside(self):\n        return self.walk()\n"
        "    def alone(self):\n        return alone()\n\ndef alone():\n    def inner():\n        return inner()\n"
        "    return inner()\n"
    )
    (root / "two.py").write_text("from program import one\n\ndef back():\n    return one.there()\n")
    assert {tuple(sorted(group)) for group in recursive_groups(root)} == {
        ("program.one:there", "program.two:back"),
        ("program.one:Tree._inside", "program.one:Tree.walk"),
        ("program.one:alone.inner",),
    }
