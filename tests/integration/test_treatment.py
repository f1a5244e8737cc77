"""Ignore rules, limits and secrets: left out with a reason, exact after any change of rules, proven all the same."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.ast_chunker.analyser import InProcessAnalyser
from headwater.ast_chunker.stage import AstChunker
from headwater.domain.treatment import Treatment, treatment_from
from headwater.domain.view import ViewKey
from headwater.embedded.watching import look
from headwater.events import FileChanged, Lane
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.stores.index_reader import FileRow
from headwater.streaming.errors import RetryableError
from support.equality import REFS, check_equals_fresh
from support.git_repo import Files, RepoBuilder
from support.rig import MODEL, REPO, Rig, received

MAIN = "refs/heads/main"
FILES: Files = {
    "a.py": b"def alpha():\n    return 1\n",
    "gen/b.py": b"def beta():\n    return 2\n",
    "gen/deep/c.py": b"def gamma():\n    return 3\n",
    "lib/d.py": b"def delta():\n    return 4\n",
}


@pytest.fixture
def builder(tmp_path: Path) -> RepoBuilder:
    return RepoBuilder(tmp_path / "r.git")


@pytest.fixture
def rig(tmp_path: Path, builder: RepoBuilder) -> Iterator[Rig]:
    (tmp_path / "index").mkdir()
    made = Rig(tmp_path / "index", builder.path)
    yield made
    made.close()


def _files(rig: Rig) -> dict[str, FileRow]:
    with rig.catalog.pin([ViewKey(REPO, MAIN)]) as scope:
        return {row.path: row for row in rig.catalog.files(scope)}


def _left_out(rig: Rig) -> dict[str, str]:
    return {path: row.reason for path, row in _files(rig).items() if row.status == "skipped"}


def _asked(rig: Rig) -> list[str]:
    """The paths that the differ sends to the chunker; the pipeline then goes on from there."""
    differ = MerkleDiffer(rig.catalog, rig.git, treatment=rig.treatment)
    bulk = msgspec.structs.replace(received(MAIN), lane=Lane.BULK)
    sent = [o.event for o in differ.handle([bulk]) if isinstance(o.event, FileChanged)]
    rig.run([received(MAIN)])
    return [file.path for file in sent]


def _fresh(rig: Rig, builder: RepoBuilder, tmp_path: Path) -> None:
    folder = tmp_path / f"fresh-{len(list(tmp_path.iterdir()))}"
    folder.mkdir()
    check_equals_fresh(rig, builder.path, folder)


def test_ignored_files_are_listed_proven_and_not_searchable(rig: Rig, builder: RepoBuilder, tmp_path: Path) -> None:
    builder.commit(FILES | {".headwaterignore": b"gen/\n"})
    rig.run([received(MAIN)])
    assert _left_out(rig) == {"gen/b.py": "ignored", "gen/deep/c.py": "ignored"}
    with rig.catalog.pin([ViewKey(REPO, MAIN)]) as scope:
        assert [r.document.path for r in rig.catalog.symbols_named(scope, ["alpha", "beta", "gamma"], 10)] == ["a.py"]
        assert rig.catalog.lexical(scope, ["gamma"], 10) == []
    _fresh(rig, builder, tmp_path)


def test_a_changed_ignore_file_asks_again_for_exactly_what_it_decides(
    rig: Rig, builder: RepoBuilder, tmp_path: Path
) -> None:
    builder.commit(FILES)
    assert sorted(_asked(rig)) == sorted(FILES)
    builder.commit(FILES | {"gen/.headwaterignore": b"deep/\n"})
    assert _asked(rig) == ["gen/.headwaterignore", "gen/deep/c.py"]
    assert _left_out(rig) == {"gen/deep/c.py": "ignored"}
    builder.commit(FILES | {"gen/.headwaterignore": b"*.py\n"})
    assert _asked(rig) == ["gen/.headwaterignore", "gen/b.py"]
    _fresh(rig, builder, tmp_path)
    builder.commit(FILES)
    assert _asked(rig) == []  # its documents are still there
    assert _left_out(rig) == {}
    _fresh(rig, builder, tmp_path)


def test_a_file_that_comes_back_changed_is_embedded_whole(rig: Rig, builder: RepoBuilder, tmp_path: Path) -> None:
    builder.commit(FILES | {"gen/.headwaterignore": b"b.py\n"})
    rig.run([received(MAIN)])
    builder.commit(FILES | {"gen/b.py": b"def beta():\n    return 2\n\n\ndef more():\n    return beta()\n"})
    rig.run([received(MAIN)])
    assert _left_out(rig) == {}
    _fresh(rig, builder, tmp_path)


def test_branches_have_rules_of_their_own(rig: Rig, builder: RepoBuilder, tmp_path: Path) -> None:
    commit = builder.commit(FILES)
    builder.commit(FILES | {".headwaterignore": b"*.py\n"}, "refs/heads/topic", [commit])
    rig.run([received(ref) for ref in REFS])
    assert _left_out(rig) == {}
    with rig.catalog.pin([ViewKey(REPO, "refs/heads/topic")]) as scope:
        assert {r.status for r in rig.catalog.files(scope) if r.path.endswith(".py")} == {"skipped"}
    _fresh(rig, builder, tmp_path)


def test_other_settings_open_a_generation_of_the_same_commit(rig: Rig, builder: RepoBuilder, tmp_path: Path) -> None:
    builder.commit(FILES)
    rig.run([received(MAIN)])
    rig.treatment = Treatment(ignore=("gen/",))
    assert _asked(rig) == ["gen/b.py", "gen/deep/c.py"]
    assert set(_left_out(rig)) == {"gen/b.py", "gen/deep/c.py"}
    _fresh(rig, builder, tmp_path)
    rig.treatment = Treatment(max_bytes=10)
    assert sorted(_asked(rig)) == sorted(FILES)
    assert {r.partition(":")[0] for r in _left_out(rig).values()} == {"too-large"}
    rig.treatment = Treatment(skip_languages=("python",))
    rig.run([received(MAIN)])
    assert _left_out(rig)["a.py"] == "ignored: python files are left out by configuration"
    rig.treatment = Treatment()
    assert _asked(rig) == []
    assert _left_out(rig) == {}
    state = rig.catalog.view(ViewKey(REPO, MAIN))
    assert state is not None
    assert (state.published, state.tree_proven) == (5, True)
    _fresh(rig, builder, tmp_path)


def test_differ_and_chunker_must_be_configured_alike(rig: Rig) -> None:
    chunker = AstChunker(MODEL.version, rig.git, InProcessAnalyser(MODEL.version))
    changed = FileChanged(
        repo=REPO, ref=MAIN, generation=1, path="a", mode=0o100644, blob="0" * 40, pushed_at=0, variant="c-0"
    )
    with pytest.raises(RetryableError, match="HEADWATER_INDEXING"):
        list(chunker.handle([changed]))


def test_a_followed_repository_is_taken_in_again_under_other_settings(rig: Rig, builder: RepoBuilder) -> None:
    builder.commit(FILES)
    rig.run([received(MAIN)])
    assert list(look(rig, [], print)) == []  # type: ignore[arg-type]
    rig.treatment = Treatment(ignore=("gen/",))
    assert [e.ref for e in look(rig, [], print)] == [MAIN]  # type: ignore[arg-type]


def test_no_byte_of_a_secret_reaches_a_store(rig: Rig, builder: RepoBuilder, tmp_path: Path) -> None:
    canary = "q7Zk0pLw" + "X3nB9vT2mR5yH8cJ4dF6gS1aE" + "uOiPtYrKlM"
    key = f"-----BEGIN OPENSSH {'PRIVATE'} KEY-----\n{canary}{canary}\n-----END OPENSSH PRIVATE KEY-----\n"
    token = f"ghp_{canary[:36]}"
    builder.commit(FILES | {"id_rsa": key.encode(), "conf.py": f"alpha()\nTOKEN = '{token}'\n".encode()})
    rig.run([received(MAIN)])
    assert _left_out(rig) == {
        "conf.py": "secret: GitHub token on line 2",
        "id_rsa": "secret: private key on line 1",
    }
    _fresh(rig, builder, tmp_path)
    with rig.catalog.pin([ViewKey(REPO, MAIN)]) as scope:
        assert [r.document.path for r in rig.catalog.references_named(scope, ["alpha"])] == []
    for file in (tmp_path / "index").rglob("*"):
        if file.is_file():
            assert canary[:16].encode() not in file.read_bytes(), file


RULES = st.sampled_from([None, b"*.py\n", b"a/\n", b"/x.py\n", b"*\n!*.py\n", b"a/**\n!a/x.py\n", b"!x.py\n", b"#\n"])
TREES = st.fixed_dictionaries(
    {
        p: st.sampled_from([None, b"def f():\n    return 1\n", b"def g():\n    return f()\n"])
        for p in ("x.py", "a/x.py", "a/y.txt", "a/b/x.py", "b/x.py")
    }
    | {f"{p}.headwaterignore": RULES for p in ("", "a/", "a/b/")}
)
TREATMENTS = st.sampled_from([Treatment(), Treatment(ignore=("*.txt", "b/")), Treatment(max_bytes=25)])


@given(st.lists(st.tuples(TREES, TREATMENTS, st.sampled_from(REFS)), min_size=1, max_size=5), st.integers(0, 2**32))
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_invariant_1_any_history_of_rules_in_chaos_equals_a_fresh_index(
    history: list[tuple[dict[str, bytes | None], Treatment, str]], seed: int
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, dice = Path(name), random.Random(seed)
        builder = RepoBuilder(folder / "r.git")
        for part in ("index", "fresh"):
            (folder / part).mkdir()
        rig = Rig(folder / "index", builder.path)
        try:
            for tree, treatment, ref in history:
                builder.commit({p: c for p, c in tree.items() if c is not None}, ref)
                rig.treatment = treatment
                rig.run_in_chaos([received(ref)], dice)
            rig.run_in_chaos([received(ref) for ref in REFS], dice)
            check_equals_fresh(rig, builder.path, folder / "fresh")
        finally:
            rig.close()


SIZES: Files = {f"f{n}.py": b"def f%d():\n    return '%s'\n" % (n, b"x" * 100 * n) for n in range(8)}


def _with_limits(rig: Rig, **rules: object) -> None:
    """Other rules for this repository, and stricter ones for another."""
    entries = [{"repositories": ["other/*"], "max_bytes": 1}, {"repositories": ["*"], **rules}]
    limits = msgspec.json.encode(entries).decode() if rules else ""
    rig.treatment = treatment_from({"HEADWATER_INDEXING_LIMITS": limits})


def test_a_changed_size_limit_treats_those_files_alone_again(rig: Rig, builder: RepoBuilder, tmp_path: Path) -> None:
    builder.commit(SIZES)
    rig.run([received(MAIN)])
    for limit, again in (
        (650, ["f6.py", "f7.py"]),
        (400, ["f4.py", "f5.py", "f6.py", "f7.py"]),
        (550, ["f4.py", "f5.py", "f6.py", "f7.py"]),
        (None, []),
    ):
        _with_limits(rig, **({"max_bytes": limit} if limit else {}))
        asked = _asked(rig)
        assert set(asked) <= set(again), limit
        left_out = _left_out(rig)
        assert sorted(left_out) == [p for p, c in SIZES.items() if limit and len(c) > limit]
        assert all(f"the limit is {limit}" in why for why in left_out.values())
        _fresh(rig, builder, tmp_path)


def test_files_beyond_a_repositorys_limits_are_left_out_in_path_order(
    rig: Rig, builder: RepoBuilder, tmp_path: Path
) -> None:
    builder.commit(SIZES)
    rig.run([received(MAIN)])
    _with_limits(rig, max_files=5)
    assert _asked(rig) == ["f5.py", "f6.py", "f7.py"]
    assert _left_out(rig) == dict.fromkeys(("f5.py", "f6.py", "f7.py"), "over-limit: the repository's limit is 5 files")
    builder.commit({"a.py": b"A = 1\n", **SIZES})
    assert _asked(rig) == ["a.py", "f4.py"]
    _fresh(rig, builder, tmp_path)
    builder.commit({p: c for p, c in SIZES.items() if p not in ("f0.py", "f1.py")})
    assert _asked(rig) == []
    assert sorted(_left_out(rig)) == ["f7.py"]
    _fresh(rig, builder, tmp_path)
    _with_limits(rig, max_files=5, max_total_bytes=1000)
    rig.run([received(MAIN)])
    assert sorted(_left_out(rig)) == ["f5.py", "f6.py", "f7.py"]
    assert set(_left_out(rig).values()) == {"over-limit: the repository's limit is 5 files and 1000 bytes"}
    _fresh(rig, builder, tmp_path)


def test_paths_and_languages_are_chosen_by_repository(rig: Rig, builder: RepoBuilder, tmp_path: Path) -> None:
    builder.commit(FILES | {"x.sh": b"echo x\n", "gen/y.sh": b"echo y\n"})
    _with_limits(rig, only=["gen/", "*.sh"], languages=["python"], ignore=["deep/"])
    rig.run([received(MAIN)])
    assert {p for p, row in _files(rig).items() if row.status == "indexed"} == {"gen/b.py"}
    assert _left_out(rig)["x.sh"] == "ignored: bash files are left out by configuration"
    assert _left_out(rig)["a.py"] == "ignored"
    _fresh(rig, builder, tmp_path)


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.sampled_from(sorted(SIZES)), st.sampled_from([None, *SIZES.values()]), max_size=3),
            st.fixed_dictionaries(
                {},
                optional={
                    "max_files": st.integers(0, 6),
                    "max_total_bytes": st.integers(0, 2500),
                    "max_bytes": st.integers(1, 900),
                    "max_parsed_bytes": st.integers(1, 900),
                    "only": st.sampled_from([["f[0-4].py"], ["*.py", "!f3.py"]]),
                },
            ),
        ),
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
def test_any_limits_after_any_changes_equal_a_fresh_index(
    steps: list[tuple[dict[str, bytes | None], dict[str, object]]], seed: int
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, dice, tree = Path(name), random.Random(seed), dict(SIZES)
        for part in ("index", "fresh"):
            (folder / part).mkdir()
        builder = RepoBuilder(folder / "r.git")
        rig = Rig(folder / "index", builder.path)
        for changed, rules in steps:
            tree = {p: c for p, c in {**tree, **changed}.items() if c is not None}  # type: ignore[dict-item]
            builder.commit(tree)
            builder.commit({**tree, "z.py": b"Z = 1\n"}, REFS[1])
            _with_limits(rig, **rules)
            rig.run_in_chaos([received(ref) for ref in REFS], dice)
        check_equals_fresh(rig, builder.path, folder / "fresh")
        rig.close()
