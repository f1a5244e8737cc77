"""A folder of source files analysed in memory: the facts of a corpus without a server, for measuring resolution."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from headwater.domain.document import FileFacts, SymbolKind
from headwater.domain.resolution.source import SymbolId

Analyse = Callable[[str, bytes], FileFacts]  # path and content to facts


class FolderCorpus:
    """Implements `FactsSource` over the files of a folder, everything held in memory."""

    def __init__(self, root: Path, files: Sequence[str], analyse: Analyse) -> None:
        self._paths = list(files)
        self._at = {path: i for i, path in enumerate(files)}
        self._folders = {"/".join(p.split("/")[:n]) for p in files for n in range(1, p.count("/") + 1)}
        self._modules = _go_modules(root)
        self._facts: list[FileFacts] = []
        self._defining: dict[str, list[SymbolId]] = defaultdict(list)
        self._local: dict[str, dict[int, None]] = defaultdict(dict)
        self._mentioning: dict[str, dict[int, None]] = defaultdict(dict)
        self._importing: dict[str, dict[int, None]] = defaultdict(dict)
        for document, path in enumerate(files):
            self._add(document, analyse(path, (root / path).read_bytes()))

    def _add(self, document: int, facts: FileFacts) -> None:
        self._facts.append(facts)
        for i, symbol in enumerate(facts.symbols):
            if not symbol.local:
                self._defining[symbol.name].append(SymbolId(document, i))
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

    def go_module(self, path: str) -> tuple[str, str] | None:
        folder = path.rpartition("/")[0]
        while True:
            if folder in self._modules:
                return folder, self._modules[folder]
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def defining(self, name: str) -> Sequence[SymbolId]:
        return self._defining.get(name, ())

    def declaring_locally(self, name: str) -> Sequence[int]:
        return tuple(self._local.get(name, ()))

    def mentioning(self, name: str) -> Sequence[int]:
        return tuple(self._mentioning.get(name, ()))

    def importing(self, name: str) -> Sequence[int]:
        return tuple(self._importing.get(name, ()))


def _go_modules(root: Path) -> dict[str, str]:
    """Folder to module path of each go.mod."""
    found = {}
    for file in root.rglob("go.mod"):
        folder = str(file.parent.relative_to(root))
        lines = file.read_text("utf-8", "replace").splitlines()
        module = next((line.split()[1] for line in lines if line.startswith("module ")), "")
        found["" if folder == "." else folder] = module.strip('"')
    return found
