"""Hits fit a budget, and nothing is cut without saying so."""

from hypothesis import given
from hypothesis import strategies as st

from headwater.mcp_server.budget import BYTES_PER_TOKEN, MIN_TOKENS, OVERHEAD_TOKENS, clipped, fitting, tokens_of
from headwater.mcp_server.hits import shortened
from headwater.mcp_server.reply import Hit

HITS = st.builds(Hit, at=st.just("a/b.py:1"), what=st.text(max_size=40), code=st.text(max_size=400))


@given(st.lists(HITS, max_size=20), st.integers(MIN_TOKENS, 5000))
def test_what_fits_is_within_the_budget_or_a_single_hit(hits: list[Hit], budget: int) -> None:
    count = fitting(hits, budget)
    assert count >= min(1, len(hits))
    assert count <= 1 or sum(map(tokens_of, hits[:count])) <= budget - OVERHEAD_TOKENS
    assert count == len(hits) or sum(map(tokens_of, hits[: count + 1])) > budget - OVERHEAD_TOKENS


def test_a_single_huge_hit_is_cut_and_says_so() -> None:
    hit = clipped(Hit(at="a.py:1", what="function f", code="x = 1\n" * 5000), MIN_TOKENS)
    assert hit.code.endswith("… cut, raise max_tokens")
    assert len(hit.model_dump_json()) <= MIN_TOKENS * BYTES_PER_TOKEN


def test_left_out_lines_are_counted() -> None:
    assert shortened("a\nb\nc\nd", 2) == "a\nb\n… 2 more lines"
    assert shortened("a\nb\n", 2) == "a\nb"
