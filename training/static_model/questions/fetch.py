"""Lays the packages that the questions ask about out under a folder, with their ecosystems' own clients."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

PACKAGES = Path(__file__).with_name("packages.json")


def lay_out(destination: Path) -> None:
    """Afterwards `destination/<corpus>/` holds each package's files, the archive's top folder stripped.

    `destination/corpora.json` names the source roots, as evaluations read them.
    """
    packages = json.loads(PACKAGES.read_text())
    rows = [{"name": corpus, "lang": p["lang"], "source_roots": [p["root"]]} for corpus, p in packages.items()]
    destination.mkdir(parents=True, exist_ok=True)
    (destination / "corpora.json").write_text(json.dumps({"corpora": rows}, indent=1) + "\n")
    for corpus, package in packages.items():
        folder = destination / corpus
        if folder.exists():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            archive = _DOWNLOADS[package["kind"]](package["name"], package["version"], Path(scratch))
            unpacked = Path(scratch) / "unpacked"
            _unpack(archive, unpacked)
            top = unpacked if package["kind"] == "maven" else _package_folder(unpacked)
            shutil.move(top, folder)
        print(f"fetched {corpus}")


def _unpack(archive: Path, folder: Path) -> None:
    if archive.suffix in {".jar", ".zip"}:
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)
        return
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")


def _package_folder(unpacked: Path) -> Path:
    """The first folder that branches: a Go module lies under its whole import path."""
    entries = list(unpacked.iterdir())
    return _package_folder(entries[0]) if len(entries) == 1 and entries[0].is_dir() else unpacked


def _pypi(name: str, version: str, scratch: Path) -> Path:
    _client(
        [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, f"{name}=={version}"], scratch
    )
    return _only(scratch, "*.tar.gz")


def _npm(name: str, version: str, scratch: Path) -> Path:
    _client(["npm", "pack", "--silent", f"{name}@{version}"], scratch)
    return _only(scratch, "*.tgz")


def _maven(name: str, version: str, scratch: Path) -> Path:
    artifact = f"-Dartifact={name}:{version}:jar:sources"
    _client(["mvn", "-q", "-B", "dependency:copy", artifact, f"-DoutputDirectory={scratch}"], scratch)
    return _only(scratch, "*-sources.jar")


def _go(name: str, version: str, scratch: Path) -> Path:
    return Path(json.loads(_client(["go", "mod", "download", "-json", f"{name}@{version}"], scratch))["Zip"])


def _crates(name: str, version: str, scratch: Path) -> Path:
    (scratch / "src").mkdir()
    (scratch / "src/lib.rs").touch()
    manifest = f'[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n{name} = "={version}"\n'
    (scratch / "Cargo.toml").write_text(manifest)
    _client(["cargo", "fetch", "-q"], scratch)
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    return _only(home / "registry/cache", f"*/{name}-{version}.crate")


_DOWNLOADS: dict[str, Callable[[str, str, Path], Path]] = {
    "pypi": _pypi,
    "npm": _npm,
    "maven": _maven,
    "go": _go,
    "crates": _crates,
}


def _client(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def _only(folder: Path, pattern: str) -> Path:
    return next(folder.glob(pattern))


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
