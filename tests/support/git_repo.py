"""Builds real git repositories object by object: any path bytes, any mode, no working tree."""

from pathlib import Path

import pygit2

from headwater.domain.path import path_to_git
from headwater.domain.tree import Mode

File = bytes | tuple[int, bytes]  # content, or (mode, content; a submodule's content is its commit id in hex)
Files = dict[str, File]

_WHO = pygit2.Signature("A Dev", "dev@example.com", 1_700_000_000, 0)


class RepoBuilder:
    """A bare repository; `files` maps domain paths (see domain/path.py) to contents."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.repo = pygit2.init_repository(str(path), bare=True, initial_head="main")

    def commit(self, files: Files, ref: str = "refs/heads/main", parents: list[str] | None = None) -> str:
        """Commit exactly these files and point `ref` there. Parents default to the ref's commit."""
        tree = self.tree(files)
        former = [str(self.repo.references[ref].target)] if ref in self.repo.references else []
        oid = self.repo.create_commit(
            None, _WHO, _WHO, "a change", tree, [pygit2.Oid(hex=p) for p in (former if parents is None else parents)]
        )
        self.point(ref, str(oid))
        return str(oid)

    def point(self, ref: str, commit: str) -> None:
        """Force the ref to a commit."""
        self.repo.references.create(ref, pygit2.Oid(hex=commit), force=True)

    def delete(self, ref: str) -> None:
        self.repo.references.delete(ref)

    def tree(self, files: Files) -> pygit2.Oid:
        """Write the trees of these files and return the root's id."""
        nested: dict[bytes, object] = {}
        for path, file in files.items():
            *folders, name = path_to_git(path).split(b"/")
            level = nested
            for folder in folders:
                level = level.setdefault(folder, {})  # type: ignore[assignment]
            level[name] = file if isinstance(file, tuple) else (int(Mode.FILE), file)
        return self._write(nested)

    def _write(self, level: dict[bytes, object]) -> pygit2.Oid:
        rows: list[tuple[bytes, bytes]] = []  # raw, since pygit2's tree builder takes no bytes that are not UTF-8
        for name, item in level.items():
            if isinstance(item, dict):
                rows.append((name + b"/", b"40000 " + name + b"\0" + self._write(item).raw))
                continue
            mode, content = item  # type: ignore[misc]
            oid = pygit2.Oid(hex=content.decode()) if mode == Mode.SUBMODULE else self.repo.create_blob(content)
            rows.append((name, b"%o " % mode + name + b"\0" + oid.raw))
        return self.repo.write(int(pygit2.enums.ObjectType.TREE), b"".join(row for _, row in sorted(rows)))
