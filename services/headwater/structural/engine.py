"""The transport-free entry point: answers a question, an intermediate query, or an engine's own rule, over files."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

import msgspec

from headwater.structural.flowgraph.cache import GraphCache
from headwater.structural.flowgraph.compile import compile_query as to_flowgraph
from headwater.structural.flowgraph.index import GraphIndex
from headwater.structural.flowgraph.pipeline import Rule, decode_rule, written
from headwater.structural.generate.pairs import Pair
from headwater.structural.match import Match
from headwater.structural.query import Query, decode
from headwater.structural.render import render
from headwater.structural.route import Engine, route
from headwater.structural.semgrep import patterns
from headwater.structural.semgrep.prefilter import may_match
from headwater.structural.semgrep.program import SemgrepProgram
from headwater.structural.semgrep.scan import scan
from headwater.structural.semgrep.validate import read_rules
from headwater.structural.source import SourceFile, Sources
from headwater.structural.translate.retrieve import PairIndex
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.translator import Model, Translation, Translator
from headwater.structural.unsupported import UnsupportedQueryError

_DEFAULT_LIMIT = 1000


class StructuralAnswer(msgspec.Struct, frozen=True):
    """`complete` is False when the limit cut the results or a part of the question was not understood."""

    query: Query | None
    engine: str
    rendered: str
    engine_query: str  # the query in the engine's own language
    not_understood: tuple[str, ...]
    problems: tuple[str, ...]
    complete: bool
    results: tuple[Match, ...]


class StructuralSearch:
    """Searches one set of files; holds their graphs and symbols once the first query needed them."""

    def __init__(
        self,
        files: Sources,
        *,
        cache: GraphCache | None = None,
        pairs: Iterable[Pair] = (),
        model: Model | None = None,
        semgrep: SemgrepProgram | None = None,
    ) -> None:
        self._files = files
        self._cache = cache
        self._pairs = PairIndex(list(pairs))
        self._model = model
        self._semgrep = semgrep

    @cached_property
    def _index(self) -> GraphIndex:
        return GraphIndex(self._files, self._cache)

    @cached_property
    def _translator(self) -> Translator:
        return Translator(Symbols.of(self._index.graphs), self._matches, self._pairs, self._model)

    def translate(self, question: str) -> Translation:
        """The query that the question would run, to be shown, edited and given to `run`."""
        return self._translator.translate(question)

    def ask(self, question: str, *, exact: bool = False, limit: int = _DEFAULT_LIMIT) -> StructuralAnswer:
        """Translates and runs; with no translation there are no results, and what was not understood is said."""
        made = self.translate(question)
        if made.query is None:
            return StructuralAnswer(None, "", "", "", made.not_understood, made.problems, False, ())
        return self._answer(made.query, made.not_understood, made.problems, exact=exact, limit=limit)

    def run(self, query: Query, *, exact: bool = False, limit: int = _DEFAULT_LIMIT) -> StructuralAnswer:
        return self._answer(query, (), (), exact=exact, limit=limit)

    def stream(self, query: Query, *, exact: bool = False) -> Iterator[Match]:
        """Matches as they are found; raises UnsupportedQueryError when the exact mode can't say the query."""
        engine = self._route(query, exact=exact)
        if engine is Engine.SEMGREP:
            return self._exact(query)
        if engine is Engine.ASTGREP:
            return scan(query, (file for file in self._files if may_match(query, file.content)))
        return self._index.search(to_flowgraph(query))

    def run_flowgraph(self, rule: Rule, *, limit: int = _DEFAULT_LIMIT) -> StructuralAnswer:
        """A rule in Flowgraph's own language."""
        results, complete = _limited(self._index.search(rule), limit)
        shown = f"rule(){written(rule.steps)}"
        return StructuralAnswer(None, Engine.FLOWGRAPH, rule.name, shown, (), (), complete, results)

    def run_semgrep(self, text: str, *, limit: int = _DEFAULT_LIMIT) -> StructuralAnswer:
        """Semgrep rules in YAML, checked for Semgrep's traps first; every file is scanned."""
        rules = read_rules(text)
        results, complete = _limited(self._program().scan(rules, self._files), limit)
        return StructuralAnswer(None, Engine.SEMGREP, "", text, (), (), complete, results)

    def _answer(
        self, query: Query, left: tuple[str, ...], problems: tuple[str, ...], *, exact: bool, limit: int
    ) -> StructuralAnswer:
        engine = self._route(query, exact=exact)
        results, whole = _limited(self.stream(query, exact=exact), limit)
        complete = whole and not left
        return StructuralAnswer(
            query, engine, render(query), self._shown(query, engine), left, problems, complete, results
        )

    def _route(self, query: Query, *, exact: bool) -> Engine:
        return route(query, exact=exact, graphs_cached=self._cache is not None or "_index" in self.__dict__)

    def _shown(self, query: Query, engine: Engine) -> str:
        if engine is not Engine.SEMGREP:
            return f"rule(){written(to_flowgraph(query).steps)}"
        return msgspec.json.format(msgspec.json.encode(self._rules(query))).decode()

    def _exact(self, query: Query) -> Iterator[Match]:
        rules = self._rules(query)
        kept = (file for file in self._files if file.language in rules and may_match(query, file.content))
        return self._program().scan(list(rules.values()), kept)

    def _rules(self, query: Query) -> dict[str, dict[str, object]]:
        found: dict[str, dict[str, object]] = {}
        for language in {file.language for file in self._files}:
            if query.language not in ("", language):
                continue
            try:
                found[language] = {**patterns.compile_query(query, language), "id": f"query-{language}"}
            except UnsupportedQueryError:
                continue
        return found

    def _program(self) -> SemgrepProgram:
        if self._semgrep is None:
            raise UnsupportedQueryError("semgrep is not installed: make stack-semgrep")
        return self._semgrep

    def _matches(self, query: Query) -> bool:
        return next(iter(self.stream(query)), None) is not None


def answer(question: str, files: Sources | list[SourceFile], *, exact: bool = False) -> StructuralAnswer:
    """One question over files, nothing kept for the next one."""
    return StructuralSearch(files).ask(question, exact=exact)


def answer_query(raw: bytes | str, files: Sources | list[SourceFile]) -> StructuralAnswer:
    """One intermediate query in JSON, as `ask` showed it and somebody edited it."""
    return StructuralSearch(files).run(decode(raw))


def answer_rule(raw: bytes | str, files: Sources | list[SourceFile]) -> StructuralAnswer:
    """One Flowgraph rule in JSON."""
    return StructuralSearch(files).run_flowgraph(decode_rule(raw))


def _limited(matches: Iterator[Match], limit: int) -> tuple[tuple[Match, ...], bool]:
    found = tuple(dict.fromkeys(islice(matches, limit + 1)))
    return found[:limit], len(found) <= limit
