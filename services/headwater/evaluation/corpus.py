"""Source files analysed in memory: the facts of a corpus without a server, for measuring resolution."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from headwater.domain.document import FileFacts, SymbolKind
from headwater.domain.resolution.source import Declared, SymbolId, is_top_package
from headwater.domain.scip.compiled import Compiled

Analyse = Callable[[str, bytes], FileFacts]  # path and content to facts


class MemoryCorpus:
    """Implements `FactsSource` over files given as (path, content), everything held in memory."""

    def __init__(self, files: Iterable[tuple[str, bytes]], analyse: Analyse, compiled: Compiled | None = None) -> None:
        self._compiled = compiled
        self._paths: list[str] = []
        self._folders: set[str] = set()
        self._modules: dict[str, str] = {}
        self._facts: list[FileFacts] = []
        self._defining: dict[str, list[Declared]] = defaultdict(list)
        self._local: dict[str, dict[int, None]] = defaultdict(dict)
        self._mentioning: dict[str, dict[int, None]] = defaultdict(dict)
        self._importing: dict[str, dict[int, None]] = defaultdict(dict)
        for path, content in sorted(files):
            folder, _, name = path.rpartition("/")
            if name == "go.mod":
                self._modules[folder] = _go_module(content)
                continue
            self._folders |= {"/".join(path.split("/")[:n]) for n in range(1, path.count("/") + 1)}
            self._paths.append(path)
            self._add(len(self._paths) - 1, analyse(path, content))
        self._at = {path: i for i, path in enumerate(self._paths)}

    def _add(self, document: int, facts: FileFacts) -> None:
        self._facts.append(facts)
        for i, symbol in enumerate(facts.symbols):
            if not symbol.local:
                declared = Declared(SymbolId(document, i), symbol, self._paths[document])
                self._defining[symbol.name].append(declared)
            elif symbol.kind in (SymbolKind.METHOD, SymbolKind.FIELD, SymbolKind.ACCESSOR):
                self._local[symbol.name][document] = None
        for reference in facts.references:
            if reference.target < 0 or not facts.symbols[reference.target].local:
                self._mentioning[reference.name][document] = None
        for one in facts.imports:
            if one.name:
                self._mentioning[one.name][document] = None
                self._importing[one.name][document] = None

    def path(self, document: int) -> str:
        return self._paths[document]

    def facts(self, document: int) -> FileFacts:
        return self._facts[document]

    def document_at(self, path: str) -> int | None:
        return self._at.get(path)

    def has_folder(self, path: str) -> bool:
        return path in self._folders

    def top_packages(self, name: str) -> list[str]:
        found = (folder for folder in sorted(self._folders) if folder.rpartition("/")[2] == name)
        return [folder for folder in found if is_top_package(self, folder)]

    def go_module(self, path: str) -> tuple[str, str] | None:
        folder = path.rpartition("/")[0]
        while True:
            if folder in self._modules:
                return folder, self._modules[folder]
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def compiled(self) -> Compiled | None:
        return self._compiled

    def defining(self, name: str) -> Sequence[Declared]:
        return self._defining.get(name, ())

    def declaring_locally(self, name: str, beside: str) -> Sequence[int]:
        return tuple(self._local.get(name, ()))

    def mentioning(self, name: str) -> Sequence[int]:
        return tuple(self._mentioning.get(name, ()))

    def importing(self, name: str) -> Sequence[int]:
        return tuple(self._importing.get(name, ()))


def _go_module(content: bytes) -> str:
    """The module path that a go.mod declares."""
    lines = content.decode("utf-8", "replace").splitlines()
    return next((line.split()[1].strip('"') for line in lines if line.startswith("module ")), "")


def read_files(root: Path, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """These files of a folder, and every go.mod in it."""
    modules = (str(f.relative_to(root)) for f in root.rglob("go.mod"))
    for path in {*paths, *modules}:
        if (root / path).is_file():
            yield path, (root / path).read_bytes()
