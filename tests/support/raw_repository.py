"""Git objects written byte by byte: what no git program would write, and what disks and attackers leave behind."""

import hashlib
import zlib
from pathlib import Path

_SKELETON = ("objects/info", "objects/pack", "refs/heads", "refs/tags", "hooks", "info")


class RawRepository:
    """A bare repository; nothing that is put into it is checked."""

    def __init__(self, folder: Path, config: bytes = b"") -> None:
        self.folder = folder
        for name in _SKELETON:
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "HEAD").write_bytes(b"ref: refs/heads/main\n")
        (folder / "config").write_bytes(b"[core]\n\trepositoryformatversion = 0\n\tbare = true\n" + config)
        self.written: list[str] = []

    def put(self, kind: bytes, body: bytes) -> str:
        """The id of the object with this content."""
        raw = kind + b" %d\0" % len(body) + body
        oid = hashlib.sha1(raw, usedforsecurity=False).hexdigest()
        file = self.file(oid)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(zlib.compress(raw, 1))
        self.written.append(oid)
        return oid

    def tree(self, entries: list[tuple[bytes, bytes, str]]) -> str:
        """Of (mode as written, name, id), in the order given."""
        return self.put(
            b"tree", b"".join(mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
        )

    def commit(self, tree: str, parents: tuple[str, ...] = ()) -> str:
        lines = [f"tree {tree}", *(f"parent {p}" for p in parents)]
        who = "A Dev <dev@example.com> 1700000000 +0000"
        lines += [f"author {who}", f"committer {who}", "", "a change", ""]
        return self.put(b"commit", "\n".join(lines).encode())

    def point(self, ref: str, content: str) -> None:
        """Any text may stand in a ref's file."""
        file = self.folder / ref
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)

    def file(self, oid: str) -> Path:
        return self.folder / "objects" / oid[:2] / oid[2:]

    def damage(self, oid: str, how: str) -> None:
        """The object is left `gone`, `empty`, `cut`, `zeroed`, `flipped` or `other` (another object's bytes)."""
        file = self.file(oid)
        content = file.read_bytes()
        match how:
            case "gone":
                file.unlink()
            case "empty":
                file.write_bytes(b"")
            case "cut":
                file.write_bytes(content[: len(content) // 2])
            case "zeroed":
                file.write_bytes(bytes(len(content)))
            case "flipped":
                file.write_bytes(content[:-3] + bytes([content[-3] ^ 0x55]) + content[-2:])
            case "other":
                file.write_bytes(zlib.compress(b"blob 5\0other"))

    def mend(self, oid: str, content: bytes) -> None:
        self.file(oid).write_bytes(content)
