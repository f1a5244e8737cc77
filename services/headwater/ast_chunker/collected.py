"""What the queries found in one file, before scopes give it meaning."""

from dataclasses import dataclass, field
from typing import Any

from headwater.ast_chunker.languages.registry import Pattern


@dataclass(slots=True)
class RawDefinition:
    """A definition as matched. All positions are byte offsets."""

    pattern: Pattern
    kind: str
    name: str
    name_start: int
    start: int
    end: int
    span_start: int
    span_end: int
    signature: str = ""
    parameters: tuple[int, int] | None = None
    type: str = ""
    bases: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    receiver: str = ""
    body_start: int = -1
    value_end: int = -1

    @property
    def settings(self) -> dict[str, Any]:
        return self.pattern.settings


@dataclass(slots=True)
class RawReference:
    """A use as matched. `bound` says whether lexical scope may bind it."""

    kind: str
    name: str
    start: int
    bound: bool
    label: bool = False
    types: bool = False  # binds to types only
    receiver: str = ""
    arguments: tuple[str, ...] | None = None


@dataclass(slots=True)
class RawImport:
    """One imported binding as matched. `bind_start` is the token that binds, -1 for none."""

    pattern: Pattern
    module: str
    name: str
    alias: str
    start: int
    bind_start: int = -1
    reexported: bool = False


@dataclass(slots=True)
class Collected:
    """Everything matched in one file."""

    definitions: list[RawDefinition] = field(default_factory=list)
    references: list[RawReference] = field(default_factory=list)
    imports: list[RawImport] = field(default_factory=list)
    scopes: dict[tuple[int, int], str] = field(default_factory=dict)  # range -> "", "function" or "class"
    nonlocals: list[tuple[int, str]] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    attributes: list[tuple[int, int]] = field(default_factory=list)  # attached like comments, but no documentation
    docs: list[tuple[int, int]] = field(default_factory=list)
    atoms: list[tuple[int, int]] = field(default_factory=list)
    results: dict[int, str] = field(default_factory=dict)  # start of a function's body -> its evident result
    package: str = ""
