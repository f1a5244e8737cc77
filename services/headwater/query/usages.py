"""Every use of the definitions meant, from the def/ref table alone, each resolved or by name."""

from collections.abc import Iterator, Sequence

import msgspec

from headwater.domain.answer import Certainty, Result
from headwater.domain.document import Position, ReferenceKind
from headwater.domain.query_error import InvalidQuestionError
from headwater.query.access import Access
from headwater.query.hydrate import symbol_result, usage_result
from headwater.query.resolution import Resolutions
from headwater.query.targets import Meaning, Target, in_scope
from headwater.stores.index_reader import DocumentRow

_KINDS = frozenset(str(k) for k in ReferenceKind)


class Found(msgspec.Struct, frozen=True):
    """One use, and the definition it means (or may mean, by name)."""

    row: DocumentRow
    name: str
    kind: ReferenceKind
    at: Position
    certainty: Certainty
    target: Target


def check_kinds(kinds: tuple[str, ...]) -> frozenset[str]:
    """Raises InvalidQuestionError for a kind that does not exist."""
    for kind in kinds:
        if kind not in _KINDS:
            raise InvalidQuestionError("kinds", f"no usage kind '{kind}': use {', '.join(sorted(_KINDS))}")
    return frozenset(kinds) or _KINDS


def find_usages(access: Access, resolutions: Resolutions, meaning: Meaning, kinds: frozenset[str]) -> list[Found]:
    """Complete for the scope, in (snapshot, path, position) order; filters apply to the uses, not the definitions."""
    found: dict[tuple[int, str, int], Found] = {}
    for targets in _together(meaning):
        access.deadline.check()
        for use in _uses(access, resolutions, targets):
            if str(use.kind) not in kinds or not access.admits(use.row):
                continue
            key = (use.row.snapshot, use.row.path, use.at.byte)
            if key not in found or use.certainty is Certainty.RESOLVED:
                found[key] = use
    return [found[key] for key in sorted(found)]


def _together(meaning: Meaning) -> list[list[Target]]:
    """Overloads of one container are asked for at once: they share their uses' names and their plausibility."""
    groups: dict[tuple[int, int, int, str], list[Target]] = {}
    for target in meaning.targets:
        row, symbol = target.row, target.symbol
        groups.setdefault((row.snapshot, row.document_id, symbol.container, symbol.name), []).append(target)
    return list(groups.values())


def _uses(access: Access, resolutions: Resolutions, targets: list[Target]) -> Iterator[Found]:
    row, snapshot = targets[0].row, targets[0].row.snapshot
    with resolutions.of(access, snapshot) as resolution:
        uses = resolution.usages_of(row, [target.index for target in targets])
    for at_row, use in uses:
        certainty = Certainty.RESOLVED if use.resolved else Certainty.BY_NAME
        yield Found(in_scope(at_row, snapshot), use.name, use.kind, use.at, certainty, targets[0])


def usage_results(access: Access, found: Sequence[Found]) -> list[Result]:
    access.prepare(f.row for f in found)
    return [usage_result_of(access, f) for f in found]


def usage_result_of(access: Access, found: Found) -> Result:
    definition = found.target.symbol.qualified
    return usage_result(
        access, found.row, found.name, found.kind, found.at, certainty=found.certainty, definition=definition
    )


def definition_results(access: Access, meaning: Meaning) -> list[Result]:
    """The definitions meant that the question's filters take."""
    certainty = Certainty.RESOLVED if meaning.sure else Certainty.BY_NAME
    targets = [t for t in meaning.targets if access.admits(t.row)]
    access.prepare(t.row for t in targets)
    return [symbol_result(access, t.row, t.symbol, retrievers=("symbol",), certainty=certainty) for t in targets]
