"""One surface under attack: which inputs it is given, and what must hold for each of them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

CORPUS = Path(__file__).parent / "corpus"
_BYTES, _TUPLE = "$bytes", "$tuple"


@dataclass(frozen=True, slots=True)
class Target:
    """`check` raises for an input that breaks a promise; inputs are what JSON has, bytes and tuples."""

    name: str
    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]
    brief: int = 40  # inputs in a run of the test suite

    def run(self, examples: int, shrink: bool = True) -> None:
        """Try so many inputs. Raises what the first one that fails raises, once it is made small."""
        phases = set(Phase) - {Phase.explain} - (set() if shrink else {Phase.shrink})

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        )
        @given(self.inputs)
        def attack(value: Any) -> None:
            self.check(value)

        attack()

    @property
    def folder(self) -> Path:
        """Inputs that broke a promise once."""
        return CORPUS / self.name

    def kept(self) -> list[Any]:
        """Every input of the corpus, in a stable order."""
        return [decode(file.read_text()) for file in sorted(self.folder.glob("*.json"))]

    def keep(self, value: Any) -> Path:
        """Add an input to the corpus."""
        text = encode(value)
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{sha256(text.encode()).hexdigest()[:16]}.json"
        file.write_text(text)
        return file


def encode(value: Any) -> str:
    """JSON of an input; any text survives, lone surrogates too."""
    return json.dumps(_plain(value), indent=1) + "\n"


def decode(text: str) -> Any:
    """What `encode` was given."""
    return _original(json.loads(text))


def _plain(value: Any) -> Any:
    match value:
        case bytes():
            return {_BYTES: value.hex()}
        case tuple():
            return {_TUPLE: [_plain(item) for item in value]}
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case _:
            return value


def _original(value: Any) -> Any:
    match value:
        case {"$bytes": str(text)}:
            return bytes.fromhex(text)
        case {"$tuple": list(items)}:
            return tuple(_original(item) for item in items)
        case list():
            return [_original(item) for item in value]
        case dict():
            return {key: _original(item) for key, item in value.items()}
        case _:
            return value
