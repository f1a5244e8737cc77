"""Differential: our ignore rules against `git check-ignore` on random files and patterns."""

import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.domain.ignore import IgnoreRules

PATHS = sorted(
    f"{folder}{name}"
    for folder in ("", "a/", "b/", "a/b/", "a/b/c/", "foo/", "foo/bar/", "x y/")
    for name in ("a.py", "b.py", "foo", "Foo.txt", "x.log", "#c", "!d", "e ", "[z]", "é", "a-b")
    if (folder + name) not in ("foo",)
)
PIECES = ["*", "**", "?", "/", "a", "b", "foo", "bar", ".py", ".log", "[ab]", "[!a]", "[^x-z]", "[[:alpha:]]", "[]x]"]
PIECES += ["[", "\\", "\\*", " ", "\\ ", "#", "!", "é", "x y", "[a-", "**/", "/**", "\\/", "[\\]z]", "\r", "c"]
LINE = st.builds(
    lambda bang, parts: bang + "".join(parts),
    st.sampled_from(["", "", "!"]),
    st.lists(st.sampled_from(PIECES), max_size=5),
)
RULES = st.lists(LINE, max_size=5).map("\n".join)
FOLDERS = ("", "a", "a/b", "foo")


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(FOLDERS), RULES, max_size=3), RULES)
def test_we_ignore_what_git_ignores(tmp_path: Path, files: dict[str, str], everywhere: str) -> None:
    root = tmp_path / "repo"
    if not root.exists():
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        for path in PATHS:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("x")
    for folder in FOLDERS:
        (root / folder / ".gitignore").unlink(missing_ok=True)
    for folder, rules in files.items():
        (root / folder / ".gitignore").write_bytes(rules.encode())
    (tmp_path / "global").write_bytes(everywhere.encode())
    rules = IgnoreRules(everywhere.split("\n"), lambda folder: files[folder].encode() if folder in files else None)
    assert [p for p in PATHS if rules.ignores(p)] == _ignored_by_git(root, tmp_path / "global")


def _ignored_by_git(root: Path, everywhere: Path) -> list[str]:
    found = subprocess.run(
        ["git", "-c", f"core.excludesFile={everywhere}", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=root,
        input="\0".join(PATHS).encode(),
        capture_output=True,
        check=False,
    )
    assert found.returncode in (0, 1), found.stderr
    return sorted(p for p in found.stdout.decode().split("\0") if p)
