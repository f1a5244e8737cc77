"""Finds private keys and access tokens, so that the files that hold them stay out of the index."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from headwater.domain.treatment import ContentRules

_KEY_HEAD = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]: ")
_KEY_BODY = re.compile(rb"[A-Za-z0-9+/]{32,}")
_BODY_WITHIN = 800  # bytes after the head: headers such as Proc-Type come in between
_DISTINCT = 10  # characters that a real secret has at least; xxxxxxxx is a placeholder

_TOKENS: tuple[tuple[str, tuple[bytes, ...], "re.Pattern[bytes]"], ...] = tuple(
    (name, starts, re.compile(rb"(?<![A-Za-z0-9_])(?:" + pattern + rb")(?![A-Za-z0-9_])"))
    for name, starts, pattern in (
        ("AWS access key", (b"AKIA", b"ASIA"), rb"(?:AKIA|ASIA)[A-Z2-7]{16}"),
        ("GitHub token", (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), rb"gh[pousr]_[A-Za-z0-9]{36,255}"),
        ("GitHub token", (b"github_pat_",), rb"github_pat_[A-Za-z0-9_]{80,100}"),
        ("GitLab token", (b"glpat-",), rb"glpat-[A-Za-z0-9_-]{20,64}"),
        ("Slack token", (b"xoxb-", b"xoxa-", b"xoxp-", b"xoxr-", b"xoxs-"), rb"xox[abprs]-[0-9]{8,}-[A-Za-z0-9-]{16,}"),
        ("Google API key", (b"AIza",), rb"AIza[A-Za-z0-9_-]{35}"),
        ("Stripe key", (b"k_live_",), rb"[sr]k_live_[A-Za-z0-9]{24,128}"),
        ("npm token", (b"npm_",), rb"npm_[A-Za-z0-9]{36}"),
        ("PyPI token", (b"pypi-AgEI",), rb"pypi-AgEI[A-Za-z0-9_-]{50,}"),
        ("Hugging Face token", (b"hf_",), rb"hf_[A-Za-z]{34}"),
        ("model provider key", (b"sk-ant-", b"sk-proj-"), rb"sk-(?:ant|proj)-[A-Za-z0-9_-]{40,}"),
    )
)
_EXAMPLES = (b"EXAMPLE", b"example")  # as in the vendors' own documentation

Found = tuple[str, int] | None  # what it is, and the byte at which it starts


def find_secret(source: bytes, rules: ContentRules) -> str:
    """What the first secret is and on which line, without a byte of it; "" when there is none."""
    for scan in _scans(rules):
        if (found := scan(source)) is not None:
            what, at = found
            return f"{what} on line {source.count(10, 0, at) + 1}"
    return ""


@lru_cache(maxsize=8)
def _scans(rules: ContentRules) -> Sequence[Callable[[bytes], Found]]:
    scans: list[Callable[[bytes], Found]] = []
    if "private-key" in rules.secrets:
        scans.append(_private_key)
    if "token" in rules.secrets:
        scans.append(_token)
    own = [re.compile(pattern.encode()) for pattern in rules.secret_patterns]
    return (*scans, lambda source: _own(source, own)) if own else tuple(scans)


def _private_key(source: bytes) -> Found:
    if b"PRIVATE KEY" not in source and b"PuTTY-User-Key-File" not in source:
        return None
    for head in _KEY_HEAD.finditer(source):
        body = _KEY_BODY.search(source, head.end(), head.end() + _BODY_WITHIN)
        if body is not None and _is_varied(body[0]):
            return "private key", head.start()
    return None


def _token(source: bytes) -> Found:
    for name, starts, pattern in _TOKENS:
        if any(start in source for start in starts):
            for match in pattern.finditer(source):
                if _is_varied(match[0]) and not match[0].endswith(_EXAMPLES):
                    return name, match.start()
    return None


def _own(source: bytes, patterns: Sequence["re.Pattern[bytes]"]) -> Found:
    for number, pattern in enumerate(patterns, 1):
        if (match := pattern.search(source)) is not None:
            return f"configured pattern {number}", match.start()
    return None


def _is_varied(text: bytes) -> bool:
    return len(set(text)) >= _DISTINCT
