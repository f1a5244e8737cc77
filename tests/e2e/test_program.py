"""The program as a user runs it: a process, its JSON, its messages and its exit statuses."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from support.program import FILES, PROGRAM, SHOP, Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def indexed(program: Program) -> Program:
    program.git.commit(FILES)
    assert program.run("index", str(program.git.path)).returncode == 0
    return program


def test_index_reports_every_view_and_later_runs_do_only_what_changed(program: Program) -> None:
    commit = program.git.commit(FILES)
    first = program.json("index", str(program.git.path))["views"][0]
    assert (first["repo"], first["ref"], first["commit"]) == ("shop", "refs/heads/main", commit)
    assert first["tree_proven"] is True
    assert first["files"] == {"indexed": 3, "skipped": 1, "parked": 0}
    assert first["chunks"]["embedded"] == first["chunks"]["total"] > 2
    program.git.commit({**FILES, "shop/auth.py": SHOP.replace(b"bool(token)", b"token is not None")})
    second = program.json("index", str(program.git.path))["views"][0]
    assert second["chunks"]["embedded"] == second["chunks"]["removed"] == 1
    assert second["chunks"]["reused"] == first["chunks"]["total"] - 1
    assert second["nodes_visited"] <= 4
    again = program.json("index", str(program.git.path))["views"][0]
    assert (again["nodes_visited"], again["chunks"]["embedded"]) == (0, 0)


def test_answers_carry_commit_place_and_retrievers(indexed: Program) -> None:
    answer = indexed.json("search", "where do we check JSON web tokens")
    top = answer["results"][0]
    assert (top["path"], top["symbol"], top["start_line"]) == ("shop/auth.py", "validate_token", 4)
    assert {"lexical", "vector"} <= set(top["retrievers"])
    assert answer["as_of"] == [{"repo": "shop", "ref": "refs/heads/main", "commit": top["commit"]}]
    assert (answer["complete"], answer["degraded"]) == (True, [])


def test_usages_are_complete_through_an_alias(indexed: Program) -> None:
    found = {(r["path"], r["start_line"]) for r in indexed.json("usages", "validate_token")["results"]}
    assert found == {("shop/auth.py", 13), ("shop/views.py", 1), ("shop/views.py", 5)}


def test_definitions_grep_files_and_status(indexed: Program) -> None:
    assert indexed.json("defs", "login")["results"][0]["start_line"] == 12
    assert indexed.json("grep", "PermissionError(")["results"][0]["start_col"] == 15
    assert indexed.json("grep", "--regex", r"def v\w+\(")["results"][0]["path"] == "shop/auth.py"
    files = {f["path"]: f for f in indexed.json("files", "--why")["files"]}
    assert (files["logo.png"]["status"], files["logo.png"]["reason"]) == ("skipped", "binary")
    assert files["logo.png"]["explanation"]
    view = indexed.json("status")["views"][0]
    assert (view["head"], view["divergent_files"], view["divergent_paths"]) == (view["commit"], 0, [])
    assert (view["head"], view["behind"], view["tree_proven"]) == (view["commit"], 0, True)
    assert indexed.json("verify") == {**indexed.json("verify"), "ok": True}


def test_tags_and_commits_are_views(program: Program) -> None:
    first = program.git.commit(FILES)
    program.git.point("refs/tags/v1", first)
    program.git.commit({"other.py": b"def other(): pass\n"})
    views = program.json("index", str(program.git.path), "--ref", "v1", "--ref", "main", "--ref", first[:12])["views"]
    assert [v["ref"] for v in views] == ["refs/tags/v1", "refs/heads/main", first]
    assert program.json("defs", "login", "--ref", "v1")["results"][0]["commit"] == first
    assert program.run("defs", "login", "--ref", "main").returncode == 1


def test_a_deleted_ref_is_gone_after_one_run(indexed: Program) -> None:
    indexed.git.commit(FILES, "refs/heads/topic")
    indexed.json("index", str(indexed.git.path), "--ref", "topic")
    indexed.git.delete("refs/heads/topic")
    assert indexed.json("index", str(indexed.git.path))["deleted"] == [["shop", "refs/heads/topic"]]
    assert [v["ref"] for v in indexed.json("status")["views"]] == ["refs/heads/main"]


@pytest.mark.parametrize(
    ("command", "status", "says"),
    [
        (("search", ""), 2, "empty"),
        (("search", "   "), 2, "empty"),
        (("grep", "--regex", "(unclosed"), 2, "regular expression"),
        (("defs", "no_such_name"), 1, "no definition of 'no_such_name'"),
        (("search", "x", "--ref", "nowhere"), 1, "nowhere"),
        (("search", "x", "--repo", "nothing"), 1, "nothing"),
        (("index", "/nonexistent"), 2, "does not exist"),
        (("remove", "nothing"), 1, "known: shop"),
    ],
)
def test_bad_input_says_what_to_do(indexed: Program, command: tuple[str, ...], status: int, says: str) -> None:
    done = indexed.run(*command)
    assert (done.returncode, done.stdout) == (status, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(indexed.run(*command, "--json").stdout)["error"]["message"]


def test_d8_a_200_kb_query_is_cut_and_says_so(indexed: Program) -> None:
    answer = indexed.json("search", "validate token " + "x" * 100_000)
    assert answer["query_truncated"] is True


def test_watch_takes_in_what_moved_and_collect_returns_to_the_baseline(indexed: Program) -> None:
    assert indexed.run("watch", "--once").stdout == ""
    indexed.git.commit({"only.py": SHOP})
    indexed.git.commit({"topic.py": SHOP}, "refs/heads/topic")
    moves = [
        json.loads(line) for line in indexed.run("watch", "--once", "--json", "--ref", "topic").stdout.splitlines()
    ]
    assert [m["ref"] for m in moves] == ["refs/heads/main", "refs/heads/topic"]
    indexed.git.delete("refs/heads/topic")
    gone = json.loads(indexed.run("watch", "--once", "--json").stdout)
    assert (gone["ref"], gone["commit"]) == ("refs/heads/topic", "")
    assert indexed.json("collect")["removed"] > 0
    assert indexed.json("collect") == {"removed": 0}
    assert indexed.json("verify")["ok"] is True


def test_nothing_indexed_yet(program: Program) -> None:
    assert "headwater index PATH" in program.run("search", "x").stderr


def test_an_empty_repository_is_reported_as_empty(program: Program) -> None:
    empty = {"views": [], "deleted": [], "empty": ["shop"], "problems": []}
    assert program.json("index", str(program.git.path)) == empty


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_killed_at_any_moment_the_next_run_goes_on(program: Program, stop: signal.Signals) -> None:
    program.git.commit(
        {f"p{i}/m{j}.py": SHOP.replace(b"shop", b"%d" % (i * 50 + j)) for i in range(8) for j in range(50)}
    )
    for wait in (0.4, 0.8, 1.2, 1.6):
        process = subprocess.Popen([PROGRAM, "index", str(program.git.path)], env=program.env, stderr=subprocess.PIPE)
        time.sleep(wait)
        process.send_signal(stop)
        _, errors = process.communicate(timeout=60)
        assert b"Traceback" not in errors
    view = program.json("index", str(program.git.path))["views"][0]
    assert view["files"]["indexed"] == 400
    assert program.json("verify")["ok"] is True


def test_two_writers_never_mix(indexed: Program) -> None:
    indexed.git.commit({f"m{i}.py": SHOP for i in range(300)})
    commands = [[PROGRAM, "index", str(indexed.git.path)] for _ in range(2)]
    processes = [subprocess.Popen(c, env=indexed.env, stderr=subprocess.PIPE) for c in commands]
    errors = [p.communicate(timeout=120)[1] for p in processes]
    assert {p.returncode for p in processes} <= {0, 75}
    assert all(b"Traceback" not in e for e in errors)
    assert indexed.json("verify")["ok"] is True
