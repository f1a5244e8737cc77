"""Whole repositories: whatever lies in one, indexing ends, what it publishes is proven, and nothing of it is run."""

import contextlib
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

from fuzz.target import Target
from fuzz.texts import any_bytes
from headwater.domain.treatment import Treatment
from headwater.domain.tree import TreeUnreadableError
from headwater.embedded.home import Home
from headwater.embedded.indexing import IndexingError, index
from headwater.embedded.indexing import Target as Indexed
from headwater.embedded.product import Product
from headwater.embedded.verification import verify
from headwater.stores.git_store import RefNotFoundError, RepositoryUnreadableError
from headwater.streaming.in_process import PipelineStalledError
from support.raw_repository import RawRepository

MARKER = "headwater-was-here"
REFUSALS = (RepositoryUnreadableError, RefNotFoundError, IndexingError, PipelineStalledError, TreeUnreadableError)
_PAUSE = "headwater.embedded.open_edition.time.sleep"  # between attempts at what can't be read
_RUN = f"touch {MARKER}".encode()
_MODES = st.sampled_from(
    [b"100644", b"100755", b"120000", b"160000", b"100664", b"100640", b"0100644", b"040000", b"0", b"7"]
)
_USUAL = b"a.py b.js A.py .. . .git .GIT a/b .gitattributes .gitmodules .headwaterignore msgspec.py headwater con -rf"
_ODD = (b"", b"e\xcc\x81.go", b"\xc3\xa9.go", b"\xff", b" ", b"x ", b"\n", b"a\\b", b"a:b")
_NAMES = st.one_of(
    st.sampled_from([*_USUAL.split(), *_ODD]),
    any_bytes.map(lambda name: name.replace(b"\0", b"")[:80]),
)
_SCRIPT = b"open('" + MARKER.encode() + b"', 'w')\n"
_CONTENTS = st.one_of(
    st.sampled_from([b"def f():\n    return 1\n", b"", b"* filter=evil diff=evil\n", _SCRIPT]),
    any_bytes,
)
_CONFIGS = st.sampled_from(
    [
        b"",
        b"\tfsmonitor = " + _RUN + b"\n\thooksPath = .\n\tsshCommand = " + _RUN + b"\n",
        b'[filter "evil"]\n\tclean = ' + _RUN + b"\n\tsmudge = " + _RUN + b"\n\trequired = true\n",
        b'[diff "evil"]\n\ttextconv = ' + _RUN + b"\n\tcommand = " + _RUN + b"\n",
        b"[include]\n\tpath = /etc/passwd\n",
        b"[core]\n\tworktree = /\n",
        b"[extensions]\n\tobjectFormat = sha256\n",
        b"[extensions]\n\tunheardOf = true\n",
        b"[garbage\n",
    ]
)
_files = st.lists(st.tuples(_MODES, _NAMES, _CONTENTS), min_size=1, max_size=6)
_WAYS = st.sampled_from(["gone", "empty", "cut", "zeroed", "flipped", "other"])
_damage = st.lists(st.tuples(st.integers(0, 30), _WAYS), max_size=2)
_refs = st.dictionaries(
    st.sampled_from(["refs/heads/x", "refs/tags/t", "refs/heads/a b", "refs/heads/deep/er", "packed-refs", "HEAD"]),
    st.sampled_from(["blob", "tree", "0" * 40, "garbage", "", "ref: refs/heads/x\n", "ref: refs/heads/../../x\n"]),
    max_size=2,
)
repositories = st.fixed_dictionaries(
    {
        "commits": st.lists(_files, min_size=1, max_size=3),
        "depth": st.sampled_from([0, 0, 0, 3, 200, 1200]),
        "damage": _damage,
        "refs": _refs,
        "config": _CONFIGS,
    }
)


def check_repository(given: dict[str, Any]) -> None:
    """Each commit in turn; the last one with damage, then mended again."""
    with tempfile.TemporaryDirectory(prefix="headwater-fuzz-") as folder, patch(_PAUSE):
        root = Path(folder)
        repository = RawRepository(root / "repo.git", given["config"])
        with Product(Home(root / "home"), Treatment()) as product:
            _pushes(product, repository, given)
        assert not list(root.rglob(MARKER)), "something of the repository was run"
        assert not Path(MARKER).exists(), "something of the repository was run"


def _pushes(product: Product, repository: RawRepository, given: dict[str, Any]) -> None:
    commits: list[str] = []
    for number, files in enumerate(given["commits"]):
        tree = _tree(repository, files, given["depth"] if number else 0)
        commits.append(repository.commit(tree, tuple(commits[-1:])))
        repository.point("refs/heads/main", f"{commits[-1]}\n")
        if number:
            _take_in(product, repository)
    blob, tree = (next(iter(repository.written)), repository.written[-2])
    for name, content in given["refs"].items():
        repository.point(name, {"blob": f"{blob}\n", "tree": f"{tree}\n"}.get(content, content))
    whole = {oid: repository.file(oid).read_bytes() for oid in repository.written}
    for which, how in given["damage"]:
        oid = repository.written[which % len(repository.written)]
        if repository.file(oid).exists() and repository.file(oid).stat().st_size > 3:
            repository.damage(oid, how)
    _take_in(product, repository)
    for oid, content in whole.items():
        repository.mend(oid, content)
    _take_in(product, repository)


def _tree(repository: RawRepository, files: list[tuple[bytes, bytes, bytes]], depth: int) -> str:
    entries = [(mode, name, _object(repository, mode, content)) for mode, name, content in files]
    tree = repository.tree(entries)
    for level in range(depth):
        tree = repository.tree([(b"40000", b"d%d" % (level % 3), tree)])
    return tree


def _object(repository: RawRepository, mode: bytes, content: bytes) -> str:
    if mode == b"040000":
        return repository.tree([(b"100644", b"inner.py", repository.put(b"blob", content))])
    return repository.put(b"blob", content)


def _take_in(product: Product, repository: RawRepository) -> None:
    """Published and proven, or refused by name; what is published holds either way."""
    with contextlib.suppress(*REFUSALS):
        index(product, [Indexed(repository.folder, (), "repo")])
    with contextlib.suppress(*REFUSALS):
        for verdict in verify(product, against_fresh=False):
            assert verdict.holds, verdict


TARGETS = (Target("repositories", repositories, check_repository, 15),)
