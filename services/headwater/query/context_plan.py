"""Which pieces of code fit a token budget: a pure plan, hits first, then what they call."""

from collections.abc import Sequence

import msgspec

BYTES_PER_TOKEN = 3.5  # of code under common tokenizers; an estimate on the safe side
HIT_SHARE = 0.7  # of the budget, so that callees of the best hits have room


class Piece(msgspec.Struct, frozen=True):
    """A candidate for the context; `key` is its identity, `level` 0 for hits and 1 for what they call."""

    key: tuple[int, str, int]
    tokens: int
    level: int


class Plan(msgspec.Struct, frozen=True):
    """Indexes into the pieces, in reading order, and how many tokens they take."""

    chosen: tuple[int, ...]
    tokens: int
    omitted: int


def estimate_tokens(text: str) -> int:
    return max(1, round(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN))


def plan_context(pieces: Sequence[Piece], budget: int) -> Plan:
    """Greedy in the given order: hits within HIT_SHARE, then callees, then further hits; each key once.

    A piece that doesn't fit is passed over for smaller ones after it.
    """
    chosen: set[int] = set()
    seen: set[tuple[int, str, int]] = set()
    used = 0
    rounds = ((0, int(budget * HIT_SHARE)), (1, budget), (0, budget))
    for level, limit in rounds:
        for i, piece in enumerate(pieces):
            if piece.level != level or piece.key in seen or used + piece.tokens > limit:
                continue
            chosen.add(i)
            seen.add(piece.key)
            used += piece.tokens
    distinct = len({p.key for p in pieces})
    return Plan(tuple(sorted(chosen)), used, distinct - len(seen))
