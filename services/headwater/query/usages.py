"""Every use of the definitions meant, from the def/ref table alone, each resolved or by name."""

from collections.abc import Iterator

import msgspec

from headwater.domain.answer import Certainty, Result
from headwater.domain.document import ReferenceKind
from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.resolution.model import Resolver, Use, Verdict
from headwater.query.access import Access
from headwater.query.hydrate import symbol_result, usage_result
from headwater.query.targets import Candidates, Meaning, Target, with_constructors
from headwater.stores.index_reader import DocumentRow, ReferenceRow

_KINDS = frozenset(str(k) for k in ReferenceKind)


class Found(msgspec.Struct, frozen=True):
    """One use, and the definition it means (or may mean, by name)."""

    row: ReferenceRow
    certainty: Certainty
    target: Target


def check_kinds(kinds: tuple[str, ...]) -> frozenset[str]:
    """Raises InvalidQuestionError for a kind that does not exist."""
    for kind in kinds:
        if kind not in _KINDS:
            raise InvalidQuestionError("kinds", f"no usage kind '{kind}': use {', '.join(sorted(_KINDS))}")
    return frozenset(kinds) or _KINDS


def find_usages(access: Access, resolver: Resolver, meaning: Meaning, kinds: frozenset[str]) -> list[Found]:
    """Complete for the scope, in (snapshot, path, position) order; filters apply to the uses, not the definitions."""
    candidates = Candidates(access)
    wanted = with_constructors(meaning, candidates)
    targets = {(t.row.snapshot, t.id): t for t in meaning.targets}
    found: dict[tuple[int, str, int], Found] = {}
    for row in _rows(access, meaning):
        if str(row.reference.kind) not in kinds or not access.admits(row.document):
            continue
        access.deadline.check()
        use = _judge(access, resolver, candidates, row, wanted, targets)
        if use is not None:
            found.setdefault((row.document.snapshot, row.document.path, row.reference.at.byte), use)
    return [found[key] for key in sorted(found)]


def _rows(access: Access, meaning: Meaning) -> Iterator[ReferenceRow]:
    """Every reference that may mean a target: by its name, through an alias, or as a local of its file."""
    names = tuple(dict.fromkeys(t.symbol.name for t in meaning.targets if not t.symbol.local))
    if names:
        yield from access.reader.references_named(access.scope, names)
    for name in names:
        for row in access.reader.documents_importing(access.scope, name):
            yield from _through_aliases(access, row, name)
    for target in meaning.targets:
        yield from _bound_in_file(access, target)


def _through_aliases(access: Access, row: DocumentRow, name: str) -> Iterator[ReferenceRow]:
    if not access.admits(row):
        return
    facts = access.documents.document(row).facts
    aliased = {i for i, imported in enumerate(facts.imports) if imported.name == name and imported.alias != name}
    if aliased:
        yield from (ReferenceRow(row, r) for r in facts.references if r.import_ in aliased)


def _bound_in_file(access: Access, target: Target) -> Iterator[ReferenceRow]:
    facts = access.documents.document(target.row).facts
    yield from (ReferenceRow(target.row, r) for r in facts.references if r.target == target.index)


def _judge(
    access: Access,
    resolver: Resolver,
    candidates: Candidates,
    row: ReferenceRow,
    wanted: set[tuple[int, tuple[str, int]]],
    targets: dict[tuple[int, tuple[str, int]], Target],
) -> Found | None:
    """None when the reference means something else."""
    snapshot, reference = row.document.snapshot, row.reference
    bound_here = (snapshot, (row.document.path, reference.target))
    if reference.target >= 0 and bound_here in targets:
        return Found(row, Certainty.RESOLVED, targets[bound_here])
    facts = access.documents.document(row.document).facts
    definitions = candidates.definitions(snapshot, reference, facts)
    binding = resolver.bind(Use(row.document.path, facts, reference), definitions)
    meant = [(snapshot, i) for i in binding.targets if (snapshot, i) in wanted]
    if binding.verdict is Verdict.ELSEWHERE or not meant:
        return None
    certainty = Certainty.RESOLVED if binding.verdict is Verdict.RESOLVED else Certainty.BY_NAME
    named = next((targets[m] for m in meant if m in targets), None)
    return Found(row, certainty, named or _owner(targets, meant[0]))


def _owner(targets: dict[tuple[int, tuple[str, int]], Target], constructor: tuple[int, tuple[str, int]]) -> Target:
    snapshot, (path, _) = constructor
    return next(t for key, t in targets.items() if key[0] == snapshot and key[1][0] == path)


def usage_results(access: Access, found: list[Found]) -> list[Result]:
    return [usage_result(access, f.row, f.certainty, f.target.symbol.qualified) for f in found]


def definition_results(access: Access, meaning: Meaning) -> list[Result]:
    """The definitions meant that the question's filters take."""
    certainty = Certainty.RESOLVED if meaning.sure else Certainty.BY_NAME
    return [
        symbol_result(access, t.row, t.symbol, retrievers=("symbol",), certainty=certainty)
        for t in meaning.targets
        if access.admits(t.row)
    ]
