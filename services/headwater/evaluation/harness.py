"""Running golden questions through an asker and scoring the answers."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from headwater.evaluation.asker import Asker
from headwater.evaluation.golden import GoldenSet, Retrieval, Span, Usages
from headwater.evaluation.helpers import ContextScore, score_context
from headwater.evaluation.metrics import DEPTH, rank_all, rank_any
from headwater.evaluation.report import Ranked, Scored, build_report
from headwater.evaluation.scopes import CorpusScope
from headwater.evaluation.usage_score import score_usages


def run(golden: GoldenSet, asker: Asker, scopes: Mapping[str, CorpusScope]) -> dict[str, Any]:
    """Ask every question once within its corpus; the report's form is that of `build_report`."""
    ranked = [_ask_retrieval(q, asker) for q in golden.retrieval]
    scored = [_ask_usages(q, asker, scopes.get(q.corpus, CorpusScope())) for q in golden.usages]
    return build_report(ranked, scored)


def ask_contexts(golden: GoldenSet, asker: Asker, helpers: Mapping[str, Sequence[Span]]) -> list[ContextScore]:
    """The context of every natural-language question of which `helpers`, by question id, are known."""
    asked = (q for q in golden.retrieval if helpers.get(q.id))
    return [score_context(asker.context(q.corpus, q.query), q.expected, helpers[q.id]) for q in asked]


def sample(golden: GoldenSet, every: int) -> GoldenSet:
    """A fixed sub-sample: each `every`-th question of each kind, in file order."""
    return GoldenSet(golden.retrieval[::every], golden.usages[::every])


def _ask_retrieval(question: Retrieval, asker: Asker) -> Ranked:
    start = time.perf_counter()
    answers = asker.search(question.corpus, question.query, DEPTH, whole=question.slice != "nl")
    millis = (time.perf_counter() - start) * 1000
    rank = rank_any if question.slice == "nl" else rank_all
    return Ranked(question, rank(answers, question.expected), millis)


def _ask_usages(question: Usages, asker: Asker, scope: CorpusScope) -> Scored:
    start = time.perf_counter()
    answers = asker.usages(question.corpus, question.meant())
    millis = (time.perf_counter() - start) * 1000
    return Scored(question, score_usages(question, answers, scope), millis)
