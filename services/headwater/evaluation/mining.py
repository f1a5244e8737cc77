"""Golden candidates from what callers did with answers: questions that went badly, for a person to judge."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from headwater.domain.subtoken import subtokens

_SOON_S = 120.0  # a question so soon after another of its session may be the same one again
_ALIKE = 0.3  # share of common sub-tokens from which it is a reformulation


class Outcome(msgspec.Struct, frozen=True):
    """One stored report; no source text."""

    query: str
    outcome: str  # accepted, rejected, retried
    at: float
    session: str = ""
    repo: str = ""
    commit: str = ""
    path: str = ""
    rank: int = 0  # of the result accepted or rejected, from 1; 0: none


class Candidate(msgspec.Struct, frozen=True):
    """A question worth a golden entry. `answer` is what the session accepted in the end, as a hint, if anything."""

    query: str
    repo: str
    commit: str
    reason: str  # no accepted result, accepted far down, asked again, asked otherwise
    times: int
    answer: str = ""


def mine(outcomes: Iterable[Outcome], far: int = 5) -> list[Candidate]:
    """Candidates, most frequent first. Each question of a session counts once, for its first reason."""
    counted: dict[tuple[str, str, str], list[tuple[str, str]]] = defaultdict(list)
    for session in _sessions(outcomes):
        for query, reason, answer in _judge(session, far):
            counted[(query.query, query.repo, reason)].append((query.commit, answer))
    found = [
        Candidate(query, repo, rows[-1][0], reason, len(rows), next((a for _, a in rows if a), ""))
        for (query, repo, reason), rows in counted.items()
    ]
    return sorted(found, key=lambda c: (-c.times, c.query, c.repo, c.reason))


def _sessions(outcomes: Iterable[Outcome]) -> Iterable[list[Outcome]]:
    """Reports by session, in order of time; those without a session stand alone."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for number, outcome in enumerate(outcomes):
        groups[outcome.session or f"\0{number}"].append(outcome)
    return (sorted(group, key=lambda o: o.at) for group in groups.values())


def _judge(session: Sequence[Outcome], far: int) -> Iterable[tuple[Outcome, str, str]]:
    queries: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in session:
        queries[outcome.query].append(outcome)
    firsts = [reports[0] for reports in queries.values()]
    for number, first in enumerate(firsts):
        reports = queries[first.query]
        following = firsts[number + 1] if number + 1 < len(firsts) else None
        reason = _reason(reports, following, far)
        if reason:
            later = (o for f in firsts[number:] for o in queries[f.query] if o.outcome == "accepted")
            answer = next(later, None)
            yield first, reason, answer.path if answer is not None else ""


def _reason(reports: Sequence[Outcome], following: Outcome | None, far: int) -> str:
    if any(r.outcome == "retried" for r in reports):
        return "asked again"
    accepted = [r for r in reports if r.outcome == "accepted"]
    if accepted:
        return "accepted far down" if min(r.rank for r in accepted) > far else ""
    if following is not None and following.at - reports[-1].at <= _SOON_S and _alike(reports[0].query, following.query):
        return "asked otherwise"
    return "no accepted result"


def _alike(one: str, other: str) -> bool:
    first, second = set(subtokens(one)), set(subtokens(other))
    return len(first & second) >= _ALIKE * min(len(first), len(second)) > 0


def read_outcomes(lines: Iterable[bytes]) -> Iterable[Outcome]:
    """Stored reports, oldest first; a line cut short by a crash is skipped."""
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=Outcome)
        except msgspec.DecodeError:
            continue


def review_lines(candidates: Iterable[Candidate]) -> str:
    """The review file: one JSON object a line, with `expected` left for the reviewer to fill in."""
    rows = (msgspec.structs.asdict(c) | {"expected": []} for c in candidates)
    return "".join(msgspec.json.encode(row).decode() + "\n" for row in rows)
