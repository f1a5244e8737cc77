"""Results and context items as hits: pure, and sparing with tokens."""

from headwater.domain.answer import Answer, AsOf, Certainty, ContextItem, Result, StructuralReport
from headwater.mcp_server.reply import Hit

SHOWN_LINES = 24  # of a search result's code; `context` gives whole definitions
MAX_LINE = 240


def hit_of(result: Result, several_views: bool, lines: int = SHOWN_LINES) -> Hit:
    """`lines` 0 leaves the code out."""
    return Hit(
        at=place(result),
        what=_what(result),
        view=view_name(result.repo, result.ref) if several_views else "",
        code=shortened(result.snippet, lines),
    )


def context_hit(item: ContextItem, several_views: bool) -> Hit:
    """The whole code: the engine has fitted it into the budget."""
    hit = hit_of(item.result, several_views, lines=0)
    return hit.model_copy(update={"code": item.result.snippet, "what": f"{hit.what} ({item.reason})"})


def place(result: Result) -> str:
    """`path:line` or `path:first-last`, both inclusive and from 1; a token in a line has its column, too."""
    at = result.range
    last = at.end_line - 1 if at.end_col == 1 and at.end_line > at.start_line else at.end_line
    if last > at.start_line:
        return f"{result.path}:{at.start_line}-{last}"
    return f"{result.path}:{at.start_line}:{at.start_col}" if result.definition else f"{result.path}:{at.start_line}"


def shortened(code: str, lines: int) -> str:
    """At most `lines` lines of at most MAX_LINE characters; what is left out is said."""
    if not lines:
        return ""
    all_lines = code.strip("\n").split("\n")
    shown = [line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…" for line in all_lines[:lines]]
    if len(all_lines) > lines:
        shown.append(f"… {len(all_lines) - lines} more lines")
    return "\n".join(shown)


def view_name(repo: str, ref: str) -> str:
    return f"{repo}@{short_ref(ref)}"


def short_ref(ref: str) -> str:
    return ref.split("/", 2)[2] if ref.startswith(("refs/heads/", "refs/tags/", "private/")) else ref[:12]


def shown_views(answer_as_of: tuple[AsOf, ...], results: tuple[Result, ...], most: int = 5) -> list[AsOf]:
    """The views that results are from, else the first that were searched."""
    used = {(r.repo, r.ref) for r in results}
    return [v for v in answer_as_of if not used or (v.repo, v.ref) in used][:most]


def notes_of(answer: Answer) -> list[str]:
    """What is missing from an answer and what to do about it."""
    notes = []
    if not answer.results:
        notes.append("no results: use other words, drop filters, or grep for text that the code must contain")
    if answer.degraded:
        notes.append(f"answered without {', '.join(answer.degraded)}: order or recall may be worse, try again later")
    if not answer.complete:
        notes.append("not complete: narrow with repos, paths or languages")
    if answer.query_truncated:
        notes.append("the query was cut at 8192 bytes")
    return notes


def structural_notes(report: StructuralReport) -> list[str]:
    """What was run, and what of the question it leaves out."""
    notes = [f"ran ({report.engine}): {report.rendered}"] if report.rendered else []
    if report.not_understood:
        notes.append(f"not understood: {', '.join(report.not_understood)}; say it in other words")
    return [*notes, *report.problems]


def _what(result: Result) -> str:
    name = result.definition or result.qualified or result.symbol
    words = [result.kind, f"of {name}" if result.definition else name]
    if result.certainty is Certainty.BY_NAME:
        words.append("[by name only]")
    if result.duplicates:
        words.append(f"(+{result.duplicates} near-equal)")
    if result.generated:
        words.append("(generated)")
    return " ".join(word for word in words if word)
