"""Repositories, refs and paths as people type them on the command line, over MCP and over gRPC."""

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest

from headwater.cli.main import main
from headwater.domain.query_error import NotFoundError, QueryError
from headwater.domain.question import DefinitionsQuestion, FilesQuestion, GrepQuestion, Place, SearchQuestion
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.mcp_server.tools import Tools
from headwater.query.server import QueryServer, ServerSettings
from headwater.rpc.asking import RemoteAsker
from support.git_repo import RepoBuilder

Json = Callable[..., tuple[int, Any]]


@pytest.fixture
def json_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Json:
    """Runs a command in this process: its exit status and what it prints."""
    monkeypatch.setenv("HEADWATER_HOME", str(tmp_path / "home"))

    def run(*command: str) -> tuple[int, Any]:
        capsys.readouterr()
        status = main([*command, "--json"])
        return status, json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    origin = RepoBuilder(tmp_path / "origin" / "shop.git")
    origin.commit({"src/a.py": b"def needle():\n    return 1\n"})
    pygit2.clone_repository(str(origin.path), str(tmp_path / "shop"))
    return tmp_path / "shop"


def test_r5_a_fresh_clone_is_asked_by_every_name_of_it_and_of_its_branch(
    json_of: Json, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert json_of("index", str(clone))[0] == 0
    monkeypatch.chdir(clone / "src")
    for repo in (".", "..", "./", str(clone), f"{clone}/src/", "shop", "SHOP", "shop.git"):
        status, answer = json_of("grep", "needle", "--repo", repo)
        assert (status, answer["total"]) == (0, 1), repo
    commit = answer["as_of"][0]["commit"]
    for ref in ("HEAD", "main", "heads/main", "refs/heads/main", "origin/main", commit, commit[:8], "main^{}"):
        status, answer = json_of("grep", "needle", "--ref", ref)
        assert (status, answer["as_of"][0]["ref"]) == (0, "refs/heads/main"), ref
    assert json_of("search", "needle repo:. ref:HEAD")[0] == 0
    assert json_of("pause", ".") == (0, {"paused": "shop"})
    assert json_of("resume", str(clone)) == (0, {"resumed": "shop"})
    assert json_of("remove", ".") == (0, {"removed": "shop"})


def test_r5_a_view_of_a_remotes_branch_stays_while_its_repository_is_followed(json_of: Json, clone: Path) -> None:
    status, report = json_of("index", str(clone), "--ref", "origin/main", "--ref", "heads/main")
    assert status == 0
    assert [v["ref"] for v in report["views"]] == ["refs/remotes/origin/main", "refs/heads/main"]
    main(["watch", "--once", "--ref", "HEAD"])
    status, answer = json_of("grep", "needle", "--ref", "origin/main")
    assert (status, answer["as_of"][0]["ref"]) == (0, "refs/remotes/origin/main")


def test_r5_the_command_line_gives_its_advice_in_commands(json_of: Json, clone: Path) -> None:
    json_of("index", str(clone))
    for option, reason in (("--repo", "UNKNOWN_REPOSITORY"), ("--ref", "UNKNOWN_REF")):
        status, said = json_of("grep", "needle", option, "nowhere")
        assert (status, said["error"]["reason"]) == (1, reason)
        assert "'headwater status'" in said["error"]["message"]
        assert "List" not in said["error"]["message"]


ODD = {
    "caf\u00e9/menu.py": "composed",
    "cafe\u0301/menu.py": "decomposed",
    "ends with a blank ": "blank_at_end",
    " begins with one.py": "blank_at_start",
    "tab\there.py": "tab_inside",
    "line\nbreak.py": "line_break",
    'say "hi".py': "double_quotes",
    "it's.py": "single_quote",
    "back\\slash.py": "back_slash",
}


@pytest.fixture
def odd(tmp_path: Path) -> Any:
    git = RepoBuilder(tmp_path / "odd.git")
    git.commit({path: f"def {word}():\n    return 'needle'\n".encode() for path, word in ODD.items()})
    with Product(Home(tmp_path / "home")) as product:
        index(product, [Target(git.path)])
        opened = engine(product)
        yield opened
        opened.close()


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_r9_a_path_in_another_normal_form_finds_every_file_of_that_name(odd: Any, form: Any) -> None:
    both = {path for path in ODD if "menu" in path}
    typed = unicodedata.normalize(form, "café")

    def grepped(*globs: str) -> set[str]:
        return {r.path for r in odd.grep(GrepQuestion(pattern="needle", path_globs=globs)).results}

    for glob in (typed, f"{typed}/", f"{typed}/*.py", f"/{typed}/menu.py", "caf?/*", f"{{x,{typed}}}/menu.py"):
        assert grepped(glob) >= both, glob
    assert grepped(f"!{typed}/") == set(ODD) - both
    assert {f.path for f in odd.files(FilesQuestion(path=typed)).files} == both
    assert {f.path for f in odd.files(FilesQuestion(path=f"./{typed}/menu.py")).files} == both
    assert {r.path for r in odd.search(SearchQuestion(query=f"{typed}/menu.py")).results} >= both
    place = DefinitionsQuestion(place=Place(f"{typed}/menu.py", 1, 5))
    assert {r.path for r in odd.definitions(place).results} == both


@pytest.mark.parametrize("path", [path for path in ODD if "menu" not in path])
def test_r9_blanks_line_ends_and_quotes_are_part_of_a_name(odd: Any, path: str) -> None:
    glob = path.replace("\\", "\\\\")
    assert [f.path for f in odd.files(FilesQuestion(path=path)).files] == [path]
    assert [r.path for r in odd.grep(GrepQuestion(pattern="needle", path_globs=(glob,))).results] == [path]
    field = glob.replace('"', '\\"')
    assert [r.path for r in odd.search(SearchQuestion(query=f'needle path:"{field}"')).results] == [path]
    place = f"{path}:1:5"
    settings = ServerSettings(address="127.0.0.1:0", grace_s=1)
    with QueryServer(odd, settings) as server, RemoteAsker(f"127.0.0.1:{server.port}") as asker:
        tools = Tools(asker)
        assert [hit.at.rpartition(":")[0] for hit in tools.grep("needle", paths=(glob,)).results] == [path]
        if path.endswith(".py"):
            assert [hit.at.rpartition(":")[0] for hit in tools.definitions(place).results] == [path]


def test_r9_a_name_without_its_blank_is_another_name(odd: Any) -> None:
    for path in ("ends with a blank", "begins with one.py"):
        with pytest.raises(NotFoundError):
            odd.files(FilesQuestion(path=path))


def test_r5_callers_elsewhere_name_no_folder_of_this_machine(odd: Any, tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="no repository"):
        odd.grep(GrepQuestion(pattern="needle", repos=(str(tmp_path / "odd.git"),)))
