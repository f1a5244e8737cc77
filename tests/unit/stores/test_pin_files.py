"""Pins across processes: seen while their process lives, dropped when it is gone."""

import subprocess
import sys
from pathlib import Path

from headwater.stores.sqlite.pin_files import PinFiles

_HOLDER = """
import sys, pathlib
from headwater.stores.sqlite.pin_files import PinFiles
pins = PinFiles(pathlib.Path(sys.argv[1]))
pins.hold([(7, 3)])
print("held", flush=True)
sys.stdin.read()
"""


def test_pins_are_counted(tmp_path: Path) -> None:
    pins = PinFiles(tmp_path / "pins")
    pins.hold([(1, 1), (2, 5)])
    pins.hold([(1, 1)])
    pins.release([(1, 1)])
    assert set(PinFiles(tmp_path / "pins").held()) == {(1, 1), (2, 5)}
    pins.release([(1, 1)])
    assert set(pins.held()) == {(2, 5)}
    pins.close()
    assert set(PinFiles(tmp_path / "pins").held()) == set()


def test_pins_of_a_killed_process_are_dropped(tmp_path: Path) -> None:
    folder = tmp_path / "pins"
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    ours = PinFiles(folder)
    assert set(ours.held()) == {(7, 3)}
    holder.kill()
    holder.wait()
    assert set(ours.held()) == set()
    assert list(folder.iterdir()) == []
    holder.stdin.close()
    holder.stdout.close()
