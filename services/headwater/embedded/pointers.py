"""Pointers-only mode of an embedded home: its own key for words, and texts read from the repositories themselves."""

import os
import secrets

import msgspec

from headwater.domain.treatment import Treatment
from headwater.embedded.home import Home
from headwater.runtime.private_files import open_private


def with_own_key(treatment: Treatment, home: Home) -> Treatment:
    """The treatment with the home's key for words where none is configured; made once."""
    if not treatment.pointers_only or treatment.term_key:
        return treatment
    path = home.root / "term_key"
    try:
        with open(open_private(path, os.O_WRONLY | os.O_EXCL), "w") as file:
            file.write(secrets.token_hex(32))
    except FileExistsError:
        pass
    return msgspec.structs.replace(treatment, term_key=path.read_text())
