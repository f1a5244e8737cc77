"""Answers structural questions over what a caller may read of the index's views."""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock

import msgspec

from headwater.domain.answer import Range, Result, StructuralReport
from headwater.domain.query_error import InvalidQuestionError, UnavailableError
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import SelectedFile, Selection
from headwater.structural.engine import StructuralAnswer, StructuralSearch
from headwater.structural.flowgraph.cache import GraphCache
from headwater.structural.flowgraph.pipeline import decode_rule
from headwater.structural.generate.pairs import Pair
from headwater.structural.match import Match
from headwater.structural.query import decode
from headwater.structural.semgrep.program import SemgrepError, SemgrepProgram
from headwater.structural.source import LANGUAGES, SourceFile
from headwater.structural.translate.translator import Model
from headwater.structural.unsupported import UnsupportedQueryError

WAYS = ("words", "query", "flowgraph", "semgrep")
SNIPPET_LINES = 8
KEPT = 4  # searches of different selections whose graphs stay in memory


class SelectedSources:
    """`Sources` of the files of a selection; a path is led by the number of its file, so views may share paths."""

    def __init__(self, files: tuple[SelectedFile, ...]) -> None:
        self.files = files

    def __iter__(self) -> Iterator[SourceFile]:
        for number, file in enumerate(self.files):
            content = file.read() if file.language in LANGUAGES else None
            if content is not None:
                yield SourceFile(f"{number}:{file.path}", file.language, content)

    def file_of(self, match: Match) -> SelectedFile:
        return self.files[int(match.path.partition(":")[0])]


class StructuralAnswering:
    """Keeps the searches of recent selections, since building the graphs of a tree costs more than any query."""

    def __init__(
        self,
        cache: GraphCache,
        pairs: tuple[Pair, ...] = (),
        model: Model | None = None,
        semgrep: SemgrepProgram | None = None,
    ) -> None:
        self._cache, self._pairs, self._model, self._semgrep = cache, pairs, model, semgrep
        self._kept: OrderedDict[tuple[str, ...], tuple[SelectedSources, StructuralSearch]] = OrderedDict()
        self._lock = Lock()
        self._turn = Lock()  # parsers and half-built graphs are not to be shared between threads

    def __call__(self, question: StructuralQuestion, selection: Selection) -> StructuralReport:
        """Raises InvalidQuestionError, UnavailableError."""
        if sum(bool(getattr(question, way).strip()) for way in WAYS) != 1:
            raise InvalidQuestionError("words", f"ask in exactly one way: {', '.join(WAYS)}")
        sources, search = self._search(selection)
        with self._turn:
            found = _run(search, question)
        return StructuralReport(
            as_of=selection.as_of,
            query=None if found.query is None else msgspec.to_builtins(found.query),
            engine=found.engine,
            rendered=found.rendered,
            engine_query=found.engine_query,
            not_understood=found.not_understood,
            problems=found.problems,
            complete=found.complete and selection.whole,
            results=tuple(_result(sources.file_of(match), match) for match in found.results),
        )

    def _search(self, selection: Selection) -> tuple[SelectedSources, StructuralSearch]:
        """The same files give the same search: what another caller may read is never in it."""
        key = tuple(f"{f.view.repo}\0{f.view.commit}\0{f.path}\0{f.blob}" for f in selection.files)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return SelectedSources(selection.files), self._kept[key][1]
            sources = SelectedSources(selection.files)
            made = StructuralSearch(
                sources, cache=self._cache, pairs=self._pairs, model=self._model, semgrep=self._semgrep
            )
            self._kept[key] = (sources, made)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return sources, made


def _run(search: StructuralSearch, question: StructuralQuestion) -> StructuralAnswer:
    limit = question.limit or 1 << 31
    try:
        if question.words.strip():
            return search.ask(question.words, exact=question.exact, limit=limit)
        if question.query.strip():
            return search.run(decode(question.query.encode()), exact=question.exact, limit=limit)
        if question.flowgraph.strip():
            return search.run_flowgraph(decode_rule(question.flowgraph.encode()), limit=limit)
        return search.run_semgrep(question.semgrep, limit=limit)
    except UnsupportedQueryError as error:
        raise InvalidQuestionError("query", str(error), "UNSUPPORTED_QUERY") from error
    except (msgspec.MsgspecError, ValueError) as error:
        raise InvalidQuestionError("query", f"not a query of its form: {error}") from error
    except (OSError, SemgrepError) as error:
        raise UnavailableError("ENGINE_UNAVAILABLE", f"the exact engine can't run: {error}") from error


def _result(file: SelectedFile, match: Match) -> Result:
    lines = (file.read() or b"").split(b"\n")[match.start_line - 1 : match.end_line]
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
