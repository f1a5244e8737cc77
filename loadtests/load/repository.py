"""A bare repository that grows commit by commit, and the hook call that tells of each."""

import http.client
from collections.abc import Mapping
from pathlib import Path

import pygit2

MAIN = "refs/heads/main"
_WHO = pygit2.Signature("A Load", "load@example.com")
_WORDS = (
    *("order", "invoice", "token", "session", "cache", "worker", "stream", "ledger"),
    *("parcel", "route", "ticket", "budget", "grant", "image", "queue", "shelf"),
)


def source(number: int, revision: int = 0, functions: int = 3) -> bytes:
    """A module of its own: names and constants depend on its number, one constant on the revision."""
    first, second = _WORDS[number % 16], _WORDS[number // 16 % 16]
    lines = [f'"""The {first} {second} of case {number}."""', "", "import math", ""]
    for index in range(functions):
        changing = revision if index == 0 else 0
        lines += [
            "",
            f"def {first}_{second}_{number}_{index}(amount, rate={index + 1}):",
            f'    """Work out the {second} share of a {first}, step {index}."""',
            f"    base = amount * {number} + {changing}",
            "    if base < rate:",
            f"        return math.floor(base / {index + 2})",
            f"    return base % {number + 7}",
            "",
        ]
    return "\n".join(lines).encode()


class LoadRepository:
    """Files lie in folders, one level deep."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        self.commits: list[str] = []
        self._repo = pygit2.init_repository(str(path), bare=True, initial_head="main")
        self._root = self._repo.TreeBuilder().write()

    def commit(self, changes: Mapping[str, bytes | None]) -> str:
        """A commit with these files written (None: removed) and the branch moved to it."""
        by_folder: dict[str, dict[str, bytes | None]] = {}
        for path, content in changes.items():
            folder, _, name = path.rpartition("/")
            by_folder.setdefault(folder, {})[name] = content
        root = self._repo.TreeBuilder(self._repo[self._root])
        for folder, files in by_folder.items():
            self._change(root, folder, files)
        self._root = root.write()
        parents = [self.commits[-1]] if self.commits else []
        oid = self._repo.create_commit(None, _WHO, _WHO, "a change", self._root, parents)
        self._repo.references.create(MAIN, oid, force=True)
        self.commits.append(str(oid))
        return str(oid)

    def files(self) -> dict[str, str]:
        """Path to blob id at the head."""
        return {f"{folder.name}/{entry.name}": str(entry.id) for folder in self._repo[self._root] for entry in folder}

    def _change(self, root: pygit2.TreeBuilder, folder: str, files: Mapping[str, bytes | None]) -> None:
        known = root.get(folder)
        builder = self._repo.TreeBuilder(self._repo[known.id]) if known is not None else self._repo.TreeBuilder()
        for name, content in files.items():
            if content is None:
                builder.remove(name)
            else:
                builder.insert(name, self._repo.create_blob(content), pygit2.enums.FileMode.BLOB)
        if len(builder):
            root.insert(folder, builder.write(), pygit2.enums.FileMode.TREE)
        elif known is not None:
            root.remove(folder)


def call_hook(address: str, token: str, repository: LoadRepository) -> None:
    """As git's post-receive hook does. Raises OSError unless it is taken."""
    before, after = (["0" * 40, *repository.commits])[-2:]
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        headers = {"X-Headwater-Token": token, "X-Headwater-Repository": repository.name}
        connection.request("POST", "/hook", f"{before} {after} {MAIN}\n", headers)
        reply = connection.getresponse()
        if reply.status != 202:
            raise OSError(f"the hook answered {reply.status} {reply.read().decode()}")
    finally:
        connection.close()
