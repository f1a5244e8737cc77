"""A real catalog filled from dictionaries of files, without git: what the query plane is tested on."""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from headwater.ast_chunker.process import analyse_file
from headwater.clients.embedding_model import ChunkText, EmbeddingModel, Int8Matrix
from headwater.domain.merkle import EntryChange
from headwater.domain.path import path_to_git
from headwater.domain.tree import Mode, TreeEntry, hash_blob
from headwater.domain.tree_object import hash_tree
from headwater.domain.view import ViewKey
from headwater.stores.catalog import DocumentWrite, Repository
from headwater.stores.sqlite_catalog import SqliteCatalog
from headwater.stores.vector_store import Loss, VectorHit

MAIN = "refs/heads/main"


class MemoryVectors:
    """VectorStore by exact scan."""

    def __init__(self) -> None:
        self._rows: dict[str, Int8Matrix] = {}

    def upsert(self, hashes: Sequence[str], vectors: Int8Matrix) -> None:
        self._rows.update(zip(hashes, vectors, strict=True))

    def delete(self, hashes: Sequence[str]) -> None:
        for name in hashes:
            self._rows.pop(name, None)

    def present(self, hashes: Sequence[str]) -> set[str]:
        return set(hashes) & self._rows.keys()

    def search(self, query: Int8Matrix, limit: int) -> list[VectorHit]:
        return self._nearest(query, list(self._rows), limit)

    def lost(self, hashes: Sequence[str]) -> dict[str, Loss]:
        return {h: Loss.ABSENT for h in hashes if h not in self.present(hashes)}

    def intact(self) -> bool:
        return True

    def search_within(self, query: Int8Matrix, hashes: Sequence[str], limit: int) -> list[VectorHit]:
        return self._nearest(query, [h for h in hashes if h in self._rows], limit)

    def hashes(self) -> Iterator[str]:
        return iter(self._rows)

    def count(self) -> int:
        return len(self._rows)

    def _nearest(self, query: Int8Matrix, names: list[str], limit: int) -> list[VectorHit]:
        if not names:
            return []
        matrix = np.stack([self._rows[n] for n in names]).astype(np.int32)
        scores = (matrix @ query.astype(np.int32)) / 127.0**2
        ranked = sorted(zip(-scores, names, strict=True))
        return [VectorHit(name, float(-score)) for score, name in ranked[:limit]]


class SmallIndex:
    """Commits are whole trees; each is published at once."""

    def __init__(self, folder: Path, model: EmbeddingModel) -> None:
        self.model, self.vectors = model, MemoryVectors()
        self.catalog = SqliteCatalog(folder / "catalog.db", model.version)
        self._trees: dict[ViewKey, dict[str, str]] = {}

    def commit(
        self, files: Mapping[str, str | bytes], repo: str = "shop", ref: str = MAIN, publish: bool = True
    ) -> str:
        """The commit id of the view's new tree."""
        view = ViewKey(repo, ref)
        contents = {p: c.encode() if isinstance(c, str) else c for p, c in files.items()}
        blobs = {p: hash_blob(c) for p, c in contents.items()}
        before = self._trees.get(view, {})
        changes = [
            EntryChange(p, _entry(p, before.get(p)), _entry(p, blobs.get(p)))
            for p in sorted(before.keys() | blobs.keys())
            if before.get(p) != blobs.get(p)
        ]
        state = self.catalog.view(view)
        base = state.opened if state else 0
        commit = hashlib.sha1(repr((view, base, sorted(blobs.items()))).encode()).hexdigest()
        self.catalog.add_repository(Repository(repo, f"/repositories/{repo}"))
        generation = self.catalog.open_generation(view, base, commit, root_of(blobs), time.time(), changes)
        self._write({c.path: contents[c.path] for c in changes if c.new is not None}, blobs)
        if publish:
            assert self.catalog.publish(view, generation, True, time.time())
        self._trees[view] = blobs
        return commit

    def _write(self, contents: Mapping[str, bytes], blobs: Mapping[str, str]) -> None:
        version = self.model.version
        made = [analyse_file(p, Mode.FILE, blobs[p], c, version) for p, c in contents.items()]
        self.catalog.put_documents([DocumentWrite(document, text) for document, text in made])
        for document, text in made:
            raw = (text or "").encode()
            chunks = [
                ChunkText(document.path, c.scopes, c.doc, c.imports, raw[c.span.start_byte : c.span.end_byte].decode())
                for c in document.chunks
            ]
            if chunks:
                hashes = [c.content_hash for c in document.chunks]
                self.vectors.upsert(hashes, self.model.embed_chunks(chunks))
                self.catalog.mark_embedded(hashes)

    def close(self) -> None:
        self.catalog.close()


def _entry(path: str, blob: str | None) -> TreeEntry | None:
    return None if blob is None else TreeEntry(Mode.FILE, path.rsplit("/", 1)[-1], blob)


def root_of(blobs: Mapping[str, str]) -> str:
    """The git tree id of these files."""
    entries: list[TreeEntry] = []
    below: dict[str, dict[str, str]] = {}
    for path, blob in blobs.items():
        head, slash, rest = path.partition("/")
        if slash:
            below.setdefault(head, {})[rest] = blob
        else:
            entries.append(TreeEntry(Mode.FILE, head, blob))
    entries += [TreeEntry(Mode.TREE, name, root_of(tree)) for name, tree in below.items()]
    return hash_tree(sorted(entries, key=lambda e: path_to_git(e.name)))
