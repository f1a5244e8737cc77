"""Which definitions of a variable may reach which of its uses, by structured data-flow over one function's events."""

from dataclasses import dataclass, field
from typing import TypeAlias

Environment: TypeAlias = dict[str, frozenset[int]]
_LOOP_PASSES = 2  # the second pass sees what the first defined: enough for may-reach


@dataclass(slots=True)
class Use:
    node: int
    name: str


@dataclass(slots=True)
class Define:
    node: int
    name: str


@dataclass(slots=True)
class Stop:
    """Control leaves: `loop` for break and continue, else the function."""

    loop: bool


@dataclass(slots=True)
class Branch:
    """Exactly one of the alternatives runs, or none where `skippable`; a case may also fall through from the last."""

    alternatives: list["Events"]
    skippable: bool
    falls_through: bool = False


@dataclass(slots=True)
class Loop:
    body: "Events"


@dataclass(slots=True)
class Attempt:
    body: "Events"
    handlers: list["Events"]
    final: "Events"


@dataclass(slots=True)
class Closure:
    """Runs later, seeing what is defined here; what it defines stays inside."""

    body: "Events"


Event: TypeAlias = Use | Define | Stop | Branch | Loop | Attempt | Closure
Events: TypeAlias = list[Event]


@dataclass(slots=True)
class _Run:
    pairs: set[tuple[int, int]] = field(default_factory=set)
    loops: list[list[Environment]] = field(default_factory=list)


def reaching_definitions(events: Events) -> list[tuple[int, int]]:
    """Pairs (definition, use) of node numbers, sorted."""
    run = _Run()
    _sequence(run, events, {})
    return sorted(run.pairs)


def _sequence(run: _Run, events: Events, env: Environment | None) -> Environment | None:
    for event in events:
        # Unreachable code still shows its own definitions.
        env = _event(run, event, {} if env is None else env)
    return env


def _event(run: _Run, event: Event, env: Environment) -> Environment | None:
    match event:
        case Use(node, name):
            run.pairs.update((definition, node) for definition in env.get(name, ()))
        case Define(node, name):
            env[name] = frozenset((node,))
        case Branch():
            return _branch(run, event, env)
        case Loop(body):
            return _loop(run, body, env)
        case Attempt():
            return _attempt(run, event, env)
        case Closure(body):
            _sequence(run, body, dict(env))
        case Stop(loop):
            if loop and run.loops:
                run.loops[-1].append(env)
            return None
    return env


def _branch(run: _Run, event: Branch, env: Environment) -> Environment | None:
    results: list[Environment | None] = [dict(env)] if event.skippable else []
    if event.falls_through:  # a switch: break leaves it
        run.loops.append([])
    before: Environment | None = None
    for alternative in event.alternatives:
        start = _join([env, before]) if event.falls_through else dict(env)
        before = _sequence(run, alternative, start)
        results.append(before)
    if event.falls_through:
        results += run.loops.pop()
    return _join(results)


def _loop(run: _Run, body: Events, env: Environment) -> Environment:
    exits: list[Environment | None] = [env]
    for _ in range(_LOOP_PASSES):
        run.loops.append([])
        start = _join(exits) or {}
        end = _sequence(run, body, start)
        exits += [end, *run.loops.pop()]
    return _join(exits) or {}


def _attempt(run: _Run, event: Attempt, env: Environment) -> Environment | None:
    after = _sequence(run, event.body, dict(env))
    # An exception may leave anywhere in the body, so a handler may see any definition made there.
    anywhere = _join([env, after, *({d.name: frozenset((d.node,))} for d in event.body if isinstance(d, Define))])
    ends = [after, *(_sequence(run, handler, dict(anywhere or {})) for handler in event.handlers)]
    if not event.final:
        return _join(ends)
    _sequence(run, event.final, _join([anywhere, *ends]))
    joined = _join(ends)
    return None if joined is None else _sequence(run, event.final, joined)


def _join(environments: list[Environment | None]) -> Environment | None:
    live = [env for env in environments if env is not None]
    if not live:
        return None
    joined = dict(live[0])
    for env in live[1:]:
        for name, definitions in env.items():
            known = joined.get(name)
            joined[name] = definitions if known is None or known == definitions else known | definitions
    return joined
