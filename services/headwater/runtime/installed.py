"""Where this installation keeps what it installed itself: never below the folder that somebody works in."""

import os
from collections.abc import Mapping
from pathlib import Path

from headwater.settings import absolute_path


def stack_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """Where components are installed: HEADWATER_STACK_DIR, else `.stack` beside the checkout's pyproject.toml.

    Raises SettingsError for a relative path.
    """
    if given := environ.get("HEADWATER_STACK_DIR"):
        return absolute_path(given, "HEADWATER_STACK_DIR").resolve()
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "pyproject.toml").exists():
        return checkout / ".stack"
    return Path.home() / ".cache" / "headwater" / "stack"
