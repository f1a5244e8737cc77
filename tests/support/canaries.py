"""Source with unmistakable strings in it, every question about it, and the search for it in whatever is written."""

import base64
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import cramjam
import zstandard

from headwater.domain.asking import Asker
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FreshnessQuestion,
    GrepQuestion,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)

# What is source and nothing else. Names of code (modules, functions, parameters) are what pointers are made of.
CANARIES = (
    "qzcomment",
    "qzdocstring",
    "qzliteral",
    "qzargument",
    "qzdefault",
    "qzprose",
    "qzhidden",
    "735197424",
    "wombat_total = wombat_count",
    "weigh_wombats(herd",
)
FILES: dict[str, bytes] = {
    "zoo/keeper.py": b'''"""Feeds them. qzdocstring"""
import os


def weigh_wombats(herd, unit="qzdefault"):
    """Weighs every wombat, qzdocstring."""
    # qzcomment is why
    wombat_count = len(herd) * 735197424
    wombat_total = wombat_count + os.getpid()
    return report("qzliteral", wombat_total, send(herd, "qzargument", unit))


def report(*things):
    return things
''',
    "zoo/Keeper.java": b"""/** Feeds them, qzdocstring. */
class Keeper {
  // qzcomment
  int weigh(String herd) { return Wombats.count(herd, "qzargument") + 735197424; }
}
""",
    "zoo/NOTES.md": b"# Notes\n\nqzprose stands here, and qzcomment.\n",
    "zoo/big.txt": b"".join(b"line %d of qzprose\n" % n for n in range(20_000)),
    "zoo/wide.py": "# qzcomment\nx = 'qzliteral'\n".encode("utf-16"),
    "zoo/broken.py": b"def broken(:\n    'qzliteral'  # qzcomment\n  ]]\n",
    "zoo/notes.ipynb": b"""{"nbformat": 4, "cells": [
 {"cell_type": "code", "source": ["x = 1  # qzcomment"], "outputs": ["qzhidden"]}]}""",
    "zoo/key.pem": b"-----BEGIN PRIVATE KEY-----\nqzhidden" + b"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw" * 3 + b"\n",
    ".headwaterignore": b"zoo/left_out.txt\n",
    "zoo/left_out.txt": b"qzhidden\n",
}


def _forms(word: bytes) -> Iterator[bytes]:
    for spelling in (word, word.capitalize()):
        yield spelling
        yield spelling.hex().encode()
        yield spelling.decode().encode("utf-16-le")
        yield spelling.decode().encode("utf-16-be")
        for before in (b"", b" ", b"  "):  # base64 has three alignments; the characters at the edges hold neighbours
            yield base64.b64encode(before + spelling)[4 if before else 0 :].rstrip(b"=")[:-2]


_CANARY = {form: canary for canary in CANARIES for form in _forms(canary.encode())}
_EMPTY = b"\0" * 1024
WINDOW = 4 << 20  # bytes in which a packed part ends: more than any message or row
_ZSTD, _GZIP, _LZ4 = b"\x28\xb5\x2f\xfd", b"\x1f\x8b\x08", b"\x04\x22\x4d\x18"
_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")


def found_in(data: bytes) -> set[str]:
    """The canaries in these bytes: as they are, in UTF-16, hex or base64, or within a compressed part."""
    found = {canary for form, canary in _CANARY.items() if form in data}
    for part in _unpacked(data):
        found |= found_in(part)
    return found


def found_in_file(path: Path) -> set[str]:
    """In the file as it is, and in the rows of one that is a SQLite database."""
    data = path.read_bytes().replace(_EMPTY, b"")  # most of what brokers and stores reserve is empty
    found = found_in(data)
    if data.startswith(b"SQLite format 3\0"):
        for value in _cells(path):
            found |= found_in(value)
    return found


def found_below(folder: Path) -> dict[str, set[str]]:
    """By path, in every file below a folder."""
    files = (p for p in sorted(folder.rglob("*")) if p.is_file() and not p.is_symlink())
    results = {}
    for path in files:
        with suppress(FileNotFoundError, PermissionError):
            results[str(path.relative_to(folder))] = found_in_file(path)
    return {path: found for path, found in results.items() if found}


def found_in_parts(parts: Iterable[bytes]) -> set[str]:
    return {canary for part in parts for canary in found_in(part)}


def _unpacked(data: bytes) -> Iterator[bytes]:
    """What unpacks at the marks of the usual formats; whatever else has such a mark by chance fails at once."""
    view = memoryview(data)
    for at in _starts(data, _ZSTD):
        with suppress(zstandard.ZstdError, MemoryError):
            yield zstandard.ZstdDecompressor().decompressobj().decompress(view[at : at + WINDOW])
    for at in (*_starts(data, _GZIP), *(match.start() for match in _ZLIB.finditer(data))):
        unpacker = zlib.decompressobj(wbits=47)  # either header
        with suppress(zlib.error):
            yield unpacker.decompress(view[at : at + WINDOW])
    for at in _starts(data, _LZ4):
        with suppress(cramjam.DecompressionError):
            yield bytes(cramjam.lz4.decompress(data[at : at + WINDOW]))


def _starts(data: bytes, magic: bytes) -> Iterator[int]:
    at = data.find(magic)
    while at >= 0:
        yield at
        at = data.find(magic, at + 1)


def _cells(path: Path) -> Iterator[bytes]:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            with suppress(sqlite3.OperationalError, sqlite3.DatabaseError):
                for row in connection.execute(f'SELECT * FROM "{table}"'):
                    yield from (v if isinstance(v, bytes) else str(v).encode() for v in row if v is not None)
    finally:
        connection.close()


def ask_everything(asked: Asker) -> dict[str, str]:
    """The text in each kind of answer. No question holds a canary, so that logs of questions don't either."""
    everything: dict[str, str] = {}
    for name, query in (
        ("identifier", "weigh_wombats"),
        ("prose", "where is every wombat weighed"),
        ("usages", "usages of report"),
        ("literal", '"Weighs every"'),
        ("path", "zoo/keeper.py"),
    ):
        answer = asked.search(SearchQuestion(query=query))
        assert answer.degraded == ()
        everything[name] = "".join(r.snippet for r in answer.results)
    grep = asked.grep(GrepQuestion(pattern=r"q[z](literal|argument)", regex=True))
    everything["grep"] = "".join(r.snippet for r in grep.results)
    assert grep.complete
    definitions = asked.definitions(DefinitionsQuestion(symbol="weigh_wombats"))
    everything["definitions"] = "".join(r.snippet for r in definitions.results)
    everything["find usages"] = "".join(r.snippet for r in asked.usages(UsagesQuestion(symbol="report")).results)
    context = asked.context(ContextQuestion(query="how are wombats weighed"))
    everything["context"] = "".join(item.result.snippet for item in context.items)
    structural = asked.structural(StructuralQuestion(words="calls of report"))
    everything["structural"] = "".join(r.snippet for r in structural.results)
    assert structural.problems == ()
    asked.freshness(FreshnessQuestion())
    asked.views(FreshnessQuestion())
    return everything
