"""Every reason that a file can have is explained."""

import pytest

from headwater.domain import reason
from headwater.query.file_status import explain

REASONS = sorted(v for k, v in vars(reason).items() if k.isupper())


@pytest.mark.parametrize("word", REASONS)
def test_every_reason_has_words(word: str) -> None:
    text = explain("skipped", f"{word}: detail", 0)
    assert text.startswith("not searchable: ")
    assert "reason:" not in text
    assert text.endswith("(detail)")


def test_other_states() -> None:
    assert explain("indexed", "", 3) == "searchable in 3 chunks"
    assert explain("pending", "", 0) == "not searchable yet: its document is on the way"
    assert explain("skipped", "new-reason", 0) == "not searchable: reason: new-reason"
