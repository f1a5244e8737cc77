"""A file that was chunked by lines says why in one word."""

import pytest

from headwater.ast_chunker.fallback import fallback_of
from headwater.ast_chunker.parse_pool import CRASHED, TIMED_OUT
from headwater.ast_chunker.process import GAVE_UP, analyse_file, analyse_file_by_lines
from headwater.domain.treatment import ContentRules
from headwater.domain.version import PipelineVersion

VERSION, RULES, BLOB = PipelineVersion("m", 8), ContentRules(), "0" * 40


@pytest.mark.parametrize(
    ("warning", "reason"), [(TIMED_OUT.format(10.0), "timeout"), (CRASHED, "crash"), (GAVE_UP, "given_up")]
)
def test_the_pool_gave_the_parser_up(warning: str, reason: str) -> None:
    document, _text = analyse_file_by_lines("a.py", 0o100644, BLOB, b"x = 1\n", VERSION, RULES, warning)
    assert fallback_of(document) == reason


@pytest.mark.parametrize(
    ("path", "content", "rules", "reason"),
    [
        ("a.py", b"x = 1\n", RULES, ""),
        ("notes.txt", b"words\n", RULES, ""),
        ("a.py", b"x = 1\n" * 100, ContentRules(max_parsed_bytes=64), "size"),
        ("a.ipynb", b"{}", RULES, "notebook"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", RULES, ""),
    ],
)
def test_the_file_itself_is_the_reason(path: str, content: bytes, rules: ContentRules, reason: str) -> None:
    document, _text = analyse_file(path, 0o100644, BLOB, content, VERSION, rules)
    assert fallback_of(document) == reason
