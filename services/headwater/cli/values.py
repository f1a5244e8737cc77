"""What arguments may hold, each with what to give instead."""

import argparse
import math
import os
from collections.abc import Callable

from headwater.domain.address import MOST_PORTS, AddressError, parse_address
from headwater.domain.path import path_from_git

_MOST = 2**31 - 1
_LONGEST_S = 86_400.0


def text(given: str) -> str:
    """Raises ArgumentTypeError."""
    if "\0" in given:
        raise argparse.ArgumentTypeError("it holds a NUL character: leave it out")
    try:
        given.encode("utf-8")
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("it isn't UTF-8: write it in that encoding") from None
    return given


def path(given: str) -> str:
    """A path in a repository as answers spell it, bytes that aren't UTF-8 as well. Raises ArgumentTypeError."""
    try:
        return text(path_from_git(os.fsencode(given)))
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("it holds half a character: write it in UTF-8") from None


def place(given: str) -> str:
    """A file or folder of this machine. Raises ArgumentTypeError."""
    if not given:
        raise argparse.ArgumentTypeError("it is empty: give a path, '.' for this folder")
    if "\0" in given:
        raise argparse.ArgumentTypeError("it holds a NUL character: leave it out")
    try:
        os.fsencode(given)
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("it holds half a character: no file is named so") from None
    return given


def place_or_none(given: str) -> str:
    """The same where there need be none. Raises ArgumentTypeError."""
    return place(given) if given else ""


def whole(least: int) -> Callable[[str], int]:
    """A number from `least` on. Raises ArgumentTypeError."""

    def number(given: str) -> int:
        if given.isascii() and given.isdecimal() and len(given) <= 10 and least <= int(given) <= _MOST:
            return int(given)
        raise argparse.ArgumentTypeError(f"{given[:40]!r} is no whole number from {least} to {_MOST}")

    return number


def seconds(given: str) -> float:
    """Raises ArgumentTypeError."""
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not 0 < number <= _LONGEST_S:
        raise argparse.ArgumentTypeError(f"{given[:40]!r} is no number of seconds up to {_LONGEST_S:g}")
    return number


def port(given: str) -> int:
    """Raises ArgumentTypeError."""
    try:
        return parse_address(f"localhost:{given}").port
    except AddressError:
        raise argparse.ArgumentTypeError(f"{given[:40]!r} is no port: give a number from 0 to {MOST_PORTS}") from None
