"""Pairs a query with words: a structured description like the paper's, and free text from the templates."""

from random import Random

from headwater.structural.generate.templates import (
    ANY_TYPED,
    COUNTS,
    NAMED,
    NOUNS,
    OPENINGS,
    ORDINALS,
    RELATED,
    TYPED,
    VALUE_OF_PHRASES,
    VALUE_PHRASES,
    VALUES,
)
from headwater.structural.query import (
    AllOf,
    AnyOf,
    Condition,
    Construct,
    Count,
    Modifier,
    Name,
    Node,
    Not,
    Related,
    Relation,
    Type,
    Value,
)


def structured(node: Node, depth: int = 0) -> str:
    """The query as a nested list, one construct or condition a line."""
    lines = [f"{'  ' * depth}- {node.construct.value}"]
    for condition in node.where:
        lines += _structured_condition(condition, depth + 1)
    return "\n".join(lines)


def _structured_condition(condition: Condition, depth: int) -> list[str]:
    pad = "  " * depth
    match condition:
        case Related(relation=relation, node=node, index=index):
            at = "" if index is None else f" {index + 1}"
            return [f"{pad}- {relation.value}{at}:", structured(node, depth + 1)]
        case Not(condition=inner):
            return [f"{pad}- not:", *_structured_condition(inner, depth + 1)]
        case AllOf(conditions=parts) | AnyOf(conditions=parts):
            kind = "all" if isinstance(condition, AllOf) else "any"
            return [f"{pad}- {kind}:", *(line for part in parts for line in _structured_condition(part, depth + 1))]
        case Count(n=n, op=op):
            return [f"{pad}- arguments {op} {n}"]
        case Value(text=text):
            return [f"{pad}- value: {text!r}"]
        case Name(pattern=text) | Type(pattern=text) | Modifier(name=text):
            return [f"{pad}- {type(condition).__name__.lower()}: {text}"]


def phrase(node: Node, random: Random) -> str:
    """One way to ask for the node, chosen at random."""
    opening = random.choice(OPENINGS)
    if "{one}" in opening:
        return opening.format(one=_described(node, random, plural=False)) + random.choice(("", "."))
    return opening.format(_described(node, random, plural=True)) + random.choice(("", "."))


def _described(node: Node, random: Random, *, plural: bool) -> str:
    adjectives = [c.name for c in node.where if isinstance(c, Modifier)]
    noun = random.choice(NOUNS[node.construct])[plural]
    name = next((c.pattern for c in node.where if isinstance(c, Name)), "")
    if name:
        template = random.choice(NAMED.get(node.construct, ("{noun} {name}",)))
        noun = template.format(noun=noun, name=_quoted(name, random))
    own = [c for c in node.where if not isinstance(c, Name | Modifier | Related)]
    related = [c for c in node.where if isinstance(c, Related)]
    clauses = [_clause(c, node, random) for c in (*own, *related)]
    joined = " and ".join(clauses) if len(related) > 1 else " ".join(clauses)
    return " ".join(part for part in (*adjectives, noun, joined) if part)


def _clause(condition: Condition, owner: Node, random: Random) -> str:
    match condition:
        case Type(pattern=pattern):
            return random.choice(TYPED.get(owner.construct, ANY_TYPED)).format(type=pattern)
        case Value(text=text):
            quoted = text if _bare(text) else f'"{text}"'
            return random.choice(VALUES).format(value=quoted)
        case Count(n=n):
            noun = argument_noun(owner.construct)
            return random.choice(COUNTS).format(
                n=n if n else random.choice(("no", "0")), argument=noun + "s" * (n != 1)
            )
        case Not(condition=inner):
            return f"not {_clause(inner, owner, random)}"
        case AnyOf(conditions=parts):
            return " or ".join(_clause(part, owner, random) for part in parts)
        case AllOf(conditions=parts):
            return " and ".join(_clause(part, owner, random) for part in parts)
        case Related():
            return _related(condition, owner, random)
        case _:
            return ""


def _related(condition: Related, owner: Node, random: Random) -> str:
    relation, inner = condition.relation, condition.node
    templates = RELATED[relation]
    if relation is Relation.VALUE:
        templates = VALUE_PHRASES.get(owner.construct, templates)
    elif relation is Relation.VALUE_OF:
        templates = VALUE_OF_PHRASES.get(inner.construct, templates)
    holder = owner if relation is Relation.ARGUMENT else inner
    argument = _position(condition.index, argument_noun(holder.construct))
    other = _described(inner, random, plural=False)
    return random.choice(templates).format(f"{_article(other)} {other}", argument=argument)


def argument_noun(construct: Construct) -> str:
    if construct in (Construct.OPERATOR, Construct.CONDITIONAL, Construct.ARRAY_ACCESS, Construct.INSTANCEOF):
        return "operand"
    return "parameter" if construct in (Construct.METHOD, Construct.LAMBDA) else "argument"


def _position(index: int | None, noun: str) -> str:
    if index is None or index >= len(ORDINALS):
        return f"{_article(noun)} {noun}"
    return f"the {ORDINALS[index]} {noun}"


def _article(text: str) -> str:
    return "an" if text[:1].lower() in "aeiou" else "a"


def _quoted(name: str, random: Random) -> str:
    return f"`{name}`" if random.random() < 0.2 else name


def _bare(text: str) -> bool:
    return text in ("true", "false", "null") or text.replace(".", "", 1).isdigit()
