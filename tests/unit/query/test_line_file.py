"""A line is written whole, or the next one begins anew."""

import os
from pathlib import Path

import pytest

from headwater.query.line_file import LineFile


def test_s18_what_was_cut_off_does_not_spoil_the_next_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, write = LineFile(tmp_path / "log"), os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda descriptor, line: write(descriptor, line[:3]))
        with pytest.raises(OSError, match="No space left"):
            lines.append({"a": 1})
    lines.append({"b": 2})
    assert (tmp_path / "log").read_bytes().splitlines()[1:] == [b'{"b":2}']
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600
