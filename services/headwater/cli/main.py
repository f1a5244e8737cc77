"""The `headwater` program: parses the command line, runs one command, turns known errors into one line."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from headwater.cli.arguments import parser
from headwater.cli.command_error import CommandError, ExitStatus, command_error_of
from headwater.runtime.redact import mask_logs

# Its threads spin on matrices as small as ours: a query took twice the CPU for no gain. Read at numpy's import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

GC_THRESHOLD = (50_000, 20, 100)  # facts are decoded by the thousand and hold no cycles: usages p95 halves


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit status; the console script passes it to the system."""
    gc.set_threshold(*GC_THRESHOLD)
    mask_logs()
    arguments = parser().parse_args(argv)
    try:
        command = import_module(f"headwater.cli.commands.{arguments.command}")
        status: int = command.run(arguments)
    except KeyboardInterrupt:
        print("interrupted: what is done is kept, the same command goes on from there", file=sys.stderr)
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.OK
    except CommandError as error:
        return _report(error, arguments.json)
    except Exception as error:
        known = command_error_of(error)
        if known is None:
            raise
        return _report(known, arguments.json)
    return status


def _report(error: CommandError, as_json: bool) -> int:
    if as_json:
        print(error.as_json().decode())
    print(f"headwater: {error}", file=sys.stderr)
    return error.status


if __name__ == "__main__":
    sys.exit(main())
