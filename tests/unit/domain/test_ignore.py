"""Ignore rules decide as git does; the differential with `git check-ignore` is in tests/integration."""

import pytest

from headwater.domain.ignore import IgnoreRules


def _rules(files: dict[str, str], everywhere: tuple[str, ...] = ()) -> IgnoreRules:
    return IgnoreRules(everywhere, lambda folder: files[folder].encode() if folder in files else None)


@pytest.mark.parametrize(
    ("pattern", "ignored", "kept"),
    [
        ("*.log", ["a.log", "x/y.log"], ["a.logs", "log"]),
        ("/a.txt", ["a.txt"], ["x/a.txt"]),
        ("build/", ["build/x", "a/build/x/y"], ["build"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]),
        ("a/*", ["a/b", "a/b/c"], ["b/a"]),
        ("x\\ ", ["x "], ["x"]),
        ("x  ", ["x"], ["x  "]),
        ("[!a-c].py", ["d.py"], ["a.py"]),
        ("[[:digit:]]", ["7"], ["x"]),
        ("[a", [], ["[a", "a"]),
        ("\\#x", ["#x"], ["x"]),
        ("#x", [], ["#x"]),
        ("é?", ["éa"], ["é", "éß"]),
    ],
)
def test_a_pattern(pattern: str, ignored: list[str], kept: list[str]) -> None:
    rules = _rules({"": pattern})
    assert [p for p in ignored + kept if rules.ignores(p)] == ignored


def test_the_last_match_wins_and_deeper_files_win() -> None:
    rules = _rules({"": "*.py\n!keep.py\n", "a": "!x.py\n"})
    assert [rules.ignores(p) for p in ("x.py", "keep.py", "a/x.py", "a/y.py")] == [True, False, False, True]


def test_nothing_comes_back_from_an_ignored_folder() -> None:
    rules = _rules({"": "vendor\n!vendor/keep.py\n", "vendor": "!*\n"})
    assert rules.ignores("vendor/keep.py")


def test_patterns_for_all_repositories_come_last() -> None:
    rules = _rules({"": "!a.min.js\n"}, ("*.min.js",))
    assert [rules.ignores(p) for p in ("a.min.js", "b.min.js")] == [False, True]


@pytest.mark.parametrize(
    ("pattern", "ignored", "kept"),
    [
        ("*a" * 40 + "b", "a" * 250 + "b", "a" * 250),
        ("**/a/" * 40 + "b", "a/" * 500 + "b", "a/" * 500 + "c"),
        ("x/*a*a/**/" + "*a" * 40, "x/aa/" + "a" * 250, "x/aa/" + "a" * 250 + "b"),
    ],
)
def test_a_pattern_written_to_be_tried_in_every_way_is_decided_at_once(pattern: str, ignored: str, kept: str) -> None:
    rules = _rules({"": pattern})
    assert [rules.ignores(path) for path in (ignored, kept)] == [True, False]
