"""Answers structural questions over what a caller may read of the index's views."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from time import perf_counter

import msgspec

from headwater.domain.answer import Range, Result, StructuralReport
from headwater.domain.query_error import DeadlinePassedError, InvalidQuestionError, UnavailableError
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import SelectedFile, Selection
from headwater.metrics import METRICS
from headwater.structural.deadline import OutOfTimeError, Remaining, check, unlimited
from headwater.structural.engine import Search, StructuralSearch, unique
from headwater.structural.flowgraph.ahead import build_ahead
from headwater.structural.flowgraph.cache import GraphCache, key_of
from headwater.structural.flowgraph.index import Shards
from headwater.structural.flowgraph.pipeline import decode_rule
from headwater.structural.generate.pairs import Pair
from headwater.structural.match import Match
from headwater.structural.query import decode
from headwater.structural.semgrep.program import SemgrepError, SemgrepProgram
from headwater.structural.source import LANGUAGES, StoredFile
from headwater.structural.translate.retrieve import PairIndex
from headwater.structural.translate.translator import Model
from headwater.structural.unsupported import UnsupportedQueryError

WAYS = ("words", "query", "flowgraph", "semgrep")
SNIPPET_LINES = 8
CUT_SHORT = "the deadline passed before everything was searched: give more time or narrow the question"


class SelectedSources:
    """`Sources` of a selection's files; a path is led by the number of its view, so views may share paths."""

    def __init__(self, selection: Selection, remaining: Remaining = unlimited) -> None:
        number = {view: position for position, view in enumerate(selection.as_of)}
        self._files = {f"{number[f.view]}:{f.path}": f for f in selection.files if f.language in LANGUAGES}
        self._remaining = remaining

    def __iter__(self) -> Iterator[StoredFile]:
        for path, file in self._files.items():
            yield StoredFile(path, file.language, file.blob, _Reading(file, self._remaining))

    def file_of(self, path: str) -> SelectedFile:
        return self._files[path]


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads a file unless the time is up."""

    file: SelectedFile
    remaining: Remaining

    def __call__(self) -> bytes | None:
        check(self.remaining)
        return self.file.read()


class StructuralAnswering:
    """Keeps merged graphs from question to question, since building those of a tree costs more than any query."""

    def __init__(
        self,
        cache: GraphCache,
        pairs: tuple[Pair, ...] = (),
        model: Model | None = None,
        semgrep: SemgrepProgram | None = None,
        ahead: bool = True,
        kept: bool = True,
    ) -> None:
        """Not `ahead`: nothing is prepared, the first question does it all. Not `kept`: every question does.

        What one caller was given to read is then in nothing that another one is answered from.
        """
        self._ahead, self._kept = ahead and kept, kept
        self._cache, self._shards, self._pairs = cache, Shards(cache), PairIndex(pairs)
        self._model, self._semgrep = model, semgrep

    def __call__(
        self, question: StructuralQuestion, selection: Selection, remaining: Remaining = unlimited
    ) -> Iterator[StructuralReport]:
        """Parts of one report, a file's matches in each: the query in the first, whether that is all in the last.

        Raises InvalidQuestionError, UnavailableError; DeadlinePassedError before the first part, never after it.
        """
        if sum(bool(getattr(question, way).strip()) for way in WAYS) != 1:
            raise InvalidQuestionError("words", f"ask in exactly one way: {', '.join(WAYS)}")
        started = perf_counter()
        sources = SelectedSources(selection, remaining)
        search = self._begun(sources, question, remaining)
        yield _first(search, selection)
        state = _State(search.understood and selection.whole)
        yield from _found(search, sources, question.limit, state)
        METRICS.observe("headwater_structural_seconds", perf_counter() - started, engine=search.engine or "none")
        yield StructuralReport(complete=state.complete, problems=state.problems)

    def prepare(self, selection: Selection) -> None:
        """Builds and merges the graphs of these files, so that the first question about them finds them made."""
        if not self._ahead:
            return
        sources = SelectedSources(selection)
        build_ahead(sources, self._cache)
        for shard in self._shards.of(sources):
            shard.graph.ready()
        self._cache.keep({key_of(file) for file in sources})

    def _begun(self, sources: SelectedSources, question: StructuralQuestion, remaining: Remaining) -> Search:
        search = StructuralSearch(
            sources,
            shards=self._shards if self._kept else Shards(),
            pairs=self._pairs,
            model=self._model,
            semgrep=self._semgrep,
            remaining=remaining,
        )
        try:
            return _started(search, question)
        except OutOfTimeError as error:
            message = "the deadline passed before the question was understood: give more time, or ask again"
            raise DeadlinePassedError("DEADLINE_PASSED", message) from error
        except UnsupportedQueryError as error:
            raise InvalidQuestionError("query", str(error), "UNSUPPORTED_QUERY") from error
        except (msgspec.MsgspecError, ValueError) as error:
            raise InvalidQuestionError("query", f"not a query of its form: {error}") from error


@dataclass(slots=True)
class _State:
    """What the last part will say."""

    complete: bool
    problems: tuple[str, ...] = ()


def _started(search: StructuralSearch, question: StructuralQuestion) -> Search:
    if question.words.strip():
        return search.ask(question.words, exact=question.exact)
    if question.query.strip():
        return search.run(decode(question.query.encode()), exact=question.exact)
    if question.flowgraph.strip():
        return search.run_flowgraph(decode_rule(question.flowgraph.encode()))
    return search.run_semgrep(question.semgrep)


def _first(search: Search, selection: Selection) -> StructuralReport:
    return StructuralReport(
        as_of=selection.as_of,
        query=None if search.query is None else msgspec.to_builtins(search.query),
        engine=search.engine,
        rendered=search.rendered,
        engine_query=search.engine_query,
        not_understood=search.not_understood,
        problems=search.problems,
        complete=False,
    )


def _found(search: Search, sources: SelectedSources, limit: int, state: _State) -> Iterator[StructuralReport]:
    """A part for each file with matches; what cut them short goes into `state`."""
    left = limit or 1 << 62
    try:
        for path, group in groupby(unique(search.matches), attrgetter("path")):
            found = list(islice(group, left + 1))
            if found[:left]:
                yield StructuralReport(complete=False, results=_results(sources.file_of(path), found[:left]))
            left -= len(found)
            if left < 0:
                state.complete = False
                return
    except OutOfTimeError:
        state.complete, state.problems = False, (CUT_SHORT,)
    except (OSError, SemgrepError) as error:
        raise UnavailableError("ENGINE_UNAVAILABLE", f"the exact engine can't run: {error}") from error


def _results(file: SelectedFile, matches: list[Match]) -> tuple[Result, ...]:
    lines = (file.read() or b"").split(b"\n")
    return tuple(_result(file, match, lines[match.start_line - 1 : match.end_line]) for match in matches)


def _result(file: SelectedFile, match: Match, lines: list[bytes]) -> Result:
    before = lines[0][: match.start_column].decode("utf-8", "replace") if lines else ""
    last = lines[-1] if lines else b""
    return Result(
        repo=file.view.repo,
        ref=file.view.ref,
        commit=file.view.commit,
        path=file.path,
        language=file.language,
        range=Range(
            match.start_line,
            len(before) + 1,
            match.start_column + 1,
            match.end_line,
            len(last.decode("utf-8", "replace")) + 1,
            len(last) + 1,
        ),
        kind="match",
        retrievers=("structural",),
        snippet=b"\n".join(lines[:SNIPPET_LINES]).decode("utf-8", "replace"),
        snippet_line=match.start_line,
    )
