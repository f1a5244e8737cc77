"""A paused repository is followed no more and stays searchable; a removed one is gone."""

import json
from pathlib import Path

import pytest

from headwater.cli.main import main
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.watching import look
from support.git_repo import RepoBuilder


def _moved(home: Path) -> list[str]:
    with Product(Home(home)) as product:
        return [event.ref for event in look(product, [], print)]


def _names(capsys: pytest.CaptureFixture[str]) -> set[str]:
    capsys.readouterr()
    main(["defs", "one", "--json"])
    return {r["symbol"] for r in json.loads(capsys.readouterr().out)["results"]}


def test_pause_resume_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HEADWATER_HOME", str(home))
    builder = RepoBuilder(tmp_path / "shop.git")
    builder.commit({"a.py": b"def one():\n    return 1\n"})
    assert main(["index", str(builder.path)]) == 0
    assert main(["pause", "shop"]) == 0
    builder.commit({"a.py": b"def two():\n    return 2\n"})
    assert _moved(home) == []
    assert main(["index", str(builder.path)]) != 0
    assert "headwater resume shop" in capsys.readouterr().err
    assert _names(capsys) == {"one"}
    assert main(["resume", "shop"]) == 0
    assert _moved(home) == ["refs/heads/main"]
    assert main(["pause", "nothing"]) == 1
    assert main(["remove", "shop"]) == 0
    assert main(["status", "--json"]) == 0
