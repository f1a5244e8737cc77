"""Which definitions of a variable may reach which of its uses, by structured data-flow over one function's events."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.structural.flowgraph.stackless import Walk
from headwater.structural.flowgraph.stackless import run as walked

Environment: TypeAlias = dict[str, frozenset[int]]
_LOOP_PASSES = 2  # the second pass sees what the first defined: enough for may-reach
_MOST_TWICE = 5  # what is passed twice within each other: each doubles the work, deeper ones are passed once
_MOST_STEPS = 4_000_000  # definitions looked at in one function; what is found until then stands


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
    twice: int = 0  # how many of those that are passed twice this is within
    steps: int = 0

    def spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > _MOST_STEPS:
            raise _EnoughError


class _EnoughError(Exception):
    """The function is too large to be followed to its end."""


def reaching_definitions(events: Events, depth: int) -> list[tuple[int, int]]:
    """Pairs (definition, use) of node numbers, sorted. The work is bounded: of a huge function some are missing.

    Raises TooDeepError for events more than `depth` levels within each other.
    """
    run = _Run()
    with suppress(_EnoughError):
        walked(_sequence(run, events, {}), depth)
    return sorted(run.pairs)


def _sequence(run: _Run, events: Events, env: Environment | None) -> Walk[Environment | None]:
    run.spend(len(events))
    for event in events:
        # Unreachable code still shows its own definitions.
        env = yield from _event(run, event, {} if env is None else env)
    return env


def _event(run: _Run, event: Event, env: Environment) -> Walk[Environment | None]:
    match event:
        case Use(node, name):
            run.spend(len(env.get(name, ())))
            run.pairs.update((definition, node) for definition in env.get(name, ()))
        case Define(node, name):
            env[name] = frozenset((node,))
        case Branch():
            return (yield from _branch(run, event, env))
        case Loop(body):
            return (yield from _loop(run, body, env))
        case Attempt():
            return (yield from _attempt(run, event, env))
        case Closure(body):
            run.spend(len(env))
            yield _sequence(run, body, dict(env))
        case Stop(loop):
            if loop and run.loops:
                run.loops[-1].append(env)
            return None
    return env


def _branch(run: _Run, event: Branch, env: Environment) -> Walk[Environment | None]:
    results: list[Environment | None] = [dict(env)] if event.skippable else []
    if event.falls_through:  # a switch: break leaves it
        run.loops.append([])
    before: Environment | None = None
    for alternative in event.alternatives:
        run.spend(len(env))
        start = _join(run, [env, before]) if event.falls_through else dict(env)
        before = yield _sequence(run, alternative, start)
        results.append(before)
    if event.falls_through:
        results += run.loops.pop()
    return _join(run, results)


def _loop(run: _Run, body: Events, env: Environment) -> Walk[Environment]:
    exits: list[Environment | None] = [env]
    before: Environment | None = None
    run.twice += 1
    for _ in range(_LOOP_PASSES if run.twice <= _MOST_TWICE else 1):
        start = _join(run, exits) or {}
        if start == before:
            break  # another pass sees nothing new
        before = dict(start)
        run.loops.append([])
        end = yield _sequence(run, body, start)
        exits += [end, *run.loops.pop()]
    run.twice -= 1
    return _join(run, exits) or {}


def _attempt(run: _Run, event: Attempt, env: Environment) -> Walk[Environment | None]:
    after = yield _sequence(run, event.body, dict(env))
    # An exception may leave anywhere in the body, so a handler may see any definition made there.
    defined: Environment = {}
    for define in event.body:
        if isinstance(define, Define):
            defined[define.name] = defined.get(define.name, frozenset()) | {define.node}
            run.spend(len(defined[define.name]))
    anywhere = _join(run, [env, after, defined])
    ends = [after]
    for handler in event.handlers:
        ends.append((yield _sequence(run, handler, dict(anywhere or {}))))
    if not event.final:
        return _join(run, ends)
    joined = _join(run, ends)
    run.twice += 1
    if run.twice <= _MOST_TWICE or joined is None:
        yield _sequence(run, event.final, _join(run, [anywhere, *ends]))
    run.twice -= 1
    return None if joined is None else (yield _sequence(run, event.final, joined))


def _join(run: _Run, environments: list[Environment | None]) -> Environment | None:
    live = [env for env in environments if env is not None]
    if not live:
        return None
    joined = dict(live[0])
    run.spend(sum(map(len, live)))
    for env in live[1:]:
        for name, definitions in env.items():
            known = joined.get(name)
            if known is None or known == definitions:
                joined[name] = definitions
            else:
                run.spend(len(known) + len(definitions))
                joined[name] = known | definitions
    return joined
