"""The words that a question may use, in whatever form and spelling."""

from functools import lru_cache

from rapidfuzz.distance import OSA

from headwater.structural.translate import lexicon

WORDS = frozenset(
    set(lexicon.SPOKEN)
    | lexicon.FILLERS
    | lexicon.DROPPED
    | lexicon.WITH
    | lexicon.WITHOUT
    | lexicon.NEGATIONS
    | lexicon.ARGUMENT_NOUNS
    | lexicon.MODIFIER_WORDS
    | lexicon.CREATED
    | lexicon.PRIMITIVES
    | set(lexicon.ORDINALS)
    | set(lexicon.NUMBERS)
    | set(lexicon.LITERAL_KINDS)
    | set(lexicon.OPERATOR_WORDS)
    | set(lexicon.GROUP_OPERATORS)
    | {value.lower() for value in lexicon.LITERAL_VALUES}
    | {word for key in lexicon.AT_LEAST for word in key}
    | {
        "or",
        "either",
        "type",
        "typed",
        "extending",
        "extend",
        "implementing",
        "implement",
        "extends",
        "implements",
        "catching",
    }
    | {
        "value",
        "empty",
        "nested",
        "nor",
        "equal",
        "equals",
        "subclass",
        "subtype",
        "annotated",
        "comparison",
        "rhs",
        "non",
    }
)
_SHORTEST_TYPO = 5
_NO_TYPOS = frozenset(("multiple", "several", "whether", "throughout", "there", "together", "never", "where", "other"))


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """The word in lower case without its plural or third-person ending, where the rest is a word that is known."""
    low = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    if low in WORDS:
        return "or" if low == "nor" else low
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("s", ""), ("es", "")):
        if low.endswith(ending) and low[: len(low) - len(ending)] + instead in WORDS:
            return low[: len(low) - len(ending)] + instead
    return low


@lru_cache(maxsize=4096)
def corrected(word: str) -> str:
    """The known word that differs by one slip of the finger (two in a long word), "" when none or several do."""
    if len(word) < _SHORTEST_TYPO or word in _NO_TYPOS:
        return ""
    most = 1 if len(word) < 8 else 2
    near = [
        (OSA.distance(word, known, score_cutoff=most), known) for known in WORDS if abs(len(known) - len(word)) <= most
    ]
    near += [(d, known) for known in WORDS if (d := OSA.distance(word, known + "s", score_cutoff=most)) <= most]
    good = sorted((distance, known) for distance, known in near if distance <= most and len(known) >= 4)
    return good[0][1] if good else ""
