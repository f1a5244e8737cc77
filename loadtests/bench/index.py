"""Speed, memory and size of indexing: a first index, then one-line commits on 1, 4 and 16 copies of a tree.

The reference is `git grep -c ''` over the same commit in the same run: reading every line of every blob once.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from measure import HEADWATER, Run, run, table

GIT = ("git", "-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false")


def git(repository: Path, *arguments: str) -> bytes:
    """Output of a git command. Raises CalledProcessError."""
    return subprocess.run([*GIT, "-C", str(repository), *arguments], check=True, capture_output=True).stdout


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())


def source_size(repository: Path) -> tuple[int, int]:
    """(lines, bytes) of the text files of HEAD."""
    counts = git(repository, "grep", "-I", "-c", "", "HEAD").splitlines()
    lines = sum(int(row.rsplit(b":", 1)[1]) for row in counts)
    names = {row.split(b":", 1)[1].rsplit(b":", 1)[0] for row in counts}
    rows = git(repository, "ls-tree", "-r", "-l", "-z", "HEAD").split(b"\0")
    sizes = {row.split(b"\t", 1)[1]: row.split(b"\t", 1)[0].split()[3] for row in rows if row}
    return lines, sum(int(size) for name, size in sizes.items() if name in names and size != b"-")


def index(repository: Path, home: Path) -> tuple[Run, dict[str, Any]]:
    """One `headwater index --json` as a process of its own."""
    done = run([str(HEADWATER), "index", str(repository), "--json"], {"HEADWATER_HOME": str(home)})
    return done, json.loads(done.output)["views"][0]


def first_index(repository: Path, home: Path) -> list[tuple[str, ...]]:
    """Rows of the table for a first index."""
    reference = run([*GIT, "-C", str(repository), "grep", "-I", "-c", "", "HEAD"])
    lines, size = source_size(repository)
    done, view = index(repository, home)
    ours = size_of(home)
    return [
        ("first index", "value", "reference or goal"),
        ("lines", f"{lines:,}", ""),
        ("wall s", f"{done.wall_s:.1f}", f"{done.wall_s / reference.wall_s:.0f} × git grep -c ''"),
        ("lines/s", f"{lines / done.wall_s:,.0f}", "goal 20,000"),
        ("CPU s", f"{done.cpu_s:.1f}", f"{done.cpu_s / lines * 1e6:.0f} µs a line"),
        ("peak MB (PSS, all processes)", f"{done.peak_mb:.0f}", "goal 1,500"),
        ("chunks embedded", f"{view['chunks']['embedded']:,}", ""),
        ("index bytes / source bytes", f"{ours / size:.2f}", "goal 3"),
    ]


def one_line_commits(repository: Path, folder: Path, copies: int, commits: int = 5) -> tuple[str, ...]:
    """A table row: CPU seconds of `headwater index` after a one-line commit, median of `commits`."""
    clone = folder / f"x{copies}"
    subprocess.run([*GIT, "init", "-q", "-b", "main", str(clone)], check=True)
    archive = git(repository, "archive", "HEAD")
    for copy in range(copies):
        target = clone / f"copy{copy}"
        target.mkdir()
        subprocess.run(["tar", "-x", "-C", str(target)], input=archive, check=True)
    git(clone, "add", "-A", "-f", ".")
    git(clone, "commit", "-q", "-m", "all")
    home = folder / f"home{copies}"
    index(clone, home)
    edited = clone / "copy0" / git(repository, "ls-files", "*.py").decode().splitlines()[0]
    runs = []
    for number in range(commits):
        edited.write_text(edited.read_text() + f"\n\ndef added_{number}():\n    return {number}\n")
        git(clone, "commit", "-q", "-a", "-m", "one")
        runs.append(index(clone, home))
    cpu = sorted(r.cpu_s for r, _ in runs)[commits // 2]
    wall = sorted(r.wall_s for r, _ in runs)[commits // 2]
    files = str(len(git(clone, "ls-files").splitlines()))
    return f"{copies}×", files, f"{cpu:.2f}", f"{wall:.2f}", str(runs[-1][1]["nodes_visited"])


def main() -> None:
    """`python loadtests/bench/index.py REPOSITORY [--small REPOSITORY]`."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("repository", type=Path, help="measured for a first index")
    arguments.add_argument("--small", type=Path, help="measured 1×, 4× and 16× for one-line commits")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        print(table(first_index(given.repository, folder / "home")))
        if given.small:
            interpreter = run([str(HEADWATER), "status", "--json"], {"HEADWATER_HOME": str(folder / "empty")})
            print(f"\none-line commit; goal 0.5 CPU s; reference: 'headwater status' {interpreter.cpu_s:.2f} CPU s")
            heading = ("copies", "files", "CPU s", "wall s", "trees visited")
            print(table([heading, *(one_line_commits(given.small, folder, n) for n in (1, 4, 16))]))


if __name__ == "__main__":
    main()
