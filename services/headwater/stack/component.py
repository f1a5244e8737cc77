"""The component port: what the stack asks of each server it installs and runs."""

from pathlib import Path
from typing import Protocol

from headwater.stack.process import Running

__all__ = ["Component", "MissingComponentError", "Running"]


class MissingComponentError(Exception):
    """Something that a component needs is not on this machine; the message is one line saying what to install."""


class Component(Protocol):
    """One server. Installing twice changes nothing; everything installed lies below `root`/`name`."""

    name: str

    def install(self, root: Path) -> None:
        """Raises MissingComponentError when the machine lacks what can't be installed from here."""
        ...

    def installed(self, root: Path) -> bool: ...

    def start(self, root: Path, data: Path, ports: dict[str, int] | None = None) -> Running:
        """Start on loopback with its data below `data` and wait until healthy; free ports unless given.

        Raises MissingComponentError when not installed, StartError when it doesn't become healthy.
        """
        ...
