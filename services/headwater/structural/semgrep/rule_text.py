"""Reads the YAML of Semgrep rules that a caller wrote: one plain document, without what makes a short text large."""

from typing import Any

import yaml

from headwater.structural.too_large import TooLargeError

_MOST_DEPTH = 24
_MOST_PARTS = 4_000
_SHARED = "anchors, aliases, tags and merge keys are not read here: write the rule out"


def read_document(text: str, most_bytes: int) -> object:
    """Strings, numbers, lists and mappings. Raises TooLargeError; ValueError for anything else and what is no YAML."""
    if len(text.encode("utf-8", "replace")) > most_bytes:
        raise TooLargeError(
            "structural_text_bytes", f"the rules have more than {most_bytes} bytes: ask for less at once"
        )
    try:
        _check_events(text)
        return yaml.load(text, Loader=_Plain)
    except yaml.YAMLError as error:
        raise ValueError(f"not YAML: {' '.join(str(error).split())[:300]}") from error


def _check_events(text: str) -> None:
    """The parser's events come one by one: nothing is built, and nothing nests, before this has seen all."""
    depth = documents = 0
    for parts, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader), 1):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) or _is_tagged(event):
            raise ValueError(f"{_SHARED} - at line {_line(event.start_mark)}")
        documents += isinstance(event, yaml.DocumentStartEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MOST_DEPTH:
            raise TooLargeError("structural_depth", f"rules nest at most {_MOST_DEPTH} levels deep")
        if parts > _MOST_PARTS:
            raise TooLargeError("structural_steps", f"rules have at most {_MOST_PARTS} keys and values")
        if documents > 1:
            raise ValueError("one YAML document holds all rules: leave out the second")


def _line(mark: Any) -> int:
    return int(mark.line) + 1


def _is_tagged(event: yaml.Event) -> bool:
    return isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None) is not None


class _Plain(yaml.SafeLoader):
    """What JSON has, too: no dates, no numbers in base 60, and each key once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            place = f"at line {_line(key_node.start_mark)}"
            if not isinstance(key, str) or key == "<<":
                raise ValueError(f"a key is a text, and {_SHARED} - {place}")
            if key in found:
                raise ValueError(f"the key '{key[:40]}' is twice in one mapping: give it once - {place}")
            found[key] = self.construct_object(value_node, deep=True)
        return found


def _text(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


def _mapping(loader: _Plain, node: yaml.MappingNode) -> dict[Any, Any]:
    return loader.construct_mapping(node)


for _kind in ("int", "float", "timestamp", "merge", "value", "binary"):
    _Plain.add_constructor(f"tag:yaml.org,2002:{_kind}", _text)
_Plain.add_constructor("tag:yaml.org,2002:map", _mapping)
