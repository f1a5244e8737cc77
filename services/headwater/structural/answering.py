"""Answers structural questions over what a caller may read of the index's views."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from time import perf_counter

import msgspec

from headwater.domain.answer import Range, Result, StructuralReport
from headwater.domain.query_error import DeadlinePassedError, ExhaustedError, InvalidQuestionError, UnavailableError
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import SelectedFile, Selection
from headwater.limits import Limits, count_reached, limits
from headwater.metrics import METRICS
from headwater.structural.admission import decode
from headwater.structural.deadline import (
    CutShortError,
    OutOfTimeError,
    OutOfWorkError,
    Remaining,
    Work,
    check,
    unlimited,
)
from headwater.structural.engine import Search, StructuralSearch, unique
from headwater.structural.flowgraph.admission import decode_rule
from headwater.structural.flowgraph.ahead import build_ahead
from headwater.structural.flowgraph.cache import GraphCache, key_of
from headwater.structural.flowgraph.index import Shards
from headwater.structural.generate.pairs import Pair
from headwater.structural.match import Match
from headwater.structural.semgrep.program import RuleRefusedError, SemgrepError, SemgrepProgram
from headwater.structural.source import LANGUAGES, StoredFile
from headwater.structural.too_large import TooLargeError
from headwater.structural.translate.retrieve import PairIndex
from headwater.structural.translate.translator import Model
from headwater.structural.turns import Places
from headwater.structural.unsupported import UnsupportedQueryError

WAYS = ("words", "query", "flowgraph", "semgrep")
SNIPPET_LINES = 8
SNIPPET_BYTES = 4_000
MATCHES_A_PART = 100
NARROW = "narrow it by repository, path or language, or say more of what is sought"
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
        allowed: Limits | None = None,
    ) -> None:
        """Not `ahead`: nothing is prepared, the first question does it all. Not `kept`: every question does.

        What one caller was given to read is then in nothing that another one is answered from.
        """
        self._ahead, self._kept = ahead and kept, kept
        self._cache, self._shards, self._pairs = cache, Shards(cache), PairIndex(pairs)
        self._model, self._semgrep, self._allowed = model, semgrep, allowed or limits()
        self._places = Places(self._allowed.structural_questions, self._allowed.structural_waiting)

    def __call__(
        self, question: StructuralQuestion, selection: Selection, remaining: Remaining = unlimited
    ) -> Iterator[StructuralReport]:
        """Parts of one report, a file's matches in each: the query in the first, whether that is all in the last.

        Raises InvalidQuestionError, UnavailableError, and before the first part DeadlinePassedError, ExhaustedError.
        """
        self._check_form(question)
        try:
            yield from self._places.each(self._parts(question, selection, remaining), remaining)
        except OutOfTimeError as error:  # in wait for a place
            raise _not_understood_in_time() from error

    def _check_form(self, question: StructuralQuestion) -> None:
        asked = [way for way in WAYS if getattr(question, way).strip()]
        if len(asked) != 1:
            raise InvalidQuestionError("words", f"ask in exactly one way: {', '.join(WAYS)}")
        words, allowed = asked == ["words"], self._allowed
        name = "structural_words_bytes" if words else "structural_text_bytes"
        most: int = getattr(allowed, name)
        if len(getattr(question, asked[0]).encode("utf-8", "replace")) > most:
            count_reached(name)
            message = f"it has more than {most} bytes: shorten it{', or send a query' if words else ''}"
            raise InvalidQuestionError(asked[0], message, "QUESTION_TOO_LONG")

    def _parts(
        self, question: StructuralQuestion, selection: Selection, remaining: Remaining
    ) -> Iterator[StructuralReport]:
        started = perf_counter()
        sources = SelectedSources(selection, remaining)
        search = self._begun(sources, question, remaining)
        yield _first(search, selection)
        state = _State(search.understood and selection.whole)
        yield from _found(search, sources, question, self._allowed, state)
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
            work=Work(remaining, self._allowed.structural_visits),
            allowed=self._allowed,
        )
        way = _way(question)
        try:
            return _started(search, question, self._allowed)
        except OutOfTimeError as error:
            raise _not_understood_in_time() from error
        except OutOfWorkError as error:
            count_reached("structural_visits")
            message = f"to understand the question would cost more than one may: {NARROW}"
            raise ExhaustedError("QUESTION_TOO_COSTLY", message) from error
        except UnsupportedQueryError as error:
            raise InvalidQuestionError(way, str(error), "UNSUPPORTED_QUERY") from error
        except TooLargeError as error:
            count_reached(error.limit)
            raise InvalidQuestionError(way, str(error), error.reason) from error
        except (msgspec.MsgspecError, ValueError) as error:
            raise InvalidQuestionError(way, f"not a query of its form: {error}") from error


@dataclass(slots=True)
class _State:
    """What the last part will say."""

    complete: bool
    problems: tuple[str, ...] = ()

    def cut(self, problem: str) -> None:
        self.complete, self.problems = False, (problem,) if problem else ()


def _way(question: StructuralQuestion) -> str:
    return next(way for way in WAYS if getattr(question, way).strip())


def _not_understood_in_time() -> DeadlinePassedError:
    message = "the deadline passed before the question was understood: give more time, or ask again"
    return DeadlinePassedError("DEADLINE_PASSED", message)


def _started(search: StructuralSearch, question: StructuralQuestion, allowed: Limits) -> Search:
    if question.words.strip():
        return search.ask(question.words, exact=question.exact)
    if question.query.strip():
        return search.run(decode(question.query, allowed), exact=question.exact)
    if question.flowgraph.strip():
        return search.run_flowgraph(decode_rule(question.flowgraph, allowed))
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


def _found(
    search: Search, sources: SelectedSources, question: StructuralQuestion, allowed: Limits, state: _State
) -> Iterator[StructuralReport]:
    """A part for each file with matches, several for one with many; what cut them short goes into `state`."""
    most, limit, way = allowed.structural_matches, question.limit, _way(question)
    left = min(limit or most, most)
    try:
        for path, group in groupby(unique(search.matches), attrgetter("path")):
            file = _Text(sources.file_of(path))
            while found := list(islice(group, min(left + 1, MATCHES_A_PART))):
                if found[:left]:
                    yield StructuralReport(complete=False, results=file.results(found[:left]))
                left -= len(found)
                if left < 0:
                    state.cut(_capped(most) if limit == 0 or limit > most else "")
                    return
        if search.left_out.files:
            named = ", ".join(path.partition(":")[2] or path for path in search.left_out.named)
            state.cut(f"{search.left_out.files} files cost more than one may and were left out, among them {named}")
    except OutOfTimeError:
        state.cut(CUT_SHORT)
    except CutShortError:
        count_reached("structural_visits")
        state.cut(f"the question looked at {allowed.structural_visits:,} nodes, as many as one may: {NARROW}")
    except RuleRefusedError as error:
        raise InvalidQuestionError(way, f"semgrep refuses the rule: {error}") from error
    except (OSError, SemgrepError) as error:
        raise UnavailableError("ENGINE_UNAVAILABLE", f"the exact engine can't run: {error}") from error


def _capped(most: int) -> str:
    count_reached("structural_matches")
    return f"these are the first {most:,} matches, as many as one question may have: {NARROW}"


class _Text:
    """A file with matches, read once for all of them; makes a result of one in constant time."""

    def __init__(self, file: SelectedFile) -> None:
        self._file, self._lines = file, (file.read() or b"").split(b"\n")
        self._counts = dict[
            tuple[int, bool], tuple[int, int]
        ]()  # of a line, or of one up to its end: how many bytes are counted and their characters

    def results(self, matches: list[Match]) -> tuple[Result, ...]:
        return tuple(self._result(match) for match in matches)

    def _result(self, match: Match) -> Result:
        file, first, last = self._file, match.start_line, match.end_line
        shown = self._lines[first - 1 : min(last, first - 1 + SNIPPET_LINES)]
        return Result(
            repo=file.view.repo,
            ref=file.view.ref,
            commit=file.view.commit,
            path=file.path,
            language=file.language,
            range=Range(
                first,
                self._characters(first, match.start_column) + 1,
                match.start_column + 1,
                last,
                self._characters(last, len(self._line(last))) + 1,
                len(self._line(last)) + 1,
            ),
            kind="match",
            retrievers=("structural",),
            snippet=b"\n".join(line[:SNIPPET_BYTES] for line in shown)[:SNIPPET_BYTES].decode("utf-8", "replace"),
            snippet_line=first,
        )

    def _line(self, number: int) -> bytes:
        return self._lines[number - 1] if 0 < number <= len(self._lines) else b""

    def _characters(self, number: int, column: int) -> int:
        """In the line's first `column` bytes; matches come in order, so a long line is counted once for all of them."""
        key, line = (number, column >= len(self._line(number))), self._line(number)
        ended, counted = self._counts.get(key, (0, 0))
        if ended > column:
            ended, counted = 0, 0
        counted += len(line[ended:column].decode("utf-8", "replace"))
        self._counts[key] = column, counted
        return counted
