"""A policy's text as plain values: YAML and JSON without what hides rules, each problem with its line."""

import json
from collections.abc import Sequence
from typing import Any

import yaml

from headwater.domain.policy import PolicyError

_BYTE_ORDER_MARK = "\ufeff"
_TEXT, _NUMBER = "tag:yaml.org,2002:str", "tag:yaml.org,2002:int"


class PolicyText:
    """`tree` is for `parse_policy`, which names problems by key; `line` says where a key stands."""

    def __init__(self, content: bytes, is_json: bool) -> None:
        """Raises PolicyError."""
        try:
            text = content.decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
        except UnicodeDecodeError as error:
            raise PolicyError("it isn't UTF-8: save it in that encoding") from error
        try:
            self._node = None if is_json else yaml.compose(text, _Loader)
            self._text = text if is_json else ""
            self.tree = json.loads(text, object_pairs_hook=_once) if is_json else _value(self._node)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            why = "nested too deep" if isinstance(error, RecursionError) else " ".join(str(error).split())
            raise PolicyError(f"it is no {'JSON' if is_json else 'YAML'}: {why}") from error

    def line(self, at: Sequence[str | int]) -> int:
        """Of the value, or of the last one around it that is there; from 1, 0 where it can't be said."""
        try:
            node = self._node or yaml.compose(self._text, _Loader)
        except (yaml.YAMLError, RecursionError):  # JSON that YAML reads otherwise
            return 0
        for step in at:
            if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
                node = node.value[step]
            elif isinstance(node, yaml.MappingNode):
                node = next((value for key, value in node.value if key.value == step), node)
        return int(node.start_mark.line) + 1 if node is not None else 0


class _Loader(yaml.SafeLoader):
    """YAML without anchors, aliases and tags: they hide what a rule says, and "*x" and "!x" are patterns unquoted."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise yaml.YAMLError(f"line {event.start_mark.line + 1}: aliases are not allowed: quote '*' and '&'")
        if getattr(event, "tag", None) is not None:
            raise yaml.YAMLError(f"line {event.start_mark.line + 1}: tags are not allowed: quote '!'")
        return super().compose_node(parent, index)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _check_keys([key for key, _ in pairs], "")
    return dict(pairs)


def _check_keys(keys: Sequence[str], where: str) -> None:
    """Raises YAMLError when one hides another."""
    doubles = sorted({key for key in keys if keys.count(key) > 1})
    if doubles:
        raise yaml.YAMLError(f"{where}{', '.join(map(repr, doubles))} stands twice")


def _value(node: yaml.Node | None) -> Any:
    """Raises YAMLError for a scalar that isn't text as it stands."""
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        keys = [str(_scalar(key)) for key, _ in node.value]
        _check_keys(keys, _at(node))
        return dict(zip(keys, (_value(value) for _, value in node.value), strict=True))
    return None if node is None else _scalar(node)


def _scalar(node: yaml.Node) -> str | int:
    if not isinstance(node, yaml.ScalarNode):
        raise yaml.YAMLError(f"{_at(node)}a key is one text")
    if node.start_mark.line != node.end_mark.line:
        raise yaml.YAMLError(f"{_at(node)}a text on several lines: write each on one")
    if node.tag == _NUMBER and node.value.isascii() and node.value.isdigit() and str(int(node.value)) == node.value:
        return int(node.value)
    if node.tag != _TEXT:
        kind = node.tag.rpartition(":")[2]
        raise yaml.YAMLError(f"{_at(node)}'{node.value[:80]}' is read as {kind}: quote it, or write what is meant")
    return str(node.value)


def _at(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}: "
