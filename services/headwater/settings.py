"""Settings from the environment: declared as a struct beside the component that uses them, checked whole at start.

A field `group_size` of the service `vector-sink` is HEADWATER_VECTOR_SINK_GROUP_SIZE. Fields carry their description:
`Annotated[int, msgspec.Meta(description="…", ge=1)]`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


class SettingsError(Exception):
    """The environment doesn't give valid settings; the message names every variable that is wrong."""


class Setting(msgspec.Struct, frozen=True):
    """One row of the settings page."""

    variable: str
    description: str
    default: str  # "" with required=True
    required: bool


def prefix(service: str) -> str:
    return f"HEADWATER_{service.replace('-', '_').upper()}_"


def load_settings(declared: type[S], service: str, environ: Mapping[str, str]) -> S:
    """Raises SettingsError for a missing, malformed or unknown variable with the service's prefix."""
    start, hints = prefix(service), get_type_hints(declared, include_extras=True)
    given = {name.removeprefix(start).lower(): value for name, value in environ.items() if name.startswith(start)}
    problems = [f"{start}{name.upper()} is not a setting of {service}" for name in sorted(given.keys() - hints.keys())]
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(declared):
        variable = f"{start}{field.name.upper()}"
        if field.name in given:
            try:
                values[field.name] = _convert(given[field.name], hints[field.name])
            except msgspec.ValidationError as wrong:
                problems.append(f"{variable}: {str(wrong)[0].lower()}{str(wrong)[1:]}")
        elif field.required:
            problems.append(f"{variable} is required: {_description(hints[field.name])}")
    if problems:
        raise SettingsError("; ".join(problems))
    return declared(**values)


def describe_settings(declared: type[msgspec.Struct], service: str) -> list[Setting]:
    """The rows of the settings page, in order of declaration."""
    hints, rows = get_type_hints(declared, include_extras=True), []
    for field in msgspec.structs.fields(declared):
        default = "" if field.required else str(field.default)
        variable = f"{prefix(service)}{field.name.upper()}"
        rows.append(Setting(variable, _description(hints[field.name]), default, field.required))
    return rows


def absolute_path(value: str, variable: str) -> Path:
    """A path that a variable names, `~` followed. Raises SettingsError for a relative one.

    It would mean a place in whatever folder one works in, which may be somebody else's repository.
    """
    path = Path(value).expanduser()
    if not path.is_absolute():
        raise SettingsError(f"{variable} is the relative path '{value}': write it from the root, with a leading /")
    return path


def _convert(text: str, hint: Any) -> Any:
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(plain) is tuple:
        return msgspec.convert([part for part in text.split(",") if part], hint, strict=False)
    return msgspec.convert(text, hint, strict=False)


def _description(hint: Any) -> str:
    metas = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((m.description for m in metas if isinstance(m, msgspec.Meta) and m.description), "")
