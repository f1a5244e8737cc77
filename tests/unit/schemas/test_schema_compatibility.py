"""What counts as a breaking change of an event schema."""

from enum import Enum

import msgspec
import pytest

from headwater.streaming.schema_compatibility import Schema, breaking_changes


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Less(Enum):
    RED = "red"


def schema(**fields: object) -> Schema:
    struct = msgspec.defstruct(
        "Event",
        [(n, *t) if isinstance(t, tuple) else (n, t) for n, t in fields.items()],  # type: ignore[misc]
        forbid_unknown_fields=True,
        kw_only=True,
    )
    full = msgspec.json.schema(struct)
    own: Schema = full["$defs"].pop("Event")
    return {**own, "$defs": full["$defs"]}


OLD = schema(a=int, b=(str, "x"), c=(tuple[str, ...], ()), d=(Colour, Colour.RED))


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (schema(a=int, c=(tuple[str, ...], ()), d=(Colour, Colour.RED)), "event.b: removed"),
        (schema(a=str, b=(str, "x"), c=(tuple[str, ...], ()), d=(Colour, Colour.RED)), "event.a: type integer"),
        (schema(a=int, b=str, c=(tuple[str, ...], ()), d=(Colour, Colour.RED)), "event.b: became required"),
        (schema(a=int, b=(str, "x"), c=(tuple[int, ...], ()), d=(Colour, Colour.RED)), "event.c[]: type string"),
        (schema(a=int, b=(str, "x"), c=(tuple[str, ...], ()), d=(Less, Less.RED)), "event.d: value blue removed"),
        (schema(a=int, b=(str, "x"), c=(tuple[str, ...], ()), d=(Colour, Colour.RED), e=int), "event.e: became req"),
    ],
)
def test_a_breaking_change_is_named(new: Schema, reason: str) -> None:
    assert any(change.startswith(reason) for change in breaking_changes(OLD, new))


@pytest.mark.parametrize(
    "new",
    [
        OLD,
        schema(a=float, b=(str, "x"), c=(tuple[str, ...], ()), d=(Colour, Colour.RED)),
        schema(a=int, b=(str, "x"), c=(tuple[str, ...], ()), d=(Colour, Colour.RED), e=(int, 0)),
        schema(a=int | None, b=(str | None, None), c=(tuple[str, ...], ()), d=(Colour, Colour.RED)),
    ],
)
def test_a_widening_change_is_none(new: Schema) -> None:
    assert breaking_changes(OLD, new) == []
