"""Runs what is recursive by nature on a stack of its own, whose depth has a limit that is checked first."""

from collections.abc import Generator
from types import GeneratorType
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Walk: TypeAlias = Generator[Any, Any, T]  # yields a walk where a function would call one, and is sent its result


class TooDeepError(Exception):
    """What is walked nests deeper than the limit."""


def run(walk: Walk[T], most: int) -> T:
    """What the walk returns. Raises TooDeepError where walks are more than `most` levels within each other.

    A yielded value that is no walk is sent back as it is. An error in a walk ends them all.
    """
    stack: list[Walk[Any]] = [walk]
    value: Any = None
    while stack:
        try:
            called = stack[-1].send(value)
        except StopIteration as done:
            stack.pop()
            value = done.value
            continue
        if not isinstance(called, GeneratorType):
            value = called
            continue
        if len(stack) >= most:
            raise TooDeepError
        stack.append(called)
        value = None
    return value  # type: ignore[no-any-return]
