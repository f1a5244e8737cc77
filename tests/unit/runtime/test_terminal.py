"""What can't be seen is shown as an escape."""

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.runtime.terminal import printable, safe_streams


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("src/größe 名前.py", "src/größe 名前.py"),
        ("\x1b[2J\x07\x7f\x9b", r"\x1b[2J\x07\x7f\x9b"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\u202e\u2066\u200b\ufeff\u2028\xad\u3164", r"\u202e\u2066\u200b\ufeff\u2028\xad\u3164"),
        ("\uefe9\udcff", r"\xe9\udcff"),
        ("a\u3000b\xa0", "a\u3000b\xa0"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
    ],
)
def test_s18_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_s18_nothing_unseen_is_left_and_lines_and_tabs_where_they_are_kept(text: str) -> None:
    assert all(c.isprintable() or (c.isspace() and c >= "\xa0") for c in printable(text))
    assert printable(text, "\n\t").count("\n") == text.count("\n")
    assert printable(printable(text)) == printable(text)


def test_s18_standard_error_always_and_standard_output_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    piped, terminal = io.StringIO(), io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", piped)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with safe_streams():
        sys.stdout.write("\x1b\tx\n")
        sys.stderr.write("\x1b\tx\n")
    assert (piped.getvalue(), sys.stderr.getvalue()) == ("\x1b\tx\n", "\\x1b\tx\n")  # type: ignore[attr-defined]
    monkeypatch.setattr(sys, "stdout", terminal)
    with safe_streams():
        sys.stdout.write("\x1b\tx\n")
    assert terminal.getvalue() == "\\x1b\tx\n"
