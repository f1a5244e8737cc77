"""`python -m fuzz MINUTES [TARGET…]`: attacks the targets in turn, with new inputs each time; keeps what breaks one."""

import faulthandler
import json
import sys
import time
import traceback
from collections import Counter
from dataclasses import replace
from typing import Any

from fuzz.target import Target
from fuzz.targets import TARGETS

EXAMPLES = 200  # inputs a turn


def main(minutes: float, names: list[str]) -> int:
    """How many promises were broken."""
    faulthandler.enable()
    chosen = [target for target in TARGETS if not names or target.name in names]
    end, tried, broken = time.monotonic() + 60 * minutes, Counter[str](), Counter[str]()
    while time.monotonic() < end:
        for target in chosen:
            if time.monotonic() >= end:
                break
            tried[target.name] += EXAMPLES
            broken[target.name] += _attacked(target)
    print(json.dumps({"minutes": minutes, "inputs": tried, "broken": {k: n for k, n in broken.items() if n}}))
    return sum(broken.values())


def _attacked(target: Target) -> int:
    """1 if a promise was broken: its smallest input is kept, and printed with what was raised."""
    last: list[Any] = []

    def noted(value: Any) -> None:
        last[:] = [value]
        target.check(value)

    try:
        replace(target, check=noted).run(EXAMPLES)
    except Exception:  # noqa: BLE001 - whatever a check raises is the finding
        file = target.keep(last[0])
        print(f"{target.name}: {file.relative_to(target.folder.parent)} {last[0]!r:.300}")
        traceback.print_exc(limit=-6)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(1 if main(float(sys.argv[1]), sys.argv[2:]) else 0)
