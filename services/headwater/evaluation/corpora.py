"""Corpora as git repositories: the indexed part of each laid-out package, committed once and kept between runs."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from headwater.evaluation.scopes import CorpusScope
from headwater.stores.git_program import run_git

_GIT_SECONDS = 600.0
_COMPILED = frozenset({"dist", "build", "node_modules"})  # of npm packages: copies of what is indexed anyway
_STAMP = "headwater-corpus.json"
_IDENTITY = ("-c", "user.name=headwater", "-c", "user.email=headwater@localhost", "-c", "commit.gpgsign=false")


class Corpus(msgspec.Struct, frozen=True):
    """One row of corpora.json."""

    name: str
    lang: str = ""
    sha256: str = ""
    source_roots: tuple[str, ...] = (".",)

    def globs(self) -> tuple[str, ...]:
        """The source roots as path globs; none for the whole corpus."""
        roots = [r.removeprefix("./").strip("/") for r in self.source_roots]
        return () if any(r in ("", ".") for r in roots) else tuple(f"{r}/**" for r in roots)


class _Corpora(msgspec.Struct):
    corpora: tuple[Corpus, ...]


def read_corpora(file: Path) -> dict[str, Corpus]:
    return {c.name: c for c in msgspec.json.decode(file.read_bytes(), type=_Corpora).corpora}


def folders_of(corpus: Corpus, scope: CorpusScope) -> tuple[str, ...]:
    """What is indexed: the source roots, and the folders over which the questions on symbols are complete."""
    folders = {f.removeprefix("./").strip("/") or "." for f in (*corpus.source_roots, *scope.under)}
    return (".",) if "." in folders else tuple(sorted(folders))


def lay_out(corpora: Path, corpus: Corpus, folders: Iterable[str], destination: Path) -> Path:
    """The repository of one corpus, made anew only when the corpus or its folders changed.

    Raises FileNotFoundError when the corpus isn't laid out below `corpora`.
    """
    source = corpora / corpus.name
    if not source.is_dir():
        raise FileNotFoundError(f"no {source}: fetch the corpora first")
    stamp = msgspec.json.encode({"sha256": corpus.sha256, "folders": list(folders)})
    repository = destination / corpus.name
    marker = repository / ".git" / _STAMP
    if marker.is_file() and marker.read_bytes() == stamp:
        return repository
    shutil.rmtree(repository, ignore_errors=True)
    for file in _files(source, folders, corpus.lang):
        target = repository / file.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    _commit(repository)
    marker.write_bytes(stamp)
    return repository


def _files(source: Path, folders: Iterable[str], lang: str) -> Iterator[Path]:
    seen: set[Path] = set()
    for folder in folders:
        for file in sorted((source / folder).rglob("*")):
            parts = file.relative_to(source).parts
            compiled = lang in ("typescript", "javascript") and (_COMPILED & set(parts) or file.name.endswith(".d.ts"))
            if file.is_file() and not file.is_symlink() and not compiled and ".git" not in parts and file not in seen:
                seen.add(file)
                yield file


def _commit(repository: Path) -> None:
    for command in (("init", "-q"), ("add", "-A", "-f"), ("commit", "-q", "-m", "corpus")):
        run_git(["-C", str(repository), *_IDENTITY, *command], _GIT_SECONDS)


def needed(names: Iterable[str], known: Mapping[str, Corpus]) -> list[Corpus]:
    """The corpora of these names; one that corpora.json doesn't list is indexed whole."""
    return [known.get(name, Corpus(name)) for name in names]
