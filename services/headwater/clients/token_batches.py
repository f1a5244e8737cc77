"""Batches for a model that pads: texts of like length together, bounded by padded tokens and by count."""

from collections.abc import Sequence

CHARACTERS_PER_TOKEN = 4  # of code, about; only the shape of batches depends on it


def token_batches(texts: Sequence[str], most_tokens: int, most_texts: int) -> list[list[int]]:
    """The indexes of `texts` in batches, each at least one text and at most `most_tokens` once padded."""
    lengths = [len(text) // CHARACTERS_PER_TOKEN + 1 for text in texts]
    batches: list[list[int]] = []
    for index in sorted(range(len(texts)), key=lengths.__getitem__):
        batch = batches[-1] if batches else None
        if batch is None or len(batch) >= most_texts or lengths[index] * (len(batch) + 1) > most_tokens:
            batches.append([index])
        else:
            batch.append(index)
    return batches
