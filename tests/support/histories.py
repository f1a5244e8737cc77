"""Random git histories: small trees of real-looking sources that change as repositories do."""

from dataclasses import dataclass

from hypothesis import strategies as st

from headwater.domain.tree import Mode
from support.git_repo import Files

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
