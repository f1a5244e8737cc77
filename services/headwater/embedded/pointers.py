"""Pointers-only mode of an embedded home: its own key for words, and texts read from the repositories themselves."""

import secrets

import msgspec

from headwater.domain.treatment import Treatment
from headwater.embedded.home import Home


def with_own_key(treatment: Treatment, home: Home) -> Treatment:
    """The treatment with the home's key for words where none is configured; made once."""
    if not treatment.pointers_only or treatment.term_key:
        return treatment
    path = home.root / "term_key"
    try:
        with path.open("x") as file:
            path.chmod(0o600)
            file.write(secrets.token_hex(32))
    except FileExistsError:
        pass
    return msgspec.structs.replace(treatment, term_key=path.read_text())
