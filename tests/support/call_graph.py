"""The call graph of the program by its names, and its cycles: where it recurses."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class _Module:
    name: str
    functions: dict[tuple[str, ...], Function] = field(default_factory=dict)  # by the names that it stands in
    classes: set[tuple[str, ...]] = field(default_factory=set)
    imports: dict[str, tuple[str, ...]] = field(default_factory=dict)  # name -> module and what of it


def recursive_groups(root: Path) -> list[frozenset[str]]:
    """Functions that may come to call each other or themselves, as module:name.

    Followed are names of the module, imported names and methods of one's own class. Calls through a table of
    functions and from object to object aren't seen.
    """
    modules = [_read(path, root) for path in sorted(root.rglob("*.py"))]
    by_name = {module.name: module for module in modules}
    edges = {
        _key(module, names): set(_called(module, names, function, by_name))
        for module in modules
        for names, function in module.functions.items()
    }
    return _cycles(edges)


def _key(module: _Module, names: tuple[str, ...]) -> str:
    return f"{module.name}:{'.'.join(names)}"


def _read(path: Path, root: Path) -> _Module:
    parts = path.relative_to(root.parent).with_suffix("").parts
    module = _Module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    pending: list[tuple[ast.AST, tuple[str, ...]]] = [(ast.parse(path.read_text(encoding="utf-8")), ())]
    while pending:
        node, names = pending.pop()
        for child in ast.iter_child_nodes(node):
            inside = names
            if isinstance(child, Function):
                inside = (*names, child.name)
                module.functions[inside] = child
            elif isinstance(child, ast.ClassDef):
                inside = (*names, child.name)
                module.classes.add(inside)
            elif isinstance(child, ast.ImportFrom):
                for alias in child.names:
                    module.imports[alias.asname or alias.name] = (child.module or "", alias.name)
            pending.append((child, inside))
    return module


def _called(
    module: _Module,
    names: tuple[str, ...],
    function: Function,
    by_name: dict[str, _Module],
) -> Iterator[str]:
    for node in _own_nodes(function):
        if isinstance(node, ast.Name):
            yield from _by_bare_name(module, names, node.id, by_name)
        elif isinstance(node, ast.Attribute):
            yield from _by_attribute(module, names, node, by_name)


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """Without the functions that are defined inside: those have nodes of their own."""
    pending: list[ast.AST] = list(ast.iter_child_nodes(function))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, Function):
            pending.extend(ast.iter_child_nodes(node))


def _by_bare_name(module: _Module, names: tuple[str, ...], name: str, by_name: dict[str, _Module]) -> Iterator[str]:
    """A function inside this one or around it, of the module, or imported; never a method."""
    for length in range(len(names), -1, -1):
        if names[:length] not in module.classes and (*names[:length], name) in module.functions:
            yield _key(module, (*names[:length], name))
            return
    origin, original = module.imports.get(name, ("", ""))
    if origin in by_name and (original,) in by_name[origin].functions:
        yield _key(by_name[origin], (original,))


def _by_attribute(
    module: _Module,
    names: tuple[str, ...],
    node: ast.Attribute,
    by_name: dict[str, _Module],
) -> Iterator[str]:
    owner = node.value
    if isinstance(owner, ast.Name) and owner.id in ("self", "cls"):
        for length in range(len(names) - 1, 0, -1):
            if names[:length] in module.classes and (*names[:length], node.attr) in module.functions:
                yield _key(module, (*names[:length], node.attr))
                return
    elif isinstance(owner, ast.Name) and ".".join(module.imports.get(owner.id, ())) in by_name:
        other = by_name[".".join(module.imports[owner.id])]
        if (node.attr,) in other.functions:
            yield _key(other, (node.attr,))


def _cycles(edges: dict[str, set[str]]) -> list[frozenset[str]]:
    """What is left of the graph is taken apart at one cycle after the other, and overlapping ones are joined."""
    groups = [frozenset((name,)) for name, called in edges.items() if name in called]
    graph = _without_leaves({name: called - {name} for name, called in edges.items()})
    part_of: dict[str, str] = {}

    def whole(name: str) -> str:
        while name in part_of:
            name = part_of[name]
        return name

    members: dict[str, set[str]] = defaultdict(set)
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            cycle = set(error.args[1])
            first = min(cycle)
            called = set().union(*(graph.pop(name, set()) for name in cycle))
            for name in cycle:
                members[first] |= members.pop(name, set()) | {name}
                if name != first:
                    part_of[name] = first
            graph = {name: {whole(other) for other in others} - {name} for name, others in graph.items()}
            graph[first] = {whole(other) for other in called} - {first}
            continue
        break
    joined = [frozenset(names) for names in members.values()]
    return joined + [group for group in groups if not any(group <= other for other in joined)]


def _without_leaves(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """Without what leads into no cycle."""
    callers: dict[str, set[str]] = defaultdict(set)
    for name, called in graph.items():
        for other in called:
            callers[other].add(name)
    left = {name: len(called) for name, called in graph.items()}
    leaves = [name for name, count in left.items() if not count]
    while leaves:
        for caller in callers[leaves.pop()]:
            left[caller] -= 1
            if not left[caller]:
                leaves.append(caller)
    return {name: {other for other in graph[name] if left[other]} for name, count in left.items() if count}
