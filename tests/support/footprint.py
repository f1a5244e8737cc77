"""What a process holds of the machine: open files, threads, memory."""

import os
from pathlib import Path

import msgspec

MEGABYTE = 1 << 20


class Footprint(msgspec.Struct, frozen=True):
    """Of one moment."""

    handles: int
    threads: int
    resident: int  # bytes

    @classmethod
    def of(cls, pid: int) -> "Footprint":
        status = Path(f"/proc/{pid}/status").read_text("ascii")
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        kilobytes = int(fields["VmRSS"].split()[0])
        return cls(len(os.listdir(f"/proc/{pid}/fd")), int(fields["Threads"]), kilobytes * 1024)

    def grown_beyond(self, before: "Footprint", handles: int, threads: int, megabytes: int) -> str:
        """What grew by more than is allowed, "" for nothing."""
        allowed = {"handles": handles, "threads": threads, "resident": megabytes * MEGABYTE}
        grown = {name: getattr(self, name) - getattr(before, name) for name in allowed}
        return ", ".join(f"{name} by {grown[name]}" for name, most in allowed.items() if grown[name] > most)
