"""Trees that no git program writes: each view is published and proven, or keeps its last good state and says why."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headwater.domain.treatment import Treatment
from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.embedded.report import IndexReport
from headwater.embedded.verification import verify
from headwater.embedded.watching import look
from headwater.limits import Limits
from support.raw_repository import RawRepository

MAIN = ViewKey("repo", "refs/heads/main")
GOOD = b"def good():\n    return 1\n"


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    with Product(Home(tmp_path / "home"), Treatment()) as opened:
        yield opened


@pytest.fixture
def repository(tmp_path: Path) -> RawRepository:
    return RawRepository(tmp_path / "repo.git")


def _push(product: Product, repository: RawRepository, tree: str) -> IndexReport:
    repository.point("refs/heads/main", repository.commit(tree) + "\n")
    return index(product, [Target(repository.folder, (), "repo")])


def _states(product: Product) -> dict[str, str]:
    """Path to why it isn't indexed, "" when it is."""
    state = product.catalog.view(MAIN)
    assert state is not None
    with product.catalog.pin([MAIN]) as scope:
        return {row.path: row.reason for row in product.catalog.files(scope)}


ODD = {
    "zero before": [(b"0100644", b"a.py")],
    "group may write": [(b"100664", b"a.py"), (b"100640", b"b.py")],
    "unsorted": [(b"100644", b"b.py"), (b"100644", b"a.py")],
    "twice": [(b"100644", b"a.py"), (b"100644", b"a.py")],
    "slash": [(b"100644", b"a.py"), (b"100644", b"../../etc/x.py")],
    "dots": [(b"100644", b".."), (b"100644", b"a.py")],
    "nameless": [(b"100644", b""), (b"100644", b"a.py")],
    "git": [(b"100644", b".git"), (b"100644", b"a.py")],
    "unknown kind": [(b"0", b"x"), (b"100644", b"a.py")],
}


@pytest.mark.parametrize("rows", ODD.values(), ids=ODD)
def test_s13_a_tree_of_unusual_form_is_published_and_proven(
    product: Product, repository: RawRepository, rows: list[tuple[bytes, bytes]]
) -> None:
    blob = repository.put(b"blob", GOOD)
    inner = repository.tree([(mode, name, blob) for mode, name in rows])
    usual = repository.tree([(b"100644", b"main.py", blob), (b"40000", b"sub", inner)])
    odd = repository.tree([(mode, name, blob) for mode, name in rows])
    nested = repository.tree([(b"040000", b"sub", inner), (b"100644", b"main.py", blob)])
    for tree in (usual, odd, nested, usual):  # into and out of the form, at the root and below
        _push(product, repository, tree)
        assert [v.holds for v in verify(product)] == [True], tree


def test_s13_what_can_not_be_a_file_is_listed_with_its_reason(product: Product, repository: RawRepository) -> None:
    blob = repository.put(b"blob", GOOD)
    rows = [(b"100644", name, blob) for name in (b"a.py", b"a.py", b"b/c.py", b"..")]
    _push(product, repository, repository.tree(rows))
    states = _states(product)
    assert len(states) == 4, "an entry disappeared"
    assert states.pop("a.py") == ""
    assert all(why.startswith("bad-name: ") for why in states.values())


def test_s13_an_empty_folder_is_part_of_the_proof(product: Product, repository: RawRepository) -> None:
    blob, empty = repository.put(b"blob", GOOD), repository.tree([])
    hollow = repository.tree([(b"40000", b"nothing", empty)])
    _push(product, repository, repository.tree([(b"40000", b"hollow", hollow), (b"100644", b"m.py", blob)]))
    assert [v.holds for v in verify(product)] == [True]


def _deep(repository: RawRepository, levels: int) -> str:
    tree = repository.tree([(b"100644", b"a.py", repository.put(b"blob", GOOD))])
    for _ in range(levels):
        tree = repository.tree([(b"40000", b"d", tree)])
    return tree


def _bomb(repository: RawRepository, levels: int = 8) -> str:
    """10 to the power of `levels` paths made of as many tree objects."""
    tree = repository.tree([(b"100644", b"f%d" % n, repository.put(b"blob", GOOD)) for n in range(10)])
    for _ in range(levels - 1):
        tree = repository.tree([(b"40000", b"d%d" % n, tree) for n in range(10)])
    return tree


def _long(repository: RawRepository) -> str:
    return repository.tree([(b"100644", b"n" * 5_000, repository.put(b"blob", GOOD))])


@pytest.mark.parametrize(
    ("make", "limit"),
    [(lambda r: _deep(r, 2_000), "view_depth"), (_bomb, "view_entries"), (_long, "path_bytes")],
    ids=["deep", "bomb", "long path"],
)
def test_s5_a_tree_over_a_limit_is_refused_between_two_good_pushes(
    product: Product,
    repository: RawRepository,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[RawRepository], str],
    limit: str,
) -> None:
    monkeypatch.setattr("headwater.limits.limits", lambda: Limits(view_entries=5_000))
    good = repository.tree([(b"100644", b"good.py", repository.put(b"blob", GOOD))])
    _push(product, repository, good)
    before = product.catalog.view(MAIN)
    report = _push(product, repository, make(repository))
    assert [limit.upper() in problem for problem in report.problems] == [True]
    assert product.catalog.view(MAIN) == before, "the last good commit was lost"
    assert list(look(product, (), pytest.fail)) == [], "what was refused is asked for again and again"
    better = repository.tree([(b"100644", b"better.py", repository.put(b"blob", GOOD))])
    assert _push(product, repository, better).problems == ()
    assert product.catalog.refusals() == {}
    assert _states(product) == {"better.py": ""}


def test_s5_a_tree_of_985_folders_is_taken_in_where_the_limit_allows(
    product: Product, repository: RawRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.limits.limits", lambda: Limits(view_depth=1_000))
    _push(product, repository, _deep(repository, 985))
    assert [v.holds for v in verify(product)] == [True]
    _push(product, repository, _deep(repository, 3))
    assert [v.holds for v in verify(product)] == [True]


def test_s5_a_view_that_grows_over_the_limit_push_by_push_is_refused_as_a_fresh_index_would(
    product: Product, repository: RawRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.limits.limits", lambda: Limits(view_entries=5))
    blob = repository.put(b"blob", GOOD)
    problems = [
        _push(product, repository, repository.tree([(b"100644", b"%d.py" % n, blob) for n in range(count)])).problems
        for count in range(3, 8)
    ]
    assert [bool(p) for p in problems] == [False, False, False, True, True]


DAMAGES = ["gone", "empty", "cut", "zeroed", "flipped", "other"]


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("what", ["blob", "tree", "commit"])
def test_r1_damage_ends_with_a_reason_and_is_mended(
    product: Product, repository: RawRepository, what: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.embedded.open_edition.time.sleep", lambda _seconds: None)
    good = repository.put(b"blob", GOOD)
    _push(product, repository, repository.tree([(b"100644", b"a.py", good), (b"100644", b"b.py", good)]))
    blob = repository.put(b"blob", b"def second():\n    return 2\n")
    tree = repository.tree([(b"100644", b"a.py", blob), (b"100644", b"b.py", good)])
    commit = repository.commit(tree)
    repository.point("refs/heads/main", commit + "\n")
    oid = {"blob": blob, "tree": tree, "commit": commit}[what]
    whole = repository.file(oid).read_bytes()
    repository.damage(oid, how)
    for _ in range(2):
        assert len(index(product, [Target(repository.folder, (), "repo")]).problems) >= 1
        assert _states(product)["b.py"] == ""
    repository.mend(oid, whole)
    assert index(product, [Target(repository.folder, (), "repo")]).problems == ()
    assert _states(product) == {"a.py": "", "b.py": ""}
    assert [v.holds for v in verify(product)] == [True]


@pytest.mark.parametrize("target", ["blob", "tree", "absent", "garbage", "loop", "empty"])
def test_r2_a_ref_to_anything_is_reported_and_the_rest_goes_on(
    product: Product, repository: RawRepository, target: str
) -> None:
    good = repository.put(b"blob", GOOD)
    tree = repository.tree([(b"100644", b"a.py", good)])
    commit = repository.commit(tree)
    for ref in ("refs/heads/main", "refs/tags/v1"):
        repository.point(ref, commit + "\n")
    wanted = Target(repository.folder, ("main", "v1"), "repo")
    assert len(index(product, [wanted]).views) == 2
    content = {"blob": good, "tree": tree, "absent": "1" * 40, "loop": "ref: refs/tags/v1", "empty": ""}
    repository.point("refs/tags/v1", content.get(target, target) + "\n")
    told: list[str] = []
    assert list(look(product, (), told.append)) == []
    assert len(told) == 1
    report = index(product, [Target(repository.folder, ("main",), "repo")])
    assert [view.ref for view in report.views] == ["refs/heads/main"]
    assert len(report.problems) == 1
    assert {s.view.ref for s in product.catalog.views()} == {"refs/heads/main", "refs/tags/v1"}
