"""Batches hold every text once and keep both bounds."""

from hypothesis import given
from hypothesis import strategies as st

from headwater.clients.token_batches import CHARACTERS_PER_TOKEN, token_batches


@given(st.lists(st.integers(0, 9_000)), st.integers(1, 4_000), st.integers(1, 64))
def test_every_text_once_and_bounded(sizes: list[int], most_tokens: int, most_texts: int) -> None:
    batches = token_batches(["x" * size for size in sizes], most_tokens, most_texts)
    assert sorted(i for batch in batches for i in batch) == list(range(len(sizes)))
    for batch in batches:
        padded = max(sizes[i] // CHARACTERS_PER_TOKEN + 1 for i in batch) * len(batch)
        assert len(batch) <= most_texts
        assert len(batch) == 1 or padded <= most_tokens
