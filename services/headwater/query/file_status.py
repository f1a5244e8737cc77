"""What became of each tracked file, in words that say what to do."""

from headwater.domain import reason as reasons
from headwater.domain.answer import FileState
from headwater.domain.query_error import NotFoundError
from headwater.query.access import Access
from headwater.query.path_spelling import plain, spellings
from headwater.stores.index_reader import FileRow

_WORDS = {
    reasons.BINARY: "it is binary: only text is searchable",
    reasons.LFS_POINTER: "git holds only a Git LFS pointer, not the content",
    reasons.SUBMODULE: "it is a submodule: index that repository by itself",
    reasons.SYMLINK: "it is a symbolic link, which is never followed: look at its target",
    reasons.TOO_LARGE: "it is larger than the configured limit",
    reasons.UNKNOWN_ENCODING: "its encoding is unknown: save it as UTF-8, or with a byte order mark",
    reasons.IGNORED: "a configured ignore rule matches its path",
    reasons.BAD_NAME: "git itself would refuse to write its name",
    reasons.OVER_LIMIT: "the repository's limit is reached by the files before it in path order",
    reasons.SECRET: "it looks like a secret, and secrets are never indexed",
    reasons.UNREADABLE: "its content could not be read from git and is retried",
    reasons.FAILED: "processing it failed; it is retried with the next version",
}


def file_states(access: Access, path: str) -> list[FileState]:
    """The file at `path`, or all below it, in (view, path) order. Raises NotFoundError for what is not tracked."""
    normal = plain(path)
    spelled = [row for same in spellings(access, normal) for row in access.reader.files(access.scope, same)]
    rows = [r for r in spelled if access.may_read(r.snapshot, r.path)]
    if not rows and normal:
        where = ", ".join(f"{s.view.repo} {s.view.ref} at {s.commit[:12]}" for s in access.scope) or "no view"
        message = f"no tracked file at '{path[:500]}' in {where}"
        raise NotFoundError("UNKNOWN_FILE", message)
    selected = [r for r in rows if access.selects(r.path, r.language)]
    return [_state(access, row) for row in sorted(selected, key=lambda r: (r.snapshot, r.path))]


def _state(access: Access, row: FileRow) -> FileState:
    snapshot = access.scope[row.snapshot]
    return FileState(
        repo=snapshot.view.repo,
        ref=snapshot.view.ref,
        commit=snapshot.commit,
        path=row.path,
        status=row.status,
        reason=row.reason,
        explanation=explain(row.status, row.reason, row.chunks),
        language=row.language,
        size=row.size,
        lines=row.lines,
        chunks=row.chunks,
        warnings=row.warnings,
    )


def explain(status: str, reason: str, chunks: int) -> str:
    """One sentence; `reason` may carry a detail after a colon."""
    if status == "indexed":
        return f"searchable in {chunks} chunks" if chunks else "searchable by path; it holds no text"
    if status == "pending":
        return "not searchable yet: its document is on the way"
    word, _, detail = reason.partition(":")
    known = _WORDS.get(word.strip(), f"reason: {reason}" if reason else "no reason was recorded")
    return f"not searchable: {known}" + (f" ({detail.strip()})" if detail.strip() else "")
