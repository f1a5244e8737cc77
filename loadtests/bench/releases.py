"""Real histories: consecutive releases of public packages, pushed one after the other and indexed after each push.

After the last push `headwater verify` compares the index with a fresh one. Sources are fetched by pip.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from history import GIT, lay_out
from index import index, size_of, source_size
from measure import HEADWATER, run, table

PACKAGES = {
    "Django": ["5.2", "5.2.1", "5.2.2"],
    "SQLAlchemy": ["2.0.40", "2.0.41", "2.0.42"],
    "Flask": ["3.0.3", "3.1.0", "3.1.1"],
}
HEADING = ("push", "lines", "wall s", "CPU s", "peak MB", "chunks", "embedded", "reused", "removed", "trees visited")


def pushed(package: str, versions: list[str], cache: Path, folder: Path) -> tuple[list[tuple[str, ...]], str]:
    """Rows of the table, one a push, and what `verify` says of the last."""
    source = cache / package.lower()
    commits = lay_out(package, versions, source, cache / "archives")[: len(versions)]
    target, home = folder / package.lower(), folder / f"home-{package.lower()}"
    subprocess.run([*GIT, "clone", "-q", "--bare", str(source), str(target)], check=True)
    rows = []
    for version, commit in zip(versions, commits, strict=True):
        subprocess.run([*GIT, "-C", str(target), "update-ref", "refs/heads/main", commit], check=True)
        done, view = index(target, home)
        lines, size = source_size(target)
        chunks = view["chunks"]
        rows.append(
            (
                f"{package} {version}",
                f"{lines:,}",
                f"{done.wall_s:.1f}",
                f"{done.cpu_s:.1f}",
                f"{done.peak_mb:.0f}",
                *(f"{chunks[k]:,}" for k in ("total", "embedded", "reused", "removed")),
                f"{view['nodes_visited']:,}",
            )
        )
    verdict = json.loads(run([str(HEADWATER), "verify", "--json"], {"HEADWATER_HOME": str(home)}).output)
    ratio = size_of(home) / size
    return rows, f"{package}: verified {verdict['ok']}, index is {ratio:.2f} × the source's bytes"


def main() -> None:
    """`python loadtests/bench/releases.py CACHE`; archives and histories are kept in CACHE."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("cache", type=Path)
    given = arguments.parse_args()
    rows, verdicts = [HEADING], []
    with tempfile.TemporaryDirectory() as name:
        for package, versions in PACKAGES.items():
            more, verdict = pushed(package, versions, given.cache, Path(name))
            rows += more
            verdicts.append(verdict)
    print(table(rows))
    print("\n".join(verdicts))


if __name__ == "__main__":
    main()
