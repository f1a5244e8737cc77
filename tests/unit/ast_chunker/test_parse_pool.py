"""The pool gives what the process gives, and a worker that hangs or dies costs one file its syntax."""

import sys
from pathlib import Path

import pytest

from headwater.ast_chunker.analyser import FileTask, InProcessAnalyser
from headwater.ast_chunker.parse_pool import ParsePool, WorkerStalledError, WorkerStartError
from headwater.domain.document import Status
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion
from headwater.metrics import METRICS

VERSION = PipelineVersion("test", 8)

HANGING = """
import os, sys, time
from headwater.ast_chunker import parse_worker
from headwater.runtime.channel import Channel

real = parse_worker.analyse_file

def analyse_file(path, *rest):
    if path == "hang.js":
        while True:
            pass
    if path == "crash.kt":
        os._exit(139)
    return real(path, *rest)

parse_worker.analyse_file = analyse_file
parse_worker.serve(Channel.inherited(int(sys.argv[1])))
"""


def task(path: str, content: bytes = b"function f() { return 1; }\n") -> FileTask:
    return FileTask(path, Mode.FILE, hash_blob(content), content)


def test_pool_gives_the_same_documents_in_order() -> None:
    tasks = [task(f"f{i}.js", f"function f{i}() {{}}\n".encode()) for i in range(40)]
    with ParsePool(VERSION, workers=2) as pool:
        assert pool.analyse(tasks) == InProcessAnalyser(VERSION).analyse(tasks)
        assert pool.analyse([]) == []
    parsed = METRICS.registry.get_sample_value("headwater_ast_chunker_parse_seconds_count", {"language": "javascript"})
    assert parsed is not None
    assert parsed >= 40


def test_a7_a_parser_that_hangs_is_killed_and_the_file_falls_back_to_lines(tmp_path: Path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(HANGING)
    with ParsePool(VERSION, workers=1, seconds=1, command=(sys.executable, str(script))) as pool:
        hung, after, crashed, last = pool.analyse([task("hang.js"), task("ok.js"), task("crash.kt"), task("z.js")])
    for result, why in ((hung, "stopped after 1 s of processor time"), (crashed, "crashed")):
        assert result.document.status is Status.INDEXED
        assert not result.document.facts.parsed
        assert result.document.chunks[0].kind == "lines"
        assert why in result.document.warnings[0]
    assert after.document.facts.parsed
    assert last.document.facts.parsed


def test_a7_unfinished_catch_block_is_parsed_with_errors_counted() -> None:
    content = b"function f() {\n  try { g(); } catch (e\n}\nfunction h() {}\n"
    (result,) = InProcessAnalyser(VERSION).analyse([task("cut.js", content)])
    assert result.document.facts.parse_errors > 0
    assert result.document.chunks


def test_a_worker_that_does_not_start_is_an_error_that_says_so() -> None:
    with (
        ParsePool(VERSION, workers=1, command=(sys.executable, "-c", "raise SystemExit(3)")) as pool,
        pytest.raises(WorkerStartError, match="did not start"),
    ):
        pool.analyse([task("a.js")])


def test_s12_a_worker_that_sleeps_says_nothing_of_the_file(tmp_path: Path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(HANGING.replace("while True:\n            pass", "time.sleep(600)"))
    with (
        ParsePool(VERSION, workers=1, stalled=0.2, command=(sys.executable, str(script))) as pool,
        pytest.raises(WorkerStalledError),
    ):
        pool.analyse([task("hang.js")])


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.vue", b"<template>" + b"<div>" * 10_000 + b"</template>"),
        ("a.js", b"x = a" + b".b().c()" * 20_000),
        ("a.py", b"x = " + b"f(" * 30_000 + b"1" + b")" * 30_000),
    ],
)
def test_s12_syntax_that_costs_more_than_the_limit_is_chunked_by_lines(path: str, content: bytes) -> None:
    (result,) = InProcessAnalyser(VERSION).analyse([task(path, content)])
    assert result.document.warnings == ("syntax of more than 100000000 steps: chunked by lines",)
    assert not result.document.facts.parsed
