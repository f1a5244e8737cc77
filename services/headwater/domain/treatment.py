"""What an installation asks of every file: which to leave out, up to which size, and what counts as a secret."""

import hashlib
import re
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from headwater.settings import SettingsError, load_settings

Meta = msgspec.Meta
IGNORED_VARIANT = "ignored"
MAX_TEXT = 8 * 1024 * 1024
MAX_PARSED = 1024 * 1024

SecretKind = Literal["private-key", "token"]


class ContentRules(msgspec.Struct, frozen=True, kw_only=True):
    """The part that decides what a file's content becomes."""

    max_bytes: Annotated[int, Meta(description="larger files are skipped", gt=0)] = MAX_TEXT
    max_parsed_bytes: Annotated[int, Meta(description="larger files are chunked by lines", gt=0)] = MAX_PARSED
    skip_languages: Annotated[tuple[str, ...], Meta(description="languages, as answers name them, to leave out")] = ()
    secrets: Annotated[tuple[SecretKind, ...], Meta(description="kinds of secrets that keep a file out")] = (
        "private-key",
        "token",
    )
    secret_patterns: Annotated[
        tuple[str, ...], Meta(description="further regular expressions for secrets, none with a comma")
    ] = ()
    pointers_only: Annotated[
        bool, Meta(description="keep no source text anywhere: answers read it from the git host (docs/access.md)")
    ] = False
    term_key: Annotated[
        str, Meta(description="what the words of a pointers-only index are hashed with; the same for every service")
    ] = ""

    @property
    def variant(self) -> str:
        """Part of the key of each document made under it; "" for the defaults."""
        return "" if self == ContentRules() else f"c-{_digest(self)}"


class Treatment(ContentRules, frozen=True, kw_only=True):
    """HEADWATER_INDEXING_…: the same for differ and chunker, or a generation never completes."""

    ignore: Annotated[
        tuple[str, ...], Meta(description="patterns as in .gitignore for all repositories, under .headwaterignore")
    ] = ()

    @property
    def content(self) -> ContentRules:
        return ContentRules(**{name: getattr(self, name) for name in ContentRules.__struct_fields__})

    @property
    def rules(self) -> str:
        """Names the whole treatment; a generation records under which it was opened. "" for the defaults."""
        return "" if self == Treatment() else _digest(self)


def treatment_from(environ: Mapping[str, str]) -> Treatment:
    """Raises SettingsError."""
    treatment = load_settings(Treatment, "indexing", environ)
    for pattern in treatment.secret_patterns:
        try:
            re.compile(pattern.encode())
        except re.error as error:
            raise SettingsError(f"HEADWATER_INDEXING_SECRET_PATTERNS: '{pattern}' is no regular expression") from error
    return treatment


def _digest(settings: ContentRules) -> str:
    return hashlib.blake2b(msgspec.json.encode(settings), digest_size=8).hexdigest()
