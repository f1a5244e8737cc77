"""What resolution sees of one snapshot: only files that the caller may read."""

from collections.abc import Sequence

from headwater.domain.document import FileFacts
from headwater.domain.resolution.source import Declared, SymbolId, is_top_package
from headwater.domain.scip.compiled import Compiled
from headwater.query.access import Access
from headwater.stores.index_reader import DocumentRow, Scope


class SnapshotFacts:
    """`FactsSource`. Handles are the catalog's document ids."""

    def __init__(self, access: Access, snapshot: int) -> None:
        self._access, self._snapshot, self.deadline = access, snapshot, access.deadline
        self._scope: Scope = (access.scope[snapshot],)
        self._rows: dict[int, DocumentRow] = {}
        self._by_path: dict[str, int | None] = {}
        self._folders: dict[str, bool] = {}
        self._packages: dict[str, list[str]] = {}
        self._defining: dict[str, list[Declared]] = {}
        self._declaring: dict[tuple[str, str], list[int]] = {}
        self._mentioning: dict[str, list[int]] = {}
        self._importing: dict[str, list[int]] = {}
        self._go_modules: dict[str, tuple[str, str] | None] = {}

    @property
    def size(self) -> int:
        """Documents and names known so far."""
        return len(self._rows) + len(self._defining) + len(self._mentioning)

    def row(self, document: int) -> DocumentRow:
        """The document that a handle stands for, numbered as in the snapshot alone."""
        return self._rows[document]

    def handle(self, row: DocumentRow) -> int:
        """Any row of this snapshot becomes known under its handle."""
        self._rows.setdefault(row.document_id, row)
        return row.document_id

    def path(self, document: int) -> str:
        return self._rows[document].path

    def facts(self, document: int) -> FileFacts:
        """Raises DeadlinePassedError, as all look-ups do."""
        self.deadline.check()
        return self._access.documents.document(self._rows[document]).facts

    def document_at(self, path: str) -> int | None:
        self.deadline.check()
        if path not in self._by_path:
            rows = [r for r in self._access.reader.document_at(self._scope, path) if self._readable(r)]
            self._by_path[path] = self.handle(rows[0]) if rows else None
        return self._by_path[path]

    def has_folder(self, path: str) -> bool:
        folder = path.strip("/")
        if folder not in self._folders:
            files = (f.path for f in self._access.reader.files(self._scope, folder) if f.status == "indexed")
            inside = (p for p in files if p.startswith(f"{folder}/") or not folder)
            self._folders[folder] = any(self._access.may_read(self._snapshot, p) for p in inside)
        return self._folders[folder]

    def top_packages(self, name: str) -> list[str]:
        if name not in self._packages:
            folders = self._access.reader.folders_named(self._scope, name, "__init__.py")
            self._packages[name] = [folder for folder in folders if is_top_package(self, folder)]
        return self._packages[name]

    def go_module(self, path: str) -> tuple[str, str] | None:
        return self._module_above(path.rpartition("/")[0])

    def compiled(self) -> Compiled | None:
        snapshot = self._scope[0]
        store = self._access.compiled
        return None if store is None else store.get(snapshot.view.repo, snapshot.commit)

    def defining(self, name: str) -> Sequence[Declared]:
        if name not in self._defining:
            self.deadline.check()
            rows = self._access.reader.symbols_named(self._scope, [name], 1_000_000)
            self._defining[name] = [
                Declared(SymbolId(self.handle(r.document), r.index), r.symbol, r.document.path)
                for r in rows
                if self._readable(r.document)
            ]
        return self._defining[name]

    def declaring_locally(self, name: str, beside: str) -> Sequence[int]:
        key = (name, beside)
        if key not in self._declaring:
            documents = self._containing(name, beside)
            local = [d for d in documents if any(s.local and s.name == name for s in self.facts(d).symbols)]
            self._declaring[key] = local
        return self._declaring[key]

    def mentioning(self, name: str) -> Sequence[int]:
        if name not in self._mentioning:
            self.deadline.check()
            rows = [r.document for r in self._access.reader.references_named(self._scope, [name])]
            self._mentioning[name] = self._handles([*rows, *self._importing_rows(name)])
        return self._mentioning[name]

    def importing(self, name: str) -> Sequence[int]:
        if name not in self._importing:
            self.deadline.check()
            self._importing[name] = self._handles(self._importing_rows(name))
        return self._importing[name]

    def _importing_rows(self, name: str) -> list[DocumentRow]:
        return self._access.reader.documents_importing(self._scope, name)

    def _containing(self, *texts: str) -> Sequence[int]:
        return self._handles(self._access.reader.documents_containing(self._scope, texts))

    def _handles(self, rows: Sequence[DocumentRow]) -> list[int]:
        return list(dict.fromkeys(self.handle(r) for r in rows if self._readable(r)))

    def _readable(self, row: DocumentRow) -> bool:
        return self._access.may_read(self._snapshot, row.path)

    def _module_above(self, folder: str) -> tuple[str, str] | None:
        passed: list[str] = []
        found: tuple[str, str] | None = None
        while folder not in self._go_modules:
            passed.append(folder)
            found = self._module_in(folder)
            if found is not None or not folder:
                break
            folder = folder.rpartition("/")[0]
        else:
            found = self._go_modules[folder]
        self._go_modules.update(dict.fromkeys(passed, found))
        return found

    def _module_in(self, folder: str) -> tuple[str, str] | None:
        document = self.document_at(f"{folder}/go.mod".lstrip("/"))
        module = self.facts(document).package if document is not None else ""
        return (folder, module) if module else None
