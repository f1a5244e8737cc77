"""The git post-receive hook's input: one line a moved ref."""

from headwater.commit_ingest.webhook import MalformedError, Push

_ZERO = "0" * 40


def read_post_receive(repository: str, lines: str) -> list[Push]:
    """`lines` are what git gives the hook on standard input: "old new ref" each. Raises MalformedError."""
    pushes = []
    for line in lines.splitlines():
        fields = line.split(" ", 2)
        if len(fields) != 3 or any(len(f) != 40 for f in fields[:2]):
            raise MalformedError(f"not a line of a post-receive hook: {line[:80]!r}")
        before, after = ("" if oid == _ZERO else oid for oid in fields[:2])
        pushes.append(Push((repository,), fields[2], before, after))
    return pushes
