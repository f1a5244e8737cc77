"""How files are treated, and whether source is kept at all: the same for every service of an installation."""

import resource
from collections.abc import Mapping

from headwater.domain.treatment import Treatment, treatment_from
from headwater.settings import SettingsError

KEY_LENGTH = 16


def deployed_treatment(environ: Mapping[str, str]) -> Treatment:
    """Raises SettingsError, also for a pointers-only mode whose words could be guessed."""
    treatment = treatment_from(environ)
    if treatment.pointers_only and len(treatment.term_key) < KEY_LENGTH:
        raise SettingsError(
            f"HEADWATER_INDEXING_TERM_KEY is required in pointers-only mode: {KEY_LENGTH} characters or more, the same"
            " for every service, kept apart from the stores"
        )
    return treatment


def without_dumps(treatment: Treatment) -> None:
    """In pointers-only mode no crash of this process or of one that it starts leaves its memory in a file."""
    if treatment.pointers_only:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
