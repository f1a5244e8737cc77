"""`headwater rollout` on an embedded home: every step as a user takes it, with pushes in between."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from headwater.cli.main import main
from headwater.clients.embedding_model import EmbeddingModel
from headwater.clients.static_model import StaticModel
from headwater.domain import edition as steps
from headwater.domain.edition import Edition
from headwater.embedded.home import Home
from headwater.embedded.home_editions import HomeEditions
from headwater.embedded.indexing import Target, index
from headwater.embedded.models import WEIGHTS, StaticModels
from headwater.embedded.product import Product
from headwater.rollout.operations import Rollout
from support.git_repo import RepoBuilder
from support.program import FILES
from support.weights import shorter_model

QUESTIONS = [
    {"id": "1", "slice": "identifier", "corpus": "shop", "lang": "python", "query": "validate_token", "form": "exact",
     "gap": "some", "expected": [{"path": "shop/auth.py", "start_line": 4, "end_line": 9}]},
    {"id": "2", "slice": "nl", "corpus": "shop", "lang": "python", "query": "where is a signature checked",
     "gap": "some", "expected": [{"path": "shop/auth.py", "start_line": 4, "end_line": 9}]},
]  # fmt: skip


class Shop:
    """A home with one repository, used through the program."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.git = RepoBuilder(folder / "shop.git")
        self.git.commit(FILES)
        self.weights = shorter_model(folder / "weights")
        self.golden = folder / "golden.jsonl"
        self.golden.write_bytes(b"\n".join(map(msgspec.json.encode, QUESTIONS)))
        self.run("index", str(self.git.path))

    def run(self, *command: str, status: int = 0) -> Any:
        self._capsys.readouterr()
        assert main([*command, "--json"]) == status, self._capsys.readouterr()
        out = self._capsys.readouterr().out.splitlines()
        return json.loads(out[-1]) if out else None

    def phases(self) -> dict[int, str]:
        return {row["index"]: row["phase"] for row in self.run("rollout", "status")["indexes"]}

    def defined(self, symbol: str) -> bool:
        return main(["defs", symbol, "--json"]) == 0


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shop:
    monkeypatch.setenv("HEADWATER_HOME", str(tmp_path / "home"))
    return Shop(tmp_path, capsys)


def test_a_paused_repository_comes_no_further_in_the_new_index(shop: Shop) -> None:
    shop.run("pause", "shop")
    shop.git.commit({**FILES, "later.py": b"def pushed_while_paused():\n    return 1\n"})
    shop.run("rollout", "start", "--weights", str(shop.weights))
    shop.run("rollout", "cutover", "--force", "a test", status=3)
    shop.run("resume", "shop")
    shop.run("rollout", "start", "--weights", str(shop.weights))
    shop.run("rollout", "cutover", "--force", "a test")
    assert shop.defined("pushed_while_paused")


class CutsOver:
    """A `Progress` that cuts over once files are being indexed."""

    def __init__(self, product: Product) -> None:
        self._product = product

    def expect(self, files: int) -> None:
        if self._product.live.number == 1:
            self._product.registry.change(steps.cut_over("a test", 1.0))

    def advance(self, files: int) -> None:
        """Nothing to do."""


def test_a_push_that_is_being_indexed_while_it_is_cut_over_is_not_lost(shop: Shop, tmp_path: Path) -> None:
    shop.run("rollout", "start", "--weights", str(shop.weights))
    shop.git.commit({**FILES, "late.py": b"def in_flight():\n    return 1\n"})
    with Product(Home(tmp_path / "home")) as product:
        report = index(product, [Target(shop.git.path)], CutsOver(product))
        assert product.live.number == 2
        assert report.views[0].commit == product.catalog.views()[0].commit
    assert shop.defined("in_flight")


def test_a_rollout_there_back_and_there_again(shop: Shop) -> None:
    shop.run("rollout", "start", "--weights", str(shop.weights))
    live, shadow = shop.run("rollout", "status")["indexes"]
    assert (live["phase"], shadow["phase"], shadow["dimensions"]) == ("live", "building", 48)
    assert live["vectors"] == shadow["vectors"] > 0
    assert shadow["coverage"] == {
        "views": 1, "views_done": 1, "documents": 4, "documents_done": 4, "lag_seconds": 0.0, "behind": [],
    }  # fmt: skip
    assert "gate" in shop.run("rollout", "cutover", status=3)["error"]["message"]
    gated = shop.run("rollout", "gate", "--golden", str(shop.golden))["indexes"][1]
    assert gated["gate"]["passed"]
    assert set(gated["gate"]["figures"]) == {"nl", "identifier"}
    shop.git.commit({**FILES, "new.py": b"def pushed_meanwhile():\n    pass\n"})
    shop.run("watch", "--once")
    shop.run("rollout", "cutover")
    assert shop.phases() == {2: "live", 1: "retained"}
    assert shop.defined("pushed_meanwhile")
    shop.git.commit({**FILES, "new.py": b"def pushed_after():\n    pass\n"})
    shop.run("watch", "--once")
    assert shop.defined("pushed_after")
    shop.run("rollout", "rollback")
    assert shop.defined("pushed_after")
    assert "has not been run" in shop.run("rollout", "cutover", status=3)["error"]["message"]
    noted = shop.run("rollout", "cutover", "--force", "it was gated before")["indexes"][0]["notes"]
    assert noted[-1]["reason"] == "it was gated before"
    assert all(verdict["differing"] == 0 for verdict in shop.run("verify")["views"])
    shop.run("rollout", "release")
    assert shop.phases() == {2: "live"}
    assert not (shop.folder / "home" / "catalog.db").exists()
    shop.run("index", str(shop.git.path))
    assert shop.defined("pushed_after")


def test_every_step_beside_a_process_that_follows_pushes(shop: Shop) -> None:
    """`headwater watch` holds the writer's lease of whichever index it writes to."""

    def told(symbol: str) -> None:
        shop.git.commit({**FILES, "new.py": f"def {symbol}():\n    pass\n".encode()})
        deadline = time.monotonic() + 60
        while not shop.defined(symbol):
            assert time.monotonic() < deadline, symbol
            time.sleep(0.2)

    watch = [sys.executable, "-P", "-m", "headwater.cli.main", "watch", "--interval", "0.2"]
    with subprocess.Popen(watch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as following:
        told("before")
        shop.run("rollout", "start", "--weights", str(shop.weights))
        told("meanwhile")
        shop.run("rollout", "cutover", "--force", "a test")
        told("after")
        shop.run("rollout", "rollback")
        told("back")
        shop.run("rollout", "cutover", "--force", "a test")
        shop.run("rollout", "release")
        told("alone")
        assert following.poll() is None
        following.terminate()
    assert shop.phases() == {2: "live"}
    assert all(verdict["differing"] == 0 for verdict in shop.run("verify")["views"])


def test_a_shadow_that_answers_worse_fails_the_gate(shop: Shop) -> None:
    with Product(Home(shop.folder / "home")) as product:
        source = {WEIGHTS: str(shop.weights)}
        Rollout(product.registry, HomeEditions(product)).start(product.models.given(shop.weights).version, source)
    failed = shop.run("rollout", "gate", "--golden", str(shop.golden), status=1)["indexes"][1]
    assert not failed["gate"]["passed"]
    assert any(fall.startswith("nl ") for fall in failed["gate"]["falls"])
    assert "failed: nl" in shop.run("rollout", "cutover", status=3)["error"]["message"]


def test_a_cut_over_brings_the_shadow_up_to_date_first(shop: Shop) -> None:
    shop.run("rollout", "start", "--weights", str(shop.weights))
    shop.git.commit({"only.py": b"def the_only_one():\n    pass\n"})
    shop.git.commit(FILES, ref="refs/heads/topic")
    shop.run("index", str(shop.git.path), "--ref", "topic", "--ref", "main")
    shop.run("rollout", "cutover", "--force", "no questions")
    assert shop.defined("the_only_one")
    assert {view["ref"] for view in shop.run("status")["views"]} == {"refs/heads/main", "refs/heads/topic"}


def test_a_working_copys_private_view_comes_along(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = shop.folder / "clone"
    subprocess.run(["git", "clone", "-q", str(shop.git.path), str(clone)], check=True)
    (clone / "draft.py").write_text("def not_committed():\n    pass\n")
    shop.run("index", "--worktree", str(clone))
    shop.run("rollout", "start", "--weights", str(shop.weights))
    shop.run("rollout", "cutover", "--force", "no questions")
    assert not shop.defined("not_committed")
    monkeypatch.chdir(clone)
    assert shop.defined("not_committed")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--dimensions", "768"], "asked for"),
        (["--model", "another"], "asked for"),
        (["--chunker", "0"], "asked for"),
    ],
)
def test_a_start_is_refused_when_the_model_or_chunker_isnt_the_one_named(
    shop: Shop, options: list[str], line: str
) -> None:
    error = shop.run("rollout", "start", "--weights", str(shop.weights), *options, status=3)["error"]
    assert line in error["message"]
    assert shop.phases() == {1: "live"}


def test_nothing_is_rolled_out_to_what_is_live_already_or_no_model(shop: Shop) -> None:
    assert "is live already" in shop.run("rollout", "start", status=3)["error"]["message"]
    assert "no model" in shop.run("rollout", "start", "--weights", str(shop.folder), status=2)["error"]["message"]
    assert "nothing to go back to" in shop.run("rollout", "rollback", status=3)["error"]["message"]


class OlderProgram(StaticModels):
    """The program before an upgrade: the same model under an older name."""

    def __init__(self, weights: Path) -> None:
        self._weights = weights

    @property
    def own(self) -> StaticModel:  # type: ignore[override]
        return StaticModel(self._weights)

    def of(self, edition: Edition, home: Home) -> EmbeddingModel:
        return self.own


def test_e9_after_an_upgrade_the_old_index_answers_and_a_new_one_is_built_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home, git = Home(tmp_path / "home"), RepoBuilder(tmp_path / "shop.git")
    monkeypatch.setenv("HEADWATER_HOME", str(home.root))
    git.commit(FILES)
    with Product(home, models=OlderProgram(shorter_model(tmp_path / "old", name="older"))) as product:
        index(product, [Target(git.path)])
    assert main(["defs", "validate_token"]) == 0
    answer = capsys.readouterr()
    assert "shop/auth.py" in answer.out
    git.commit({"a.py": b"def pushed():\n    pass\n"})
    assert main(["index", str(git.path)]) == 3
    assert "'headwater rollout start' builds a new index beside it" in capsys.readouterr().err
    assert main(["search", "where is a signature checked"]) == 0
    assert "vector" in capsys.readouterr().err
    assert main(["watch", "--once"]) == 0  # as `serve --watch`, which goes on answering
    assert "'headwater rollout start' builds a new index beside it" in capsys.readouterr().err
    assert main(["rollout", "start"]) == 0
    assert main(["rollout", "cutover", "--force", "an upgrade"]) == 0
    assert main(["defs", "pushed"]) == 0
    git.commit({"b.py": b"def pushed_after():\n    pass\n"})
    assert main(["watch", "--once"]) == 0
    assert main(["defs", "pushed_after"]) == 0
    capsys.readouterr()
    assert main(["rollout", "rollback"]) == 3  # the former index takes no writes of this program, so it lacks a push
    assert "was made by another version of the program" in capsys.readouterr().err
    assert main(["defs", "pushed_after"]) == 0
