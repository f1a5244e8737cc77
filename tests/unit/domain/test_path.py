"""Every git path has exactly one spelling, and the spelling gives the path back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.domain.path import path_from_git, path_to_git


@given(st.binary(min_size=1))
def test_round_trip_through_json(raw: bytes) -> None:
    spelled = json.loads(json.dumps(path_from_git(raw)))
    spelled.encode("utf-8")
    assert path_to_git(spelled) == raw


@given(st.binary(), st.binary())
def test_two_paths_never_share_a_spelling(a: bytes, b: bytes) -> None:
    assert (path_from_git(a) == path_from_git(b)) == (a == b)


@pytest.mark.parametrize("text", ["src/a.py", "目录/文件.py", "a b/c\td", "it's", "back\\slash", "line\nbreak"])
def test_a12_utf8_paths_stay_as_they_are(text: str) -> None:
    assert path_from_git(text.encode()) == text


def test_a12_a_genuine_private_use_character_and_a_stray_byte_differ() -> None:
    assert path_from_git(b"\xff") != path_from_git("\uefff".encode())
