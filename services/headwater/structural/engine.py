"""The transport-free entry point: answers a question, an intermediate query, or an engine's own rule, over files."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import msgspec

from headwater.structural.deadline import Remaining, check, unlimited
from headwater.structural.flowgraph.compile import compile_query as to_flowgraph
from headwater.structural.flowgraph.index import Shard, Shards
from headwater.structural.flowgraph.pipeline import Rule, written
from headwater.structural.flowgraph.search import matches
from headwater.structural.match import Match
from headwater.structural.query import Query
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


@dataclass(frozen=True, slots=True)
class Search:
    """A query on its way: what is run, and its matches as they are found. Without an engine nothing is run."""

    query: Query | None = None
    engine: str = ""
    rendered: str = ""
    engine_query: str = ""  # the query in the engine's own language
    not_understood: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    matches: Iterator[Match] = field(default_factory=lambda: iter(()))

    @property
    def understood(self) -> bool:
        return bool(self.engine) and not self.not_understood


class StructuralAnswer(msgspec.Struct, frozen=True):
    """`complete` is False when the limit cut the results or a part of the question was not understood."""

    query: Query | None
    engine: str
    rendered: str
    engine_query: str
    not_understood: tuple[str, ...]
    problems: tuple[str, ...]
    complete: bool
    results: tuple[Match, ...]


class StructuralSearch:
    """Searches one set of files, for one question."""

    def __init__(
        self,
        files: Sources | list[SourceFile],
        *,
        shards: Shards | None = None,
        pairs: PairIndex | None = None,
        model: Model | None = None,
        semgrep: SemgrepProgram | None = None,
        remaining: Remaining = unlimited,
    ) -> None:
        """Without `shards` no graph is kept, and what a scan can find is scanned for.

        Every method, and every step of the matches, raises OutOfTimeError once nothing is `remaining`.
        """
        self._files, self._shards, self._keeps = files, shards or Shards(), shards is not None
        self._pairs, self._model, self._semgrep, self._remaining = pairs, model, semgrep, remaining

    def translate(self, question: str) -> Translation:
        """The query that the question would run, to be shown, edited and given to `run`."""
        symbols = Symbols(shard.graph for shard in self._all)
        return Translator(symbols, self._finds, self._pairs, self._model, self._remaining).translate(question)

    def ask(self, question: str, *, exact: bool = False) -> Search:
        """Translates; with no translation there are no matches, and what was not understood is said."""
        made = self.translate(question)
        if made.query is None:
            return Search(not_understood=made.not_understood, problems=made.problems)
        return self.run(made.query, exact=exact, left=made.not_understood, problems=made.problems)

    def run(
        self, query: Query, *, exact: bool = False, left: tuple[str, ...] = (), problems: tuple[str, ...] = ()
    ) -> Search:
        """Raises UnsupportedQueryError when the exact mode can't say the query."""
        engine = self._route(query, exact=exact)
        found = self._matches(query, engine)
        return Search(query, engine, render(query), self._shown(query, engine), left, problems, found)

    def run_flowgraph(self, rule: Rule) -> Search:
        """A rule in Flowgraph's own language."""
        shown = f"rule(){written(rule.steps)}"
        return Search(None, Engine.FLOWGRAPH, rule.name, shown, matches=self._in_graphs(rule))

    def run_semgrep(self, text: str) -> Search:
        """Semgrep rules in YAML, checked for Semgrep's traps first; every file is scanned."""
        found = self._program().scan(read_rules(text), self._files, self._remaining)
        return Search(None, Engine.SEMGREP, "", text, matches=found)

    def _matches(self, query: Query, engine: Engine) -> Iterator[Match]:
        if engine is Engine.SEMGREP:
            return self._exact(query)
        if engine is Engine.ASTGREP:
            return scan(query, (file for file in self._files if may_match(query, file.content)))
        return self._in_graphs(to_flowgraph(query))

    def _in_graphs(self, rule: Rule) -> Iterator[Match]:
        """By language and in order of file and position, a shard at a time."""
        for shard in self._graphs():
            check(self._remaining)
            if rule.language in ("", shard.language):
                yield from matches(shard.graph, rule.steps)

    def _graphs(self) -> Iterator[Shard]:
        return iter(self._all) if "_all" in self.__dict__ else self._shards.of(self._files)

    @cached_property
    def _all(self) -> list[Shard]:
        found = []
        for shard in self._shards.of(self._files):
            check(self._remaining)
            found.append(shard)
        return found

    def _finds(self, query: Query) -> bool:
        return next(self._matches(query, self._route(query, exact=False)), None) is not None

    def _route(self, query: Query, *, exact: bool) -> Engine:
        return route(query, exact=exact, graphs_cached=self._keeps or "_all" in self.__dict__)

    def _shown(self, query: Query, engine: Engine) -> str:
        if engine is not Engine.SEMGREP:
            return f"rule(){written(to_flowgraph(query).steps)}"
        return msgspec.json.format(msgspec.json.encode(self._rules(query))).decode()

    def _exact(self, query: Query) -> Iterator[Match]:
        rules = self._rules(query)
        kept = (file for file in self._files if file.language in rules and may_match(query, file.content))
        return self._program().scan(list(rules.values()), kept, self._remaining)

    def _rules(self, query: Query) -> dict[str, dict[str, object]]:
        found: dict[str, dict[str, object]] = {}
        for language in sorted({file.language for file in self._files}):
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


def gathered(search: Search, limit: int = _DEFAULT_LIMIT) -> StructuralAnswer:
    """All matches up to the limit, each once."""
    found = tuple(islice(unique(search.matches), limit + 1))
    complete = search.understood and len(found) <= limit
    return StructuralAnswer(
        search.query,
        search.engine,
        search.rendered,
        search.engine_query,
        search.not_understood,
        search.problems,
        complete,
        found[:limit],
    )


def unique(found: Iterator[Match]) -> Iterator[Match]:
    seen: set[Match] = set()
    for match in found:
        if match not in seen:
            seen.add(match)
            yield match
