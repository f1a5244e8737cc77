"""A progress bar on a terminal, nothing elsewhere."""

import sys
from types import TracebackType
from typing import Self

from headwater.runtime.terminal import shown_on


class Bar:
    """`Progress` of the embedded product, drawn by rich; silent when standard error is no terminal."""

    def __init__(self, title: str, enabled: bool = True) -> None:
        self._bar = None
        if enabled and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(
                *columns,
                console=Console(file=shown_on(sys.stderr)),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._task = self._bar.add_task(title, total=0)
        self._total = 0

    def expect(self, files: int) -> None:
        """More files to do."""
        self._total += files
        if self._bar is not None:
            self._bar.update(self._task, total=self._total)

    def advance(self, files: int) -> None:
        """Files done."""
        if self._bar is not None:
            self._bar.advance(self._task, files)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
