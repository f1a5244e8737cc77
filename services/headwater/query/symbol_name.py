"""Names as people write them: Type.member, Type#member, Type::member, (*Type).method, pkg.Name, a/module/path.name."""

import re
from pathlib import PurePosixPath

import msgspec

MAX_LENGTH = 512
_CALL = re.compile(r"\(([^()]*)\)?$")
_POINTER = re.compile(r"\(\s*[*&]?\s*([\w.]+)\s*\)")
_GENERIC = re.compile(r"<[^<>]*>|\[[^\[\]]*\]$")
_SEPARATOR = re.compile(r"::|->|[.#/\\:]")
_SHAPE = re.compile(r"[*&@~$]*[^\W\d]?[\w$]*(?:-[\w$]+)*[!?=]?")


class SymbolName(msgspec.Struct, frozen=True):
    """`containers` outermost first; `parameters` only where the question spells an overload."""

    name: str
    containers: tuple[str, ...] = ()
    parameters: tuple[str, ...] | None = None


def parse_symbol_name(text: str) -> SymbolName | None:
    """None when the text can't be a name."""
    if len(text) > MAX_LENGTH:
        return None
    text = text.strip().strip("`'\"").strip()
    text = _POINTER.sub(r"\1", text) if text.startswith("(") else text
    parameters: tuple[str, ...] | None = None
    call = _CALL.search(text)
    if call and call.start() > 0:
        inner = call[1].strip()
        parameters = tuple(p.strip() for p in inner.split(",")) if inner else None
        text = text[: call.start()]
    while (plain := _GENERIC.sub("", text)) != text:
        text = plain
    parts = [p for p in _SEPARATOR.split(text.strip(".#/\\:")) if p]
    if not parts or not all(_SHAPE.fullmatch(p) for p in parts) or not any(c.isalpha() or c == "_" for c in parts[-1]):
        return None
    cleaned = [p.lstrip("*&@~") for p in parts]
    return SymbolName(cleaned[-1], tuple(c for c in cleaned[:-1] if c), parameters)


def matched_containers(wanted: tuple[str, ...], qualified: str, path: str) -> int | None:
    """How well a definition lies in the containers asked for: 0 is exact adjacency, None is no match.

    The innermost container must be one of the definition's own, or its module's path; containers further out may
    skip levels, and outermost ones that name nothing here (a distribution, a crate) cost a point each.
    """
    if not wanted:
        return 0
    module = PurePosixPath(path)
    own = _SEPARATOR.split(qualified)[:-1]
    location = [*module.parent.parts, module.stem]
    if own[-len(wanted) :] == list(wanted):
        return 0
    levels = [*location, *own]
    cost, at = 1, len(levels)
    for position, container in enumerate(reversed(wanted)):
        found = _last(levels, container, at)
        if found is None:
            return None if position == 0 else cost + 10 * (len(wanted) - position)
        cost += at - 1 - found
        at = found
    return cost


def _last(levels: list[str], container: str, before: int) -> int | None:
    for i in range(before - 1, -1, -1):
        if levels[i] == container or levels[i].replace("-", "_") == container:
            return i
    return None


def matches_parameters(wanted: tuple[str, ...] | None, declared: tuple[str, ...]) -> bool:
    """Whether an overload has the parameter types asked for; simple names suffice."""
    if wanted is None:
        return True
    return len(wanted) == len(declared) and all(
        not d or _simple(w) == _simple(d) for w, d in zip(wanted, declared, strict=True)
    )


def _simple(type_name: str) -> str:
    return _GENERIC.sub("", type_name.replace("...", "[]")).rsplit(".", 1)[-1].strip()
