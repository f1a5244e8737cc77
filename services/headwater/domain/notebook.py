"""Jupyter notebooks: the source of their cells, and nothing of their outputs, as one text to parse and to search.

The text that a notebook's spans refer to is derived from the file. Each line of a cell stands on the line of the
.ipynb file that holds it, and every other line (outputs, metadata, JSON) is blank: where the notebook is stored as
Jupyter stores it, one source line a JSON line, line numbers are those of the file. Columns count in the cell's line.
A notebook stored in fewer lines than it has cell lines gets further lines; then numbers are those of the derived text.
Cells that are no code, and lines that are no code of the language (magics, shell escapes), become comments.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_SLASHES = frozenset(
    {"javascript", "typescript", "java", "scala", "kotlin", "csharp", "c#", "c++", "cpp", "rust", "go"}
)
_LINE_MAGIC = re.compile(r"^\s*(?:%{1,2}[A-Za-z]|!|\?{1,2}[\w.]+\s*$|[\w.]+\?{1,2}\s*$)")
_CELL_MAGIC = re.compile(r"^%%(\w+)")
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun", "memit", "snakeviz"})
_MAX_DEPTH = 100

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Notebook:
    """The derived text and the kernel's language, lower case."""

    text: str
    language: str


@dataclass(slots=True)
class _Cell:
    kind: str = "code"
    sources: list[tuple[int, str]] = field(default_factory=list)  # (line of the file, decoded string)


def is_notebook(path: str) -> bool:
    """By its name alone: the content is JSON."""
    return path.endswith(".ipynb")


def read_notebook(raw: str) -> Notebook | None:
    """The cells of a notebook of format 4 or newer; None when `raw` is none."""
    if _depth(raw) > _MAX_DEPTH:
        return None
    try:
        json.loads(raw)
    except ValueError:
        return None
    cells: dict[int, _Cell] = {}
    language = "python"
    starts = [m.end() for m in re.finditer(r"\n", raw)]
    for path, start, token in _strings(raw):
        match path:
            case ("metadata", "kernelspec", "language") | ("metadata", "language_info", "name"):
                language = str(json.loads(token)).lower()
            case ("cells", int(number), "cell_type"):
                cells.setdefault(number, _Cell()).kind = json.loads(token)
            case ("cells", int(number), "source") | ("cells", int(number), "source", int()):
                cells.setdefault(number, _Cell()).sources.append((bisect_right(starts, start) + 1, json.loads(token)))
    if not cells:
        return None
    rows: list[str] = []
    for _, cell in sorted(cells.items()):
        _place(rows, cell, language)
    lines = len(starts) + (not raw.endswith("\n"))
    rows.extend("" for _ in range(lines - len(rows)))
    return Notebook("\n".join(rows) + "\n", language)


def _depth(raw: str) -> int:
    """How deep the JSON nests, checked before what reads it recurses."""
    depth = deepest = 0
    for match in _TOKEN.finditer(raw):
        token = match.group()
        depth += (token in ("{", "[")) - (token in ("}", "]"))
        deepest = max(deepest, depth)
    return deepest


def _strings(raw: str) -> Iterator[tuple[Path, int, str]]:
    """Every string value of valid JSON: its path, where it starts, and its token."""
    path: list[str | int] = []
    key = ""
    expects_key = False
    for match in _TOKEN.finditer(raw):
        token = match.group()
        match token[0]:
            case "{" | "[":
                path.append("" if token == "{" else 0)
                expects_key = token == "{"
            case "}" | "]":
                path.pop()
                expects_key = False
            case ":":
                path[-1], expects_key = key, False
            case ",":
                last = path[-1]
                expects_key = isinstance(last, str)
                path[-1] = last if isinstance(last, str) else last + 1
            case '"' if expects_key:
                key = json.loads(token)
            case '"':
                yield tuple(path), match.start(), token


def _place(rows: list[str], cell: _Cell, language: str) -> None:
    """Append the cell's lines at the lines of the file that hold them."""
    placed: list[tuple[int, str]] = []
    open_line = False
    for line, source in cell.sources:
        parts = source.split("\n")
        if open_line and placed:
            placed[-1] = (placed[-1][0], placed[-1][1] + parts.pop(0))
        open_line = bool(parts) and parts[-1] != ""
        placed.extend((line, part) for part in (parts if open_line else parts[:-1]))
    if not placed:
        return
    texts = _readable([text.rstrip("\r") for _, text in placed], cell.kind, language)
    for (line, _), text in zip(placed, texts, strict=True):
        rows.extend("" for _ in range(line - 1 - len(rows)))
        rows.append(text)


def _readable(lines: list[str], kind: str, language: str) -> list[str]:
    """The cell's lines as the language can parse them."""
    mark = "// " if language in _SLASHES else "# "
    if kind != "code":
        return [mark + line for line in lines]
    if language != "python":
        return lines
    magic = _CELL_MAGIC.match(lines[0])
    if magic is not None and magic.group(1) not in _PYTHON_CELLS:
        return [mark + line for line in lines]
    return [_commented(line, mark) if _LINE_MAGIC.match(line) else line for line in lines]


def _commented(line: str, mark: str) -> str:
    bare = line.lstrip()
    return line[: len(line) - len(bare)] + mark + bare
