"""Lays consecutive releases of a package out as commits of a git repository: a real history without a git host."""

import argparse
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

GIT = ("git", "-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false")


def fetch(package: str, version: str, folder: Path) -> Path:
    """Download the source distribution with pip and return the archive."""
    found = list(folder.glob(f"*-{version}.tar.gz"))
    if not found:
        spec = f"{package}=={version}"
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", package]
        subprocess.run([*pip, "-d", str(folder), spec], check=True)
        found = list(folder.glob(f"*-{version}.tar.gz"))
    return found[0]


def lay_out(package: str, versions: list[str], target: Path, cache: Path) -> list[str]:
    """Commit each release in order on `main` of `target`; returns the commit ids. An existing target is kept."""
    cache.mkdir(parents=True, exist_ok=True)
    archives = {version: fetch(package, version, cache) for version in versions}
    if not (target / ".git").exists():
        target.mkdir(parents=True)
        subprocess.run([*GIT, "init", "-q", "-b", "main", str(target)], check=True)
        for version, archive in archives.items():
            _commit(archive, version, target)
    log = subprocess.run([*GIT, "-C", str(target), "log", "--reverse", "--format=%H"], check=True, capture_output=True)
    return log.stdout.decode().split()


def _commit(archive: Path, version: str, target: Path) -> None:
    subprocess.run([*GIT, "-C", str(target), "rm", "-rqf", "--ignore-unmatch", "."], check=True)
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
        (root,) = Path(folder).iterdir()
        subprocess.run(["cp", "-a", f"{root}/.", str(target)], check=True)
    subprocess.run([*GIT, "-C", str(target), "add", "-A", "-f", "."], check=True)
    subprocess.run([*GIT, "-C", str(target), "commit", "-q", "-m", version], check=True)
    subprocess.run([*GIT, "-C", str(target), "tag", f"v{version}"], check=True)


def main() -> None:
    """`python loadtests/bench/history.py PACKAGE TARGET VERSION…`."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("package")
    arguments.add_argument("target", type=Path)
    arguments.add_argument("versions", nargs="+")
    given = arguments.parse_args()
    for commit in lay_out(given.package, given.versions, given.target, given.target.parent / "archives"):
        print(commit)


if __name__ == "__main__":
    main()
