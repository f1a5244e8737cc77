"""Golden files: both spellings of positions, unknown slices refused."""

from pathlib import Path

import pytest

from headwater.evaluation.golden import Token, read_golden

RETRIEVAL = (
    '{"id":"n","slice":"nl","corpus":"c","lang":"go","gap":"full","query":"q",'
    '"expected":[{"path":"a","start_line":1,"end_line":2}],"why":"w"}'
)
USAGES = (
    '{"id":"u","slice":"usages","corpus":"d","lang":"go","query":"q","symbol":"s","definition":{"path":"a","start_line":1,'
    '"start_col":2},"expected":[{"path":"a","line":3,"col":4,"kind":"call"}],"other_definitions":[{"path":"a",'
    '"start_line":5,"start_col":6}],"same_name_elsewhere":0}'
)


def test_reads_every_slice(tmp_path: Path) -> None:
    file = tmp_path / "golden.jsonl"
    file.write_text(f"{RETRIEVAL}\n{USAGES}\n", "utf-8")
    golden = read_golden([file])
    assert golden.corpora() == ("c", "d")
    assert golden.retrieval[0].gap == "full"
    assert golden.usages[0].other_definitions == (Token("a", 5, 6),)


def test_an_unknown_slice_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "golden.jsonl"
    file.write_text('{"slice":"other"}\n', "utf-8")
    with pytest.raises(ValueError, match=r"golden\.jsonl: unknown slice 'other'"):
        read_golden([file])
