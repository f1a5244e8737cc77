"""Each surface takes a few hostile inputs, and every one that broke it before."""

import pytest

from fuzz.target import CORPUS, Target, decode, encode
from fuzz.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_hostile_inputs_break_no_promise(target: Target) -> None:
    target.run(target.brief, shrink=False)  # `make fuzz` makes what it finds small


@pytest.mark.parametrize(
    ("target", "value"),
    [
        pytest.param(target, value, id=f"{target.name}-{n}")
        for target in TARGETS
        for n, value in enumerate(target.kept())
    ],
)
def test_what_broke_a_promise_once_breaks_none_now(target: Target, value: object) -> None:
    target.check(value)


def test_the_corpus_belongs_to_targets_that_exist() -> None:
    assert {folder.name for folder in CORPUS.iterdir() if folder.is_dir()} <= {target.name for target in TARGETS}


@pytest.mark.parametrize("value", [b"\xff\0", ("a", [b"", None]), {"k": "\ud800", "n": 2**70}, [True, 1.5]])
def test_inputs_are_kept_as_they_are(value: object) -> None:
    assert decode(encode(value)) == value
