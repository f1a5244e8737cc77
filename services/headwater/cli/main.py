"""The `headwater` program: parses the command line, runs one command, turns known errors into one line."""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from headwater.cli.arguments import UsageError, parser
from headwater.cli.command_error import CommandError, ExitStatus, command_error_of, defect
from headwater.cli.output import warn
from headwater.runtime.redact import mask_logs
from headwater.runtime.terminal import safe_streams

# Its threads spin on matrices as small as ours: a query took twice the CPU for no gain. Read at numpy's import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

DEBUG = "HEADWATER_DEBUG"  # defects of the program end with their traceback
GC_THRESHOLD = (50_000, 20, 100)  # facts are decoded by the thousand and hold no cycles: usages p95 halves


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit status; the console script passes it to the system. Raises SystemExit for bad arguments."""
    gc.set_threshold(*GC_THRESHOLD)
    mask_logs()
    with safe_streams():
        as_json = "--json" in (sys.argv[1:] if argv is None else argv)
        try:
            status = _run(argv)
            sys.stdout.flush()
        except UsageError as error:
            _report(error.error, as_json, said=True)
            raise
        except KeyboardInterrupt:
            message = "interrupted: what is done is kept, the same command goes on from there"
            return _report(CommandError(message, ExitStatus.INTERRUPTED, "INTERRUPTED"), as_json)
        except BrokenPipeError:  # the reader (head, less) has seen enough
            _leave_output()
            return ExitStatus.OK
        except Exception as error:
            known = error if isinstance(error, CommandError) else command_error_of(error)
            if known is None and os.environ.get(DEBUG):
                raise
            return _report(known or defect(error), as_json)
    return status


def _run(argv: Sequence[str] | None) -> int:
    arguments = parser().parse_args(argv)
    command = import_module(f"headwater.cli.commands.{arguments.command}")
    status: int = command.run(arguments)
    return status


def _report(error: CommandError, as_json: bool, said: bool = False) -> int:
    """On both streams as far as they can be written: what is wrong may be just that. `said`: on standard error."""
    if not said:
        with suppress(OSError):
            warn(f"headwater: {error}")
    try:
        if as_json:
            sys.stdout.write(f"{error.as_json().decode()}\n")
        sys.stdout.flush()
    except OSError:
        _leave_output()
    return error.status


def _leave_output() -> None:
    """Whatever is left for standard output goes nowhere, without a complaint when the process ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
