"""What a program does first: from then on neither modules nor programs are looked for where it was started.

It may have been started in a clone of somebody's repository, by `python -m` or with a relative entry on a search path.
So this module imports nothing that such a folder could hold: `os` and `sys` are part of the interpreter.
"""

import os
import sys

_OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def absolute_entries(search: str) -> str:
    """The absolute folders of a search path: an empty or relative entry would mean the current folder."""
    return os.pathsep.join(entry for entry in search.split(os.pathsep) if os.path.isabs(entry))


def leave_current_folder() -> None:
    """Forget the current folder and all relative entries, here and for every child, whoever starts it."""
    sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry) and entry not in _entries_of_here()]
    for name in ("PATH", "PYTHONPATH"):
        if name in os.environ:
            os.environ[name] = absolute_entries(os.environ[name])
    os.environ["PYTHONSAFEPATH"] = "1"


def _entries_of_here() -> set[str]:
    """What the interpreter has made of the current folder and of relative entries, in absolute form."""
    try:
        here = os.getcwd()
    except OSError:  # it has been removed
        return set()
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    found = {os.path.normpath(os.path.join(here, entry)) for entry in named if not os.path.isabs(entry)}
    return (found | {here}) - {_OURS}
