"""The protobuf wire format, as far as reading SCIP needs it: fields of one message as they come."""

from collections.abc import Iterator

Value = int | memoryview

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class WireError(ValueError):
    """The bytes are no protobuf message."""


def fields(message: memoryview) -> Iterator[tuple[int, Value]]:
    """Field number and value: a number, or the bytes of a string, a message or packed numbers. Raises WireError."""
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield number, value
        elif kind in (_BYTES, _FIXED32, _FIXED64):
            size, at = _varint(message, at) if kind == _BYTES else (4 if kind == _FIXED32 else 8, at)
            if at + size > end:
                raise WireError("the message ends inside a field")
            yield number, message[at : at + size]
            at += size
        else:
            raise WireError(f"unknown wire type {kind}")


def packed(value: Value) -> list[int]:
    """Numbers of a repeated field, packed or single."""
    if isinstance(value, int):
        return [value]
    out, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        out.append(number)
    return out


def text(value: Value) -> str:
    if isinstance(value, int):
        raise WireError("a number where text belongs")
    return bytes(value).decode("utf-8", "replace")


def message(value: Value) -> memoryview:
    if isinstance(value, int):
        raise WireError("a number where a message belongs")
    return value


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            break
    raise WireError("a number that doesn't end")
