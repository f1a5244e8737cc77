"""Over which files of a corpus the compilers' answers are complete."""

from pathlib import Path

import msgspec


class CorpusScope(msgspec.Struct, frozen=True):
    """Files by extension and folder; "." is the whole corpus."""

    ext: tuple[str, ...] = ()
    under: tuple[str, ...] = (".",)
    leave_out: tuple[str, ...] = ()

    def covers(self, path: str) -> bool:
        if self.ext and not path.endswith(self.ext):
            return False
        if path in self.leave_out:
            return False
        return any(u == "." or path.startswith(u.rstrip("/") + "/") for u in self.under)


class _Scopes(msgspec.Struct):
    scopes: dict[str, CorpusScope]


def read_scopes(file: Path) -> dict[str, CorpusScope]:
    return msgspec.json.decode(file.read_bytes(), type=_Scopes).scopes
