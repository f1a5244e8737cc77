"""One tokenizer for names and text."""

import pytest

from headwater.domain.subtoken import split_identifier, subtokens


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("getUserByEmail", ("get", "user", "by", "email")),
        ("HTTPSConnection", ("https", "connection")),
        ("OvertimeService", ("overtime", "service")),
        ("HCA060T", ("hca", "060", "t")),
        ("x", ("x",)),
    ],
)
def test_d5_identifiers_split_by_case_and_digits(word: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(word) == parts


def test_text_is_split_in_order() -> None:
    assert subtokens("def max_retry_count(self): # 重试 次数") == [
        "def",
        "max",
        "retry",
        "count",
        "self",
        "重试",
        "次数",
    ]


def test_a_monster_token_is_cut() -> None:
    assert max(map(len, subtokens("a" * 10_000))) <= 64
