"""Whether a changed event schema still reads what was written under the old one. Consumers are upgraded first."""

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]


def breaking_changes(old: Schema, new: Schema) -> list[str]:
    """Each reason why a message valid under `old` may be invalid under `new`, with the place; empty when none."""
    return list(_Comparison(old, new).changes(old, new, "event", frozenset()))


class _Comparison:
    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old.get("$defs", {}), new.get("$defs", {})

    def changes(self, old: Schema, new: Schema, at: str, seen: frozenset[str]) -> Iterator[str]:
        """`seen` are the named types being compared, so that a recursive type ends."""
        name = old.get("$ref", "")
        if name and name in seen:
            return
        old, new, seen = _resolved(old, self._old), _resolved(new, self._new), seen | {name}
        if "anyOf" in old or "anyOf" in new:
            yield from self._alternatives(old, new, at, seen)
            return
        if old.get("type") != new.get("type") and not (old.get("type") == "integer" and new.get("type") == "number"):
            yield f"{at}: type {old.get('type')} became {new.get('type')}"
            return
        yield from _narrowed(old, new, at)
        yield from self._members(old, new, at, seen)
        yield from self._items(old, new, at, seen)

    def _members(self, old: Schema, new: Schema, at: str, seen: frozenset[str]) -> Iterator[str]:
        was, now = old.get("properties", {}), new.get("properties", {})
        for name in was:
            if name in now:
                yield from self.changes(was[name], now[name], f"{at}.{name}", seen)
            elif new.get("additionalProperties") is False:
                yield f"{at}.{name}: removed"
        for name in sorted(set(new.get("required", ())) - set(old.get("required", ()))):
            yield f"{at}.{name}: became required"

    def _items(self, old: Schema, new: Schema, at: str, seen: frozenset[str]) -> Iterator[str]:
        was, now = old.get("prefixItems", []), new.get("prefixItems", [])
        for position, (before, after) in enumerate(zip(was, now, strict=False)):
            yield from self.changes(before, after, f"{at}[{position}]", seen)
        if len(now) < len(was):
            yield f"{at}: {len(was) - len(now)} positions removed"
        if isinstance(old.get("items"), dict) and isinstance(new.get("items"), dict):
            yield from self.changes(old["items"], new["items"], f"{at}[]", seen)

    def _alternatives(self, old: Schema, new: Schema, at: str, seen: frozenset[str]) -> Iterator[str]:
        accepted = new.get("anyOf", [new])
        for before in old.get("anyOf", [old]):
            if all(list(self.changes(before, after, at, seen)) for after in accepted):
                yield f"{at}: no longer accepts {before.get('type') or before.get('$ref')}"


def _resolved(schema: Schema, definitions: Schema) -> Schema:
    reference = schema.get("$ref")
    return definitions[reference.rpartition("/")[2]] if reference else schema


def _narrowed(old: Schema, new: Schema, at: str) -> Iterator[str]:
    if "enum" in new:
        for value in old.get("enum", ["anything"]):
            if value not in new["enum"]:
                yield f"{at}: value {value} removed"
    for bound, tighter in (("minimum", 1), ("minLength", 1), ("minItems", 1), ("maximum", -1), ("maxLength", -1)):
        if bound in new and (bound not in old or (new[bound] - old[bound]) * tighter > 0):
            yield f"{at}: {bound} tightened to {new[bound]}"
    if new.get("contentEncoding") != old.get("contentEncoding"):
        yield f"{at}: encoding changed"
