"""What a reply tells of, whatever its method: for the audit log, and for whether it may still leave."""

from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.message import Message

from headwater.domain.answer import AsOf
from headwater.domain.grants import Grants


def touched_by(reply: Message) -> tuple[tuple[AsOf, ...], int]:
    """The views that it is as of, and how many results it has."""
    results = max(len(_listed(reply, field)) for field in ("results", "items", "files", "views"))
    return tuple(AsOf(v.repo, v.ref, v.commit) for v in _views(reply)), results


def is_still_allowed(reply: Message, grants: Grants) -> bool:
    """Whether all of it may be read under these grants."""
    return all(grants.allows_repo(view.repo) for view in _views(reply)) and all(
        grants.allows(repo, path) for repo, path in _places(reply)
    )


def _places(reply: Message) -> Iterator[tuple[str, str]]:
    results = (*_listed(reply, "results"), *_listed(reply, "files"), *(i.result for i in _listed(reply, "items")))
    return ((one.repo, one.path) for one in results)


def _views(reply: Message) -> Sequence[Any]:
    has_summary = "summary" in reply.DESCRIPTOR.fields_by_name
    return (*_listed(reply, "views"), *(reply.summary.as_of if has_summary else ()))


def _listed(reply: Message, field: str) -> Sequence[Any]:
    """The messages in a field; none where it has no such field, or a number under that name."""
    found = reply.DESCRIPTOR.fields_by_name.get(field)
    return getattr(reply, field) if found is not None and found.message_type is not None else ()
