"""How many hits fit a token budget: pure."""

import json
from collections.abc import Sequence

from headwater.mcp_server.reply import Hit

BYTES_PER_TOKEN = 3.5  # of code under common tokenizers; an estimate on the safe side
OVERHEAD_TOKENS = 300  # for what is true of the answer as a whole
DEFAULT_TOKENS, MIN_TOKENS, MAX_TOKENS = 6000, 600, 50_000


def tokens_of(hit: Hit) -> int:
    """What the hit takes in the structured form, which is the longer one."""
    return 1 + round(len(json.dumps(hit.model_dump(), ensure_ascii=False).encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def fitting(hits: Sequence[Hit], max_tokens: int) -> int:
    """How many of the first hits fit; at least one, if there is any."""
    left = max_tokens - OVERHEAD_TOKENS
    for number, hit in enumerate(hits):
        left -= tokens_of(hit)
        if left < 0:
            return max(number, 1)
    return len(hits)


def clipped(hit: Hit, max_tokens: int) -> Hit:
    """A single hit that is over the budget alone, with its code cut."""
    over = tokens_of(hit) - (max_tokens - OVERHEAD_TOKENS)
    if over <= 0:
        return hit
    keep = max(0, len(hit.code) - round(over * BYTES_PER_TOKEN) - 40)
    return hit.model_copy(update={"code": hit.code[:keep].rsplit("\n", 1)[0] + "\n… cut, raise max_tokens"})
