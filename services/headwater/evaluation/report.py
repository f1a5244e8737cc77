"""The report of a run: means by slice, gap and language, their intervals and the latencies, as plain JSON values."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from headwater.evaluation.bootstrap import interval
from headwater.evaluation.golden import Retrieval, Usages
from headwater.evaluation.helpers import ContextScore
from headwater.evaluation.metrics import Ranking, percentile
from headwater.evaluation.usage_score import UsageScore

_FIELDS = {
    "recall@1": "recall_1",
    "recall@5": "recall_5",
    "recall@10": "recall_10",
    "mrr@10": "mrr_10",
    "ndcg@10": "ndcg_10",
}
_CONTEXT = ["answer", "helpers"]


class Ranked(msgspec.Struct, frozen=True):
    """A retrieval question with its figures and the time it took."""

    question: Retrieval
    ranking: Ranking
    millis: float


class Scored(msgspec.Struct, frozen=True):
    """A usages question with its counts and the time it took."""

    question: Usages
    score: UsageScore
    millis: float


def build_report(ranked: Sequence[Ranked], scored: Sequence[Scored]) -> dict[str, Any]:
    """`slices` holds the slices that were asked; every mean of a slice has its interval in `intervals`."""
    slices: dict[str, Any] = {}
    latency: dict[str, Any] = {}
    for name in ("nl", "identifier"):
        rows = [r for r in ranked if r.question.slice == name]
        if rows:
            slices[name] = _retrieval_slice(name, rows)
            latency[name] = _latency(r.millis for r in rows)
    if scored:
        slices["usages"] = _usages_slice(scored)
        latency["usages"] = _latency(s.millis for s in scored)
    return {"slices": slices, "latency_ms": latency}


def _retrieval_slice(name: str, rows: Sequence[Ranked]) -> dict[str, Any]:
    out: dict[str, Any] = _means(rows)
    groups = ("gap", "lang") if name == "nl" else ("form", "lang")
    for group in groups:
        out[f"by_{group}"] = {k: _means(v) for k, v in _grouped(rows, group).items()}
    out["intervals"] = {m: interval(_values(rows, f)) for m, f in _FIELDS.items()}
    return out


def _grouped(rows: Iterable[Ranked], attribute: str) -> dict[str, list[Ranked]]:
    groups: dict[str, list[Ranked]] = defaultdict(list)
    for row in rows:
        groups[getattr(row.question, attribute)].append(row)
    return dict(sorted(groups.items()))


def _values(rows: Sequence[Ranked], field: str) -> list[float]:
    return [getattr(r.ranking, field) for r in rows]


def _means(rows: Sequence[Ranked]) -> dict[str, Any]:
    return {"n": len(rows)} | {m: _mean(_values(rows, f)) for m, f in _FIELDS.items()}


def _usages_slice(rows: Sequence[Scored]) -> dict[str, Any]:
    out = usage_means([r.score for r in rows])
    by_lang: dict[str, list[UsageScore]] = defaultdict(list)
    for row in rows:
        by_lang[row.question.lang].append(row.score)
    out["by_lang"] = {lang: usage_means(scores) for lang, scores in sorted(by_lang.items())}
    out["intervals"] = {
        "recall": interval([r.score.recall for r in rows]),
        "precision": interval([r.score.precision for r in rows]),
        "exact_lists": interval([float(r.score.exact) for r in rows]),
    }
    return out


def usage_means(scores: Sequence[UsageScore]) -> dict[str, Any]:
    """Means over questions, so that one much-used symbol doesn't hide the others."""
    return {
        "n": len(scores),
        "recall": _mean([s.recall for s in scores]),
        "precision": _mean([s.precision for s in scores]),
        "exact_lists": _mean([float(s.exact) for s in scores]),
    }


def context_means(scores: Sequence[ContextScore]) -> dict[str, Any]:
    """`answer`: how often it is in the context; `helpers`: the share of what it calls that is, by question."""
    return {
        "n": len(scores),
        "answer": _mean([float(s.answered) for s in scores]),
        "helpers": _mean([s.found / s.helpers for s in scores]),
    }


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def _latency(millis: Iterable[float]) -> dict[str, float]:
    values = list(millis)
    return {"p50": round(percentile(values, 0.5), 2), "p95": round(percentile(values, 0.95), 2)}


def format_report(report: dict[str, Any]) -> str:
    """A line per slice and group with its figures, in a fixed order: what is committed, so that changes show."""
    lines = []
    for name, slice_ in report["slices"].items():
        metrics = list(slice_["intervals"])
        lines.append(_line(name, "all", slice_, metrics))
        for group in (k for k in slice_ if k.startswith("by_")):
            lines += [_line(name, f"{group[3:]} {key}", figures, metrics) for key, figures in slice_[group].items()]
        bounds = "  ".join(f"{m} {low:.3f}-{high:.3f}" for m, (low, high) in slice_["intervals"].items())
        lines.append(f"{name:10}  {'all, 95 % interval':22}  {'':6}  {bounds}")
    lines += [_line("context", group, figures, _CONTEXT) for group, figures in report.get("context", {}).items()]
    return "\n".join(lines)


def format_ablation(reports: Mapping[str, dict[str, Any]]) -> str:
    """A line per variant and retrieval slice."""
    lines = []
    for variant, report in reports.items():
        for name in ("nl", "identifier"):
            if name in report["slices"]:
                figures = report["slices"][name]
                lines.append(f"{variant:24}  " + _line(name, "all", figures, list(figures["intervals"])))
        lines += [f"{variant:24}  " + _line("context", "", c, _CONTEXT) for c in report.get("context", {}).values()]
    return "\n".join(lines)


def _line(name: str, group: str, figures: dict[str, Any], metrics: list[str]) -> str:
    shown = "  ".join(f"{m} {figures[m]:.3f}" for m in metrics)
    return f"{name:10}  {group:22}  n {figures['n']:4}  {shown}"
