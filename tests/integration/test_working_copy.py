"""A working copy as a private view: it equals a fresh index of exactly its files, the repository is untouched."""

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.domain.merkle import recompute_root
from headwater.domain.view import ViewKey
from headwater.embedded.comparison import IndexedTree, differences
from headwater.embedded.home import Home
from headwater.embedded.indexing import IndexingError, Target, index
from headwater.embedded.product import Product
from headwater.embedded.working_copies import Follower, follower, forget, registered
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.stores.working_copy import WorkingCopy
from support.histories import SOURCES

NAMES = ("a.py", "pkg/a.py", "pkg/sub/b.py", "notes.txt", "x.log", "build/out.py", "é.py")
KINDS = ("write", "write", "write", "delete", "move", "ignore", "exclude", "execute", "link", "nested", "add")
KINDS += ("add forced", "forget", "commit", "commit all", "switch")
RULES = (b"*.log\n", b"build/\n!x.log\n", b"/pkg/*\n!/pkg/a.py\n", b"# nothing\n", b"*.py\n!a.py\n")


@dataclass(frozen=True)
class Edit:
    """One thing that a developer does: in the files, or with git."""

    kind: str
    path: str
    other: str
    content: bytes


EDITS = st.lists(
    st.builds(
        Edit,
        kind=st.sampled_from(KINDS),
        path=st.sampled_from(NAMES),
        other=st.sampled_from(NAMES),
        content=st.sampled_from(SOURCES[1:]),
    ),
    min_size=1,
    max_size=8,
)


def git(root: Path, *arguments: str, check: bool = True) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(root), *identity, *arguments], capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout.strip()


class Clone:
    """A developer's clone with two branches."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        git(root, "init", "-q", "-b", "main")
        for path, content in {"a.py": SOURCES[1], "pkg/a.py": SOURCES[3], ".gitignore": RULES[0]}.items():
            self.write(path, content)
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")
        git(root, "branch", "topic")

    def write(self, path: str, content: bytes) -> None:
        place = self.root / path
        if place.is_dir() or any(p.is_file() or p.is_symlink() for p in place.parents if p != self.root):
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_bytes(content)

    def apply(self, edit: Edit) -> None:
        place = self.root / edit.path
        there = place.is_file() and not place.is_symlink()
        if edit.kind == "write":
            self.write(edit.path, edit.content)
        elif edit.kind == "delete":
            place.unlink(missing_ok=True)
        elif edit.kind == "move" and there:
            content = place.read_bytes()
            place.unlink()
            self.write(edit.other, content)
        elif edit.kind == "ignore":
            self.write(".gitignore", RULES[len(edit.content) % len(RULES)])
        elif edit.kind == "exclude":
            (self.root / ".git/info").mkdir(exist_ok=True)
            (self.root / ".git/info/exclude").write_bytes(RULES[len(edit.content) % len(RULES)])
        elif edit.kind == "execute" and there:
            place.chmod(0o755)
        elif edit.kind == "link" and not place.exists() and place.parent.is_dir() and not place.is_symlink():
            place.symlink_to("a.py")
        elif edit.kind == "nested" and not (self.root / "inner").exists():
            git(self.root, "init", "-q", "inner")
            (self.root / "inner/c.py").write_bytes(edit.content)
        else:
            self._in_git(edit)

    def _in_git(self, edit: Edit) -> None:
        commands = {
            "add": ("add", "--", edit.path),
            "add forced": ("add", "-f", "--", edit.path),
            "forget": ("rm", "-q", "--cached", "--", edit.path),
            "commit": ("commit", "-qm", "more"),
            "commit all": ("commit", "-qam", "more"),
            "switch": ("switch", "-q", "topic" if git(self.root, "branch", "--show-current") == "main" else "main"),
        }
        if edit.kind in commands:
            git(self.root, *commands[edit.kind], check=False)

    def files(self) -> dict[str, tuple[str, bytes]]:
        """Mode and bytes of what `git status` knows: tracked and on disk, or untracked and not ignored."""
        listed = subprocess.run(
            ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True,
            check=True,
        ).stdout
        found: dict[str, tuple[str, bytes]] = {}
        for raw in sorted(set(listed.split(b"\0")) - {b""}):
            place = self.root / os.fsdecode(raw)
            if place.is_symlink():
                found[os.fsdecode(raw)] = ("120000", os.fsencode(os.readlink(place)))
            elif place.is_file():
                executable = place.stat().st_mode & 0o100
                found[os.fsdecode(raw)] = ("100755" if executable else "100644", place.read_bytes())
        return found

    def fingerprint(self) -> dict[str, tuple[bytes, int]]:
        """Everything in the git folder, with times."""
        files = [p for p in (self.root / ".git").rglob("*") if p.is_file()]
        return {str(p): (hashlib.sha1(p.read_bytes()).digest(), p.stat().st_mtime_ns) for p in files}


def committed(root: Path, files: dict[str, tuple[str, bytes]]) -> None:
    """A repository whose only commit is exactly these files, made by git's plumbing."""
    git(root, "init", "-q", "-b", "main")
    lines = []
    for path, (mode, content) in files.items():
        hashed = subprocess.run(
            ["git", "-C", str(root), "hash-object", "-w", "--stdin"], input=content, capture_output=True, check=True
        )
        lines.append(b"%s %s\t%s\0" % (mode.encode(), hashed.stdout.strip(), os.fsencode(path)))
    subprocess.run(["git", "-C", str(root), "update-index", "-z", "--index-info"], input=b"".join(lines), check=True)
    git(root, "commit", "-q", "--allow-empty", "-m", "all")


def check_equals_its_files(product: Product, opened: Follower, clone: Clone) -> None:
    view = opened.copy.view
    state = product.catalog.view(view)
    assert state is not None
    assert state.published == state.opened
    assert recompute_root(product.catalog.tree_reader(view, state.published)) == state.tree
    with tempfile.TemporaryDirectory() as name, Product(Home(Path(name) / "home"), product.treatment) as fresh:
        (Path(name) / "r").mkdir()
        committed(Path(name) / "r", clone.files())
        index(fresh, [Target(Path(name) / "r", name="r")])
        main = ViewKey("r", "refs/heads/main")
        with product.catalog.pin([view]) as ours, fresh.catalog.pin([main]) as theirs:
            assert list(differences(IndexedTree(product.catalog, ours), IndexedTree(fresh.catalog, theirs))) == []
            assert ours[0].tree == theirs[0].tree


@given(EDITS)
@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_after_any_edits_the_view_equals_a_fresh_index_of_the_files(edits: list[Edit]) -> None:
    with tempfile.TemporaryDirectory() as name, ExitStack() as opened:
        clone = Clone(Path(name) / "clone")
        product = opened.enter_context(Product(Home(Path(name) / "home")))
        copy = registered(product, clone.root, "")
        one = opened.enter_context(follower(product, copy))
        one.look()
        for edit in edits:
            clone.apply(edit)
            before = clone.fingerprint()
            one.look()
            assert clone.fingerprint() == before
            assert one.look() is None
        check_equals_its_files(product, one, clone)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "clone")


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    with Product(Home(tmp_path / "home")) as opened:
        yield opened


def test_a_working_copy_costs_only_what_differs(product: Product, clone: Clone) -> None:
    copy = registered(product, clone.root, "")
    clone.write("a.py", SOURCES[2])
    with follower(product, copy) as one:
        report = one.look()
        assert report is not None
        overlay = product.catalog.overlay(copy.view)
        assert overlay is not None
        assert (overlay.base.view.ref, overlay.places) == ("refs/heads/main", 1)


def test_a_linked_worktree_belongs_to_its_repository(product: Product, clone: Clone, tmp_path: Path) -> None:
    index(product, [Target(clone.root, name="app")])
    git(clone.root, "worktree", "add", "-q", str(tmp_path / "linked"), "topic")
    (tmp_path / "linked/new.py").write_bytes(SOURCES[4])
    copy = registered(product, tmp_path / "linked/pkg", "")
    assert (copy.repo, copy.path) == ("app", str(tmp_path / "linked"))
    with follower(product, copy) as one:
        one.look()
    with product.catalog.pin([copy.view]) as scope:
        assert [r.path for r in product.catalog.document_at(scope, "new.py")] == ["new.py"]


def test_what_cannot_be_read_keeps_its_last_version_and_a_lost_folder_its_view(
    product: Product, clone: Clone, tmp_path: Path
) -> None:
    copy = registered(product, clone.root, "")
    with follower(product, copy) as one:
        one.look()
        (clone.root / "a.py").chmod(0)
        clone.write("pkg/a.py", SOURCES[4])
        one.look()
        with product.catalog.pin([copy.view]) as scope:
            assert product.catalog.document_at(scope, "a.py")
        clone.root.rename(tmp_path / "moved")
        with pytest.raises(RepositoryUnreadableError, match="gone"):
            one.look()
    assert product.catalog.view(copy.view) is not None


def test_a_look_that_took_too_long_is_made_again(clone: Clone, tmp_path: Path) -> None:
    files = WorkingCopy(clone.root, tmp_path / "scratch")
    former = files.take()
    half = files.objects / "aa" / "tmp_obj_x"
    half.parent.mkdir(exist_ok=True)
    for left in (half, tmp_path / "scratch" / "index.lock"):  # by a git that is ended
        left.touch()
    (clone.root / "more.py").write_text("x = 1\n")
    assert files.take() != former
    assert not half.exists()


def test_a_damaged_index_is_a_repository_that_cannot_be_read(clone: Clone, tmp_path: Path) -> None:
    (clone.root / ".git" / "index").write_bytes(b"damaged")
    with pytest.raises(RepositoryUnreadableError):
        WorkingCopy(clone.root, tmp_path / "scratch").take()


def test_a_folder_whose_name_is_no_text_is_refused_with_a_reason(product: Product, tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/r\xff"))
    Clone(folder)
    with pytest.raises(IndexingError, match="is not valid UTF-8"):
        index(product, [Target(folder)])
    with pytest.raises(IndexingError, match="is not valid UTF-8"):
        registered(product, folder, "")


def test_an_empty_repository_has_a_working_copy(product: Product, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "empty")
    copy = registered(product, tmp_path / "empty", "")
    with follower(product, copy) as one:
        one.look()
        (tmp_path / "empty/a.py").write_bytes(SOURCES[1])
        one.look()
    with product.catalog.pin([copy.view]) as scope:
        assert product.catalog.document_at(scope, "a.py")


def test_a_forgotten_working_copy_leaves_nothing(product: Product, clone: Clone) -> None:
    index(product, [Target(clone.root)])
    held = set(product.vectors.hashes())
    copy = registered(product, clone.root, "")
    clone.write("a.py", b"def only_here():\n    return 'only here'\n")
    with follower(product, copy) as one:
        one.look()
    assert set(product.vectors.hashes()) > held
    forget(product, copy)
    assert product.catalog.view(copy.view) is None
    assert product.catalog.unreferenced() == 0
    assert set(product.vectors.hashes()) == held
    assert product.catalog.names_containing("only_here", 5) == []


@pytest.mark.parametrize("whole", [False, True])
def test_what_was_removed_stays_so_while_it_is_followed(product: Product, clone: Clone, whole: bool) -> None:
    copy = registered(product, clone.root, "")
    with follower(product, copy) as followed:
        assert followed.look() is not None
        if whole:
            product.catalog.remove_repository(copy.repo)
        else:
            forget(product, copy)
        (clone.root / "more.py").write_text("x = 1\n")
        assert followed.look() is None
    assert product.catalog.view(copy.view) is None
