"""Picks the engine: one that can express the query, the quicker of two that can."""

from enum import StrEnum

from headwater.structural.query import Query
from headwater.structural.semgrep import astgrep, patterns
from headwater.structural.semgrep.templates import TEMPLATES
from headwater.structural.unsupported import UnsupportedQueryError


class Engine(StrEnum):
    FLOWGRAPH = "flowgraph"
    ASTGREP = "ast-grep"
    SEMGREP = "semgrep"


def route(query: Query, *, exact: bool, graphs_cached: bool) -> Engine:
    """The engine to serve with. `exact` asks for Semgrep's own reading; raises UnsupportedQueryError if it has none.

    A cached flow graph answers faster than a scan; without one, a scan that can say the query needs no graph built.
    """
    if exact:
        _require_semgrep(query)
        return Engine.SEMGREP
    return Engine.ASTGREP if not graphs_cached and can_scan(query) else Engine.FLOWGRAPH


def can_scan(query: Query) -> bool:
    """Whether ast-grep rules can say the query in every language that it asks for."""
    try:
        for language in [query.language] if query.language else astgrep.supported_languages():
            astgrep.compile_query(query, language)
    except UnsupportedQueryError:
        return False
    return True


def _require_semgrep(query: Query) -> None:
    languages = [query.language] if query.language else list(TEMPLATES)
    reasons = []
    for language in languages:
        try:
            patterns.compile_query(query, language)
        except UnsupportedQueryError as error:
            reasons.append(str(error))
    if len(reasons) == len(languages):
        raise UnsupportedQueryError(reasons[0])
