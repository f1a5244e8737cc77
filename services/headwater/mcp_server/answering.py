"""Asks a question, and asks again for as much as fits the budget, so that pages join without a gap."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from headwater.domain.answer import Answer, AsOf, ContextAnswer, Result, StructuralReport
from headwater.domain.asking import Asker
from headwater.domain.question import FreshnessQuestion, Question
from headwater.mcp_server.age import as_of_line
from headwater.mcp_server.budget import clipped, fitting
from headwater.mcp_server.hits import context_hit, hit_of, notes_of, shown_views, structural_notes
from headwater.mcp_server.reply import Hit, Reply

Q = TypeVar("Q", bound=Question)


class Answering:
    """Replies of one Asker."""

    def __init__(self, asker: Asker, clock: Callable[[], float] = time.time) -> None:
        self.asker, self._clock = asker, clock

    def paged(self, ask: Callable[[Q], Answer], question: Q, max_tokens: int) -> Reply:
        """For questions whose answers come in pages."""
        answer = ask(question)
        hits = _hits(answer.results)
        fits = fitting(hits, max_tokens)
        if fits < len(hits):
            answer = ask(msgspec.structs.replace(question, limit=fits))
            hits = _hits(answer.results)
        return self._reply(answer, answer.results, _clip_alone(hits, max_tokens), question.refs, answer.next_page_token)

    def usages(self, answer: Answer, refs: tuple[str, ...], skip: int, limit: int, max_tokens: int) -> Reply:
        """All uses if they fit: with their lines, else places alone; what is left out can be had with `skip`."""
        results = answer.results[skip : skip + limit]
        hits = _hits(results)
        notes = []
        if fitting(hits, max_tokens) < len(hits):
            hits = [hit.model_copy(update={"code": ""}) for hit in hits]
            notes.append("lines are left out to keep within max_tokens; raise it, or narrow with paths, to see them")
        shown = hits[: fitting(hits, max_tokens)]
        if skip + len(shown) < len(answer.results):
            notes.append(f"go on with skip={skip + len(shown)}")
        reply = self._reply(answer, results[: len(shown)], shown, refs, "")
        return reply.model_copy(update={"truncated": len(shown) < len(answer.results), "notes": [*reply.notes, *notes]})

    def context(self, answer: ContextAnswer, refs: tuple[str, ...]) -> Reply:
        results = tuple(item.result for item in answer.items)
        several = _several(results)
        plain = Answer(results=results, complete=answer.complete, degraded=answer.degraded)
        notes = notes_of(plain)
        if answer.omitted:
            notes.append(f"{answer.omitted} further definitions were left out: raise max_tokens to see them")
        return Reply(
            as_of=self._as_of(answer.as_of, results, refs),
            results=[context_hit(item, several) for item in answer.items],
            total=len(answer.items) + answer.omitted,
            complete=answer.complete,
            truncated=answer.omitted > 0,
            next_page="",
            notes=notes,
        )

    def structural(self, report: StructuralReport, refs: tuple[str, ...], max_tokens: int) -> Reply:
        """The matches that fit, and in words the query that was run: the caller judges whether it was the right one."""
        hits = _hits(report.results)
        shown = hits[: fitting(hits, max_tokens)]
        answer = Answer(as_of=report.as_of, results=report.results, complete=report.complete, total=len(hits))
        reply = self._reply(answer, report.results[: len(shown)], shown, refs, "")
        notes = [*structural_notes(report), *reply.notes]
        if len(shown) < len(hits):
            notes.append("the rest is left out to keep within max_tokens: narrow with paths or raise it")
        return reply.model_copy(update={"truncated": len(shown) < len(hits), "notes": notes})

    def _reply(
        self, answer: Answer, results: Sequence[Result], hits: list[Hit], refs: tuple[str, ...], token: str
    ) -> Reply:
        return Reply(
            as_of=self._as_of(answer.as_of, tuple(results), refs),
            results=hits,
            total=answer.total,
            complete=answer.complete or bool(token),
            truncated=bool(token),
            next_page=token,
            notes=notes_of(answer if not token else msgspec.structs.replace(answer, complete=True)),
        )

    def _as_of(self, views: tuple[AsOf, ...], results: tuple[Result, ...], refs: tuple[str, ...]) -> list[str]:
        shown = shown_views(views, results)
        repos = tuple(dict.fromkeys(view.repo for view in shown))
        fresh = self.asker.freshness(FreshnessQuestion(repos=repos, refs=refs)) if repos else None
        states = {(s.repo, s.ref): s for s in fresh.views} if fresh is not None else {}
        return [as_of_line(view, states, self._clock()) for view in shown]


def _hits(results: Sequence[Result]) -> list[Hit]:
    several = _several(results)
    return [hit_of(result, several) for result in results]


def _several(results: Sequence[Result]) -> bool:
    return len({(r.repo, r.ref) for r in results}) > 1


def _clip_alone(hits: list[Hit], max_tokens: int) -> list[Hit]:
    return [clipped(hits[0], max_tokens)] if len(hits) == 1 else hits
