"""A Python environment of a component's own, so that its pins never meet the program's."""

import sys
from pathlib import Path

from headwater.stack.process import run_step


def install_environment(folder: Path, requirements: tuple[str, ...]) -> None:
    """Create `folder` with these requirements; the stamp makes a second call free and a changed pin reinstall."""
    stamp, wanted = folder / "requirements", "\n".join(requirements)
    if stamp.exists() and stamp.read_text("utf-8") == wanted:
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    run_step([getattr(sys, "_base_executable", sys.executable), "-P", "-m", "venv", str(folder)])
    run_step([str(environment_python(folder)), "-P", "-m", "pip", "install", "-q", *requirements])
    stamp.write_text(wanted, "utf-8")


def environment_python(folder: Path) -> Path:
    return folder / "bin" / "python"
