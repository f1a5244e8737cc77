"""What an installation asks of every file: which to leave out, up to which size, and what counts as a secret."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from headwater.domain import reason
from headwater.domain.access_pattern import PatternError, name_source, path_source
from headwater.domain.wildmatch import wildmatch_regex
from headwater.settings import SettingsError, load_settings

Meta = msgspec.Meta
IGNORED_VARIANT = "ignored"
BAD_NAME_VARIANT = "bad-name"
_OVER = "over-limit: "
_NODES_A_BYTE = 16  # of syntax, at most
_LONGEST_TEXT = 3  # bytes of decoded text for one in git, at most: U+FFFD for a bad byte
MAX_TEXT = 8 * 1024 * 1024
MAX_PARSED = 1024 * 1024
MAX_PARSE_STEPS = 100_000_000

SecretKind = Literal["private-key", "token"]


class ContentRules(msgspec.Struct, frozen=True, kw_only=True):
    """The part that decides what a file's content becomes."""

    max_bytes: Annotated[int, Meta(description="larger files are skipped", gt=0)] = MAX_TEXT
    max_parsed_bytes: Annotated[int, Meta(description="larger files are chunked by lines", gt=0)] = MAX_PARSED
    max_parse_steps: Annotated[
        int, Meta(description="files whose nodes' depths add up to more are chunked by lines", gt=0)
    ] = MAX_PARSE_STEPS
    skip_languages: Annotated[tuple[str, ...], Meta(description="languages, as answers name them, to leave out")] = ()
    languages: Annotated[tuple[str, ...], Meta(description="only these languages; empty: every one")] = ()
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

    @property
    def asks_for_size(self) -> bool:
        """Whether `for_size` makes a difference."""
        return (
            self.max_bytes != MAX_TEXT or self.max_parsed_bytes != MAX_PARSED or self.max_parse_steps != MAX_PARSE_STEPS
        )

    def for_size(self, size: int) -> "ContentRules":
        """The rules that a file of `size` bytes in git is treated by: limits that can't matter to it are the defaults.

        So a changed limit changes the keys of those documents alone that it may make a difference to.
        """
        fits = size <= min(self.max_bytes, MAX_TEXT)
        is_parsed = _LONGEST_TEXT * size <= min(self.max_parsed_bytes, MAX_PARSED)
        nodes = _NODES_A_BYTE * _LONGEST_TEXT * size
        is_cheap = nodes * nodes <= min(self.max_parse_steps, MAX_PARSE_STEPS)
        return msgspec.structs.replace(
            self,
            max_parse_steps=MAX_PARSE_STEPS if is_cheap else self.max_parse_steps,
            max_bytes=MAX_TEXT if fits else self.max_bytes,
            max_parsed_bytes=MAX_PARSED if is_parsed else self.max_parsed_bytes,
        )

    def by_variant(self) -> dict[str, "ContentRules"]:
        """Everything that `for_size` gives, and the rules themselves."""
        made = [
            msgspec.structs.replace(self, max_bytes=most, max_parsed_bytes=parsed, max_parse_steps=steps)
            for most in {self.max_bytes, MAX_TEXT}
            for parsed in {self.max_parsed_bytes, MAX_PARSED}
            for steps in {self.max_parse_steps, MAX_PARSE_STEPS}
        ]
        return {rules.variant: rules for rules in made}


class Treatment(ContentRules, frozen=True, kw_only=True):
    """HEADWATER_INDEXING_…: the same for differ and chunker, or a generation never completes."""

    ignore: Annotated[
        tuple[str, ...], Meta(description="patterns as in .gitignore for all repositories, under .headwaterignore")
    ] = ()
    only: Annotated[tuple[str, ...], Meta(description="paths, as in .gitignore, to take alone; empty: all")] = ()
    max_files: Annotated[
        int, Meta(description="files of a repository, in path order; the rest is left out; 0: all", ge=0)
    ] = 0
    max_total_bytes: Annotated[
        int, Meta(description="their bytes in git, in path order; the rest is left out; 0: all", ge=0)
    ] = 0
    limits: Annotated[str, Meta(description="JSON list of other rules for some repositories (docs/access.md)")] = ""

    def of(self, repo: str) -> "Treatment":
        """What applies to one repository."""
        return _of(self, repo) if self.limits else self

    @property
    def content(self) -> ContentRules:
        return ContentRules(**{name: getattr(self, name) for name in ContentRules.__struct_fields__})

    @property
    def rules(self) -> str:
        """Names the whole treatment; a generation records under which it was opened. "" for the defaults."""
        return "" if self == Treatment() else _digest(self)


class RepositoryRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `limits`: what it gives replaces what holds for all, `ignore` is added to it."""

    repositories: Annotated[tuple[str, ...], Meta(min_length=1)]  # names, "*" stops at "/", "**" doesn't
    max_bytes: Annotated[int, Meta(gt=0)] | None = None
    max_parsed_bytes: Annotated[int, Meta(gt=0)] | None = None
    skip_languages: tuple[str, ...] | None = None
    languages: tuple[str, ...] | None = None
    only: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    max_files: Annotated[int, Meta(ge=0)] | None = None
    max_total_bytes: Annotated[int, Meta(ge=0)] | None = None


def over_variant(treatment: Treatment) -> str:
    """How files beyond the repository's limits are treated; "" where it has none."""
    limits = [f"{n} {what}" for n, what in ((treatment.max_files, "files"), (treatment.max_total_bytes, "bytes")) if n]
    return f"{_OVER}{' and '.join(limits)}" if limits else ""


def reason_without_content(variant: str) -> str:
    """Why a file is left out whatever is in it; "" when its content decides."""
    if variant == IGNORED_VARIANT:
        return reason.IGNORED
    if variant == BAD_NAME_VARIANT:
        return f"{reason.BAD_NAME}: no disk can hold it, or its folder has it twice"
    limits = variant.removeprefix(_OVER)
    return f"{reason.OVER_LIMIT}: the repository's limit is {limits}" if limits != variant else ""


def treatment_from(environ: Mapping[str, str]) -> Treatment:
    """Raises SettingsError."""
    treatment = load_settings(Treatment, "indexing", environ)
    for pattern in treatment.secret_patterns:
        try:
            re.compile(pattern.encode())
        except re.error as error:
            raise SettingsError(f"HEADWATER_INDEXING_SECRET_PATTERNS: '{pattern}' is no regular expression") from error
    try:
        limits = _limits(treatment.limits)
    except msgspec.DecodeError as error:
        raise SettingsError(f"HEADWATER_INDEXING_LIMITS is no list of rules for repositories: {error}") from error
    _check_patterns("IGNORE", treatment.ignore)
    _check_patterns("ONLY", treatment.only)
    for rules in limits:
        _check_patterns("LIMITS", (*rules.ignore, *(rules.only or ())))
        _check_patterns("LIMITS", rules.repositories, name_source)
    return treatment


def _check_patterns(name: str, patterns: Iterable[str], read: Callable[[str], str] = path_source) -> None:
    """Raises SettingsError for a pattern that might mean something else than it seems: it would let files in."""
    for pattern in patterns:
        try:
            read(pattern.removeprefix("!") if read is path_source else pattern)
        except PatternError as error:
            raise SettingsError(f"HEADWATER_INDEXING_{name}: '{pattern}': {error}") from error


@lru_cache(maxsize=8)
def _limits(text: str) -> tuple[RepositoryRules, ...]:
    return msgspec.json.decode(text, type=tuple[RepositoryRules, ...]) if text else ()


@lru_cache(maxsize=8192)
def _of(treatment: Treatment, repo: str) -> Treatment:
    """Later entries win."""
    found = msgspec.structs.replace(treatment, limits="")
    for rules in _limits(treatment.limits):
        if any(_names(glob, repo) for glob in rules.repositories):
            given = {name: value for name, value in msgspec.structs.asdict(rules).items() if value is not None}
            del given["repositories"]
            found = msgspec.structs.replace(found, **{**given, "ignore": (*found.ignore, *rules.ignore)})
    return found


def _names(glob: str, repo: str) -> bool:
    return glob in ("*", "**") or re.fullmatch(wildmatch_regex(glob.encode()), repo.encode(), re.DOTALL) is not None


def _digest(settings: ContentRules) -> str:
    return hashlib.blake2b(msgspec.json.encode(settings), digest_size=8).hexdigest()
