"""Random git histories: small trees of real-looking sources that change as repositories do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from headwater.domain.tree import Mode
from support.git_repo import File, Files

SOURCES = (
    b"",
    b"def alpha(x):\n    return beta(x) + 1\n\n\ndef beta(y):\n    return y\n",
    b"def alpha(x):\n    return beta(x) + 2\n\n\ndef beta(y):\n    return y\n",
    b"from pkg.a import alpha as renamed\n\nVALUE = renamed(3)\n",
    b"class Gamma:\n    def run(self):\n        return self.run\n",
    b"\xef\xbb\xbfdef bom():\r\n    pass\r\n",
    b"caf\xe9 = 1\n",
    "# 重试\ndef 名字():\n    return 1\n".encode(),
    b"\0\1\2binary",
    b"plain words in lines\n" * 3,
    b"class A { void find(int i) {} void find(String s) { find(1); } }\n",
)

paths = st.sampled_from(["a.py", "pkg/a.py", "pkg/__init__.py", "pkg/sub/b.py", "A.java", "notes.txt", "pkg/\uefff.py"])
files = st.one_of(
    st.sampled_from(SOURCES),
    st.just((int(Mode.EXECUTABLE), SOURCES[1])),
    st.just((int(Mode.SYMLINK), b"a.py")),
    st.just((int(Mode.SUBMODULE), b"3" * 40)),
)
trees: st.SearchStrategy[Files] = st.dictionaries(paths, files, max_size=6)


@dataclass(frozen=True)
class Step:
    """One thing that happens to a ref: a commit of `tree`, a force push back to commit `back` (modulo), a deletion."""

    ref: str
    kind: str
    tree: Files
    back: int
    sync: bool  # the index is brought up to date after this step


@dataclass(frozen=True)
class BranchStep:
    """`change` edits a few files (None deletes) of a branch, `fork` points it to the tip of `other`, `back` to an
    earlier commit, `collect` collects."""

    ref: str
    kind: str
    tree: Files
    sync: bool
    changed: Mapping[str, File | None] = field(default_factory=dict)
    other: str = ""
    back: int = 0


refs = st.sampled_from(["refs/heads/main", "refs/heads/topic"])
steps = st.builds(
    Step,
    ref=refs,
    kind=st.sampled_from(["commit", "commit", "commit", "back", "delete", "replay"]),
    tree=trees,
    back=st.integers(0, 5),
    sync=st.booleans(),
)
histories = st.lists(steps, min_size=1, max_size=8)


def branchy_histories(refs: Sequence[str]) -> st.SearchStrategy[list[BranchStep]]:
    """Branches that start at a commit of any branch, go on from there, come back to it, and are made again."""
    branches = st.sampled_from(refs)
    changed = st.dictionaries(paths, st.one_of(files, st.none()), min_size=1, max_size=2)
    kinds = st.sampled_from(["change", "change", "change", "fork", "fork", "commit", "back", "delete", "collect"])
    step = st.builds(
        BranchStep,
        ref=branches,
        kind=kinds,
        tree=trees,
        changed=changed,
        other=branches,
        back=st.integers(0, 9),
        sync=st.booleans(),
    )
    first = st.builds(BranchStep, ref=st.just(refs[0]), kind=st.just("commit"), tree=trees, sync=st.just(True))
    return st.tuples(first, st.lists(step, min_size=3, max_size=12)).map(lambda made: [made[0], *made[1]])
