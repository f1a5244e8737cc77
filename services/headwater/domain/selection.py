"""The files that a question selects and its caller may read, for engines that read text themselves."""

from collections.abc import Callable

import msgspec

from headwater.domain.answer import AsOf


class SelectedFile(msgspec.Struct, frozen=True):
    """One file of one view. `read` gives its UTF-8 bytes, None where no text is stored."""

    view: AsOf
    path: str
    language: str
    blob: str
    read: Callable[[], bytes | None]


class Selection(msgspec.Struct, frozen=True):
    """Valid while the views are pinned. `whole` is False when a selected view has not been published yet."""

    as_of: tuple[AsOf, ...]
    files: tuple[SelectedFile, ...]
    whole: bool = True
