"""Replies as the plain text that a model reads."""

from headwater.mcp_server.reply import Freshness, Hit, Reply


def reply_text(reply: Reply) -> str:
    """The view and commit first, then the hits, then what is missing."""
    lines = [f"as of {view}" for view in reply.as_of]
    lines += [line for hit in reply.results for line in _hit(hit)]
    state = "complete" if reply.complete else "not complete"
    lines.append(f"[{len(reply.results)} of {reply.total}; {state}{'; truncated' if reply.truncated else ''}]")
    if reply.next_page:
        lines.append(f"[next page: {reply.next_page}]")
    lines += [f"[{note}]" for note in reply.notes]
    return "\n".join(lines)


def freshness_text(freshness: Freshness) -> str:
    lines = []
    for view in freshness.views:
        facts = [view.commit or "no commit yet", view.age, "proven" if view.proven else "not proven"]
        facts += ["default"] * view.default + [f"indexing {view.indexing}"] * bool(view.indexing)
        lines.append(f"{view.view}: {', '.join(f for f in facts if f)}")
    if freshness.truncated:
        lines.append(f"[{len(freshness.views)} of {freshness.total}; truncated]")
    return "\n".join([*lines, *(f"[{note}]" for note in freshness.notes)])


def _hit(hit: Hit) -> list[str]:
    head = f"{hit.view} {hit.at} {hit.what}".strip()
    return [head, *(f"    {line}" for line in hit.code.split("\n"))] if hit.code else [head]
