"""The transport-free entry point: answers a question, an intermediate query, or an engine's own rule, over files."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import msgspec

from headwater.limits import Limits
from headwater.structural.admission import admitted
from headwater.structural.deadline import UNBOUNDED, Work
from headwater.structural.flowgraph.cache import LeftOutError, graph_of
from headwater.structural.flowgraph.compile import compile_query as to_flowgraph
from headwater.structural.flowgraph.graph import merge
from headwater.structural.flowgraph.index import Shard, Shards
from headwater.structural.flowgraph.pipeline import Rule, written
from headwater.structural.flowgraph.search import matches
from headwater.structural.match import Match
from headwater.structural.query import Query
from headwater.structural.render import render
from headwater.structural.route import Engine, route
from headwater.structural.semgrep import patterns
from headwater.structural.semgrep.prefilter import may_match, required_words
from headwater.structural.semgrep.program import SemgrepProgram
from headwater.structural.semgrep.scan import is_quick, scan
from headwater.structural.semgrep.validate import read_rules
from headwater.structural.source import Source, SourceFile, Sources
from headwater.structural.too_large import TooLargeError
from headwater.structural.translate.retrieve import PairIndex
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.translator import Model, Translation, Translator
from headwater.structural.unsupported import UnsupportedQueryError

_DEFAULT_LIMIT = 1000
_MOST_NAMED = 5
_BYTES_A_VISIT = 100


@dataclass(slots=True)
class LeftOut:
    """The files that an engine gave up, known once all matches are taken; a few by name."""

    files: int = 0
    named: list[str] = field(default_factory=list)

    def told(self, path: str, why: str) -> None:
        self.files += 1
        if len(self.named) < _MOST_NAMED:
            self.named.append(f"{path or 'a file'} ({why})")


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
    left_out: LeftOut = field(default_factory=LeftOut)

    @property
    def understood(self) -> bool:
        return bool(self.engine) and not self.not_understood


class StructuralAnswer(msgspec.Struct, frozen=True):
    """`complete` is False when the limit cut the results, a file was left out or a part was not understood."""

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
        work: Work = UNBOUNDED,
        allowed: Limits | None = None,
    ) -> None:
        """Without `shards` no graph is kept, and what a scan can find is scanned for.

        Every method, and every step of the matches, raises CutShortError once no `work` is left.
        """
        self._files, self._shards, self._keeps = files, shards or Shards(), shards is not None
        self._pairs, self._model, self._semgrep, self._work = pairs, model, semgrep, work
        self._allowed = allowed or Limits()

    def translate(self, question: str) -> Translation:
        """The query that the question would run, to be shown, edited and given to `run`. Raises TooLargeError."""
        most = self._allowed.structural_words_bytes
        if len(question.encode("utf-8", "replace")) > most:
            message = f"a question in words has at most {most} bytes: shorten it, or send a query"
            raise TooLargeError("structural_words_bytes", message)
        symbols = Symbols((shard.graph for shard in self._all), self._work)
        made = Translator(symbols, self._finds, self._pairs, self._model, self._work).translate(question)
        if made.query is not None:
            admitted(made.query, self._allowed)
        return made

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
        left_out = LeftOut()
        found = self._matches(query, engine, left_out)
        return Search(query, engine, render(query), self._shown(query, engine), left, problems, found, left_out)

    def run_flowgraph(self, rule: Rule) -> Search:
        """A rule in Flowgraph's own language."""
        shown, left = f"rule(){written(rule.steps)}", LeftOut()
        return Search(None, Engine.FLOWGRAPH, rule.name, shown, matches=self._in_graphs(rule, left), left_out=left)

    def run_semgrep(self, text: str) -> Search:
        """Semgrep rules in YAML, checked for Semgrep's traps first; every file is scanned."""
        left = LeftOut()
        found = self._program().scan(read_rules(text, self._allowed), self._files, self._work.remaining, left.told)
        return Search(None, Engine.SEMGREP, "", text, matches=found, left_out=left)

    def _matches(self, query: Query, engine: Engine, left_out: LeftOut) -> Iterator[Match]:
        if engine is Engine.SEMGREP:
            return self._exact(query, left_out)
        if engine is Engine.ASTGREP:
            return self._scanned(query, left_out)
        return self._in_graphs(to_flowgraph(query), left_out)

    def _scanned(self, query: Query, left_out: LeftOut) -> Iterator[Match]:
        """By a scan, or where that would take long by the file's graph, which finds the same."""
        steps = to_flowgraph(query).steps
        for file in self._candidates(query):
            if is_quick(query, file):
                yield from scan(query, [file])
            elif query.language in ("", file.language):
                try:
                    graph = graph_of(file)
                except LeftOutError as error:
                    left_out.told(file.path, str(error))
                    continue
                yield from matches(merge([(file.path, graph)] if graph is not None else []), steps, self._work)

    def _in_graphs(self, rule: Rule, left_out: LeftOut) -> Iterator[Match]:
        """By language and in order of file and position, a shard at a time."""
        for shard in self._graphs():
            self._work.check()
            if rule.language in ("", shard.language):
                for path, why in shard.left_out:
                    left_out.told(path, why)
                yield from matches(shard.graph, rule.steps, self._work)

    def _graphs(self) -> Iterator[Shard]:
        return iter(self._all) if "_all" in self.__dict__ else self._shards.of(self._files, self._work.check)

    @cached_property
    def _all(self) -> list[Shard]:
        return list(self._shards.of(self._files, self._work.check))

    def _finds(self, query: Query) -> bool:
        return next(self._matches(query, self._route(query, exact=False), LeftOut()), None) is not None

    def _route(self, query: Query, *, exact: bool) -> Engine:
        return route(query, exact=exact, graphs_cached=self._keeps or "_all" in self.__dict__)

    def _shown(self, query: Query, engine: Engine) -> str:
        if engine is not Engine.SEMGREP:
            return f"rule(){written(to_flowgraph(query).steps)}"
        return msgspec.json.format(msgspec.json.encode(self._rules(query))).decode()

    def _exact(self, query: Query, left_out: LeftOut) -> Iterator[Match]:
        rules = self._rules(query)
        kept = (file for file in self._candidates(query) if file.language in rules)
        return self._program().scan(list(rules.values()), kept, self._work.remaining, left_out.told)

    def _candidates(self, query: Query) -> Iterator[Source]:
        """Files that may hold a match; a file's bytes count as looks at nodes, some hundred bytes for one."""
        words = required_words(query)
        for file in self._files:
            self._work.spend(len(file.content) // _BYTES_A_VISIT + 1)
            if may_match(words, file.content):
                yield file

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
    complete = search.understood and len(found) <= limit and not search.left_out.files
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
    """Each once; those of one file stand together, and only those are held."""
    path, seen = "", set[Match]()
    for match in found:
        if match.path != path:
            path, seen = match.path, set()
        if match not in seen:
            seen.add(match)
            yield match
