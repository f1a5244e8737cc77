"""Runs a pipeline over a graph: forward for the answer, backward to learn which nodes satisfy a nested one."""

import re

import numpy as np

from headwater.structural.deadline import UNBOUNDED, Work
from headwater.structural.flowgraph.graph import Graph, Mask
from headwater.structural.flowgraph.pipeline import (
    ANY_ARGUMENT,
    CONTEXTS,
    CONTROL_KINDS,
    NODE_TYPES,
    TEXTUAL,
    TRANSFORMS,
    Argument,
    ContextKind,
    Pipeline,
    Step,
)
from headwater.structural.flowgraph.relate import of_construct, related
from headwater.structural.flowgraph.scope import bare_type
from headwater.structural.query import OPPOSITE, Construct, Relation

_A_MATCH = 200  # a string that matches takes as long as so many looks at a node


def run(graph: Graph, pipeline: Pipeline, work: Work = UNBOUNDED) -> Mask:
    """The nodes that the last step leaves, starting from all of them. Each step looks at every node, however many
    are left: the cost is that of steps times nodes. Raises CutShortError."""
    current = np.ones(len(graph), dtype=bool)
    for step in pipeline:
        work.spend(len(graph))
        relation = _relation(step)
        if relation is None:
            current &= _filter(graph, step, work)
            continue
        current = related(graph, relation, _start(graph, step, current), _index(step))
    return current


def satisfying(graph: Graph, pipeline: Pipeline, work: Work) -> Mask:
    """The nodes from which the pipeline, started at that node alone, leaves something."""
    wanted = np.ones(len(graph), dtype=bool)
    for step in reversed(pipeline):
        work.spend(len(graph))
        relation = _relation(step)
        if relation is None:
            wanted &= _filter(graph, step, work)
            continue
        wanted = _start(graph, step, related(graph, OPPOSITE[relation], wanted, _index(step)))
    return wanted


def _relation(step: Step) -> Relation | None:
    """The relation of a transform's results to its start, None for a filter."""
    if step.op != "withContextNodesTransform":
        return TRANSFORMS.get(step.op)
    return Relation.INSIDE if ContextKind(str(step.args[0])) in TEXTUAL else Relation.CONTROLLED_BY


def _start(graph: Graph, step: Step, nodes: Mask) -> Mask:
    if step.op != "withContextNodesTransform":
        return nodes
    kinds = CONTEXTS[ContextKind(str(step.args[0]))]
    return nodes & of_kinds(graph, kinds)


def of_kinds(graph: Graph, kinds: tuple[Construct, ...]) -> Mask:
    found = np.zeros(len(graph), dtype=bool)
    for kind in kinds:
        if kind is Construct.ANY:
            return ~found
        for plain in (
            (Construct.FOR, Construct.FOREACH, Construct.WHILE, Construct.DO) if kind is Construct.LOOP else (kind,)
        ):
            found |= of_construct(graph, plain)
    return found


def _index(step: Step) -> int | None:
    if not step.args or step.op == "withContextNodesTransform" or step.args[0] == ANY_ARGUMENT:
        return None
    return int(step.args[0])


def _filter(graph: Graph, step: Step, work: Work) -> Mask:
    match step.op:
        case "withAllOf":
            return _all(graph, step, work)
        case "withAnyOf":
            return ~_all_not(graph, step, work)
        case "withNegationOf":
            return _all_not(graph, step, work)
        case "withControlFilter":
            return of_kinds(graph, (CONTROL_KINDS[str(step.args[0])],))
        case "withNodeByTypeFilter":
            return of_kinds(graph, (NODE_TYPES[str(step.args[0])],))
        case "withNumberOfArgumentsFilter":
            return _counted(graph, int(step.args[0]), str(step.args[1]))
        case _:
            return _textual(graph, step.op, step.args, work)


def _all(graph: Graph, step: Step, work: Work) -> Mask:
    kept = np.ones(len(graph), dtype=bool)
    for inner in step.pipelines:
        kept &= satisfying(graph, inner, work)
    return kept


def _all_not(graph: Graph, step: Step, work: Work) -> Mask:
    kept = np.ones(len(graph), dtype=bool)
    for inner in step.pipelines:
        kept &= ~satisfying(graph, inner, work)
    return kept


def _counted(graph: Graph, count: int, comparison: str) -> Mask:
    countable = of_kinds(graph, (Construct.CALL, Construct.NEW, Construct.METHOD, Construct.LAMBDA, Construct.OPERATOR))
    compare = {"=": np.equal, ">=": np.greater_equal, "<=": np.less_equal}[comparison]
    kept: Mask = countable & compare(graph.arity, count)
    return kept


def _textual(graph: Graph, op: str, args: tuple[Argument, ...], work: Work) -> Mask:
    pattern = str(args[-1])
    match op:
        case "withActionFilter":
            actions = of_kinds(graph, (Construct.CALL, Construct.NEW, Construct.OPERATOR))
            return actions & _matching(graph, "name", pattern, work)
        case "withMethodCallFilter":
            named = _matching(graph, "qualified", pattern, work) | _matching(graph, "name", pattern, work)
            return of_kinds(graph, (Construct.CALL, Construct.NEW)) & named
        case "withDataByNameFilter":
            return _matching(graph, "name", pattern, work) | _matching(graph, "qualified", pattern, work)
        case "withDataByValueFilter":
            return of_construct(graph, Construct.LITERAL) & _matching(
                graph, "name", re.escape(pattern.replace("\n", "\0")), work
            )
        case "withModifierFilter":
            return _matching(graph, "modifiers", f".* {re.escape(pattern)} .*", work)
        case _:
            return _matching(graph, "type", type_pattern(pattern), work)


def _matching(graph: Graph, column: str, pattern: str, work: Work) -> Mask:
    """Nodes whose string the pattern matches as a whole. No type or qualified name is not the empty one."""
    accepted = graph.strings_matching(pattern, lambda matches: work.spend(_A_MATCH * matches))
    if column != "name":
        accepted[[number for number, text in enumerate(graph.strings[:1]) if not text]] = False
    used: Mask = graph.__dict__[column]
    return np.asarray(accepted[used], dtype=bool)


def type_pattern(written: str) -> str:
    """Matches a type, or one of several joined by `;`, by its qualified name's end; `*` is a wildcard."""
    body = "[^;\n]*".join(re.escape(part) for part in bare_type(written).split("*"))
    return f"(?:.*;)?(?:[^;\\n]*[.])?{body}(?:;.*)?"
