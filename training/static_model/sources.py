"""Fetches the packages of sources.tsv with their ecosystems' own clients and reads their source files."""

import csv
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from units import LANGUAGE_OF, MAX_FILE_BYTES

SOURCES = Path(__file__).with_name("sources.tsv")
_ECOSYSTEM_LANGUAGES = {
    "pypi": {"python"},
    "maven": {"java"},
    "go": {"go"},
    "cargo": {"rust"},
    "npm": {"javascript", "typescript", "tsx"},
}
_LEFT_OUT = re.compile(
    r"(^|/)(tests?|testing|testdata|__tests__|specs?|benches|benchmarks?|examples?|vendor(ed)?|_vendor|third_?party"
    r"|node_modules|generated|locales?|umd|docs?)/"
    r"|_test\.go$|_pb2?\.py$|\.pb\.go$|[._-](test|spec|min|bundle|umd)\.|(^|/)(test_|conftest)|\.d\.ts$|zz_generated"
)
_COMPILED = re.compile(r"(^|/)(dist|build|bundles?|fesm\d+|cjs|esm\d*|modules)/")


class Package(NamedTuple):
    ecosystem: str
    name: str
    version: str
    licence: str

    @property
    def key(self) -> str:
        return f"{self.ecosystem}:{self.name}"


class SourceFile(NamedTuple):
    language: str
    path: str
    content: bytes


def read_sources() -> list[Package]:
    with SOURCES.open(newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        next(rows)
        return [Package(*row) for row in rows]


def source_files(package: Package, cache: Path) -> Iterator[SourceFile]:
    """The hand-written, non-test source files of a package. TypeScript stands before what is compiled from it."""
    members = {path: read for path, read in _members(_archive(package, cache)) if _wanted(package, path)}
    typed = any(path.endswith((".ts", ".tsx")) for path in members)
    plain = any(not _COMPILED.search(path) for path in members)
    for path, read in members.items():
        language = LANGUAGE_OF[Path(path).suffix]
        if (typed and language == "javascript") or (plain and _COMPILED.search(path) and package.ecosystem == "npm"):
            continue
        content = read()
        if len(content) <= MAX_FILE_BYTES and b"\n" in content and len(content) / content.count(b"\n") < 200:
            yield SourceFile(language, path, content)


def _wanted(package: Package, path: str) -> bool:
    language = LANGUAGE_OF.get(Path(path).suffix)
    return language in _ECOSYSTEM_LANGUAGES[package.ecosystem] and not _LEFT_OUT.search(path)


def _members(archive: Path):
    if archive.suffix in {".whl", ".jar", ".zip"}:
        opened = zipfile.ZipFile(archive)
        for name in opened.namelist():
            yield name.split("@v", 1)[-1].split("/", 1)[-1] if "@v" in name else name, lambda n=name: opened.read(n)
        return
    tar = tarfile.open(archive)
    for member in tar.getmembers():
        if member.isfile():
            yield member.name.split("/", 1)[-1], lambda m=member: tar.extractfile(m).read()


def _archive(package: Package, cache: Path) -> Path:
    """The package's archive, fetched once. Nothing of a package is run."""
    folder = cache / package.ecosystem / re.sub(r"\W+", "-", f"{package.name}-{package.version}")
    if not folder.is_dir() or not any(folder.iterdir()):
        folder.mkdir(parents=True, exist_ok=True)
        _FETCH[package.ecosystem](package, folder)
    return next(path for path in folder.iterdir() if path.suffix in {".whl", ".jar", ".zip", ".tgz", ".crate"})


def _run(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def _fetch_pypi(package: Package, folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    _run([*pip, f"{package.name}=={package.version}"], folder)


def _fetch_npm(package: Package, folder: Path) -> None:
    _run(["npm", "pack", "--silent", f"{package.name}@{package.version}"], folder)


def _fetch_maven(package: Package, folder: Path) -> None:
    artifact = f"-Dartifact={package.name}:{package.version}:jar:sources"
    _run(["mvn", "-q", "-B", "dependency:copy", artifact, "-DoutputDirectory=."], folder)


def _fetch_go(package: Package, folder: Path) -> None:
    found = json.loads(_run(["go", "mod", "download", "-json", f"{package.name}@{package.version}"], folder))
    (folder / "module.zip").symlink_to(found["Zip"])


def _fetch_cargo(package: Package, folder: Path) -> None:
    (folder / "src").mkdir()
    (folder / "src/lib.rs").touch()
    dependency = f'{package.name} = {{ version = "={package.version}", default-features = false }}'
    (folder / "Cargo.toml").write_text(f'[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n{dependency}\n')
    _run(["cargo", "fetch", "-q"], folder)
    caches = (Path.home() / ".cargo/registry/cache").glob(f"*/{package.name}-{package.version}.crate")
    (folder / "package.crate").symlink_to(next(caches))


_FETCH = {
    "pypi": _fetch_pypi,
    "npm": _fetch_npm,
    "maven": _fetch_maven,
    "go": _fetch_go,
    "cargo": _fetch_cargo,
}
