"""Scoring of usages: scope, optional places, further definitions."""

from headwater.evaluation.golden import Definition, Token, Usages
from headwater.evaluation.scopes import CorpusScope
from headwater.evaluation.usage_score import score_usages

QUESTION = Usages(
    id="u",
    corpus="c",
    lang="python",
    symbol="f",
    definition=Definition("a.py", 1, 5),
    expected=(Token("a.py", 3, 1, "call"), Token("b.py", 1, 9, "import")),
    optional=(Token("b.py", 1, 14),),
    other_definitions=(Token("a.py", 8, 5),),
)
SCOPE = CorpusScope(ext=(".py",), under=(".",), leave_out=("gen.py",))


def score(*answers: tuple[str, int, int]) -> tuple[float, float, bool]:
    found = score_usages(QUESTION, [Token(*a) for a in answers], SCOPE)
    return found.recall, found.precision, found.exact


def test_an_exact_list_may_hold_definitions_and_optional_places() -> None:
    assert score(("a.py", 1, 5), ("a.py", 3, 1), ("b.py", 1, 9), ("b.py", 1, 14), ("a.py", 8, 5)) == (1.0, 1.0, True)


def test_what_is_out_of_scope_does_not_count() -> None:
    assert score(("a.py", 3, 1), ("b.py", 1, 9), ("gen.py", 1, 1), ("c.txt", 1, 1)) == (1.0, 1.0, True)


def test_wrong_and_missing_places() -> None:
    assert score(("a.py", 3, 1), ("z.py", 4, 4)) == (0.5, 0.5, False)


def test_no_answers_are_precise_but_find_nothing() -> None:
    assert score() == (0.0, 1.0, False)


def test_all_overloads_are_asked_only_where_the_question_means_all() -> None:
    assert QUESTION.meant() == (QUESTION.definition,)
    many = Usages(**{f: getattr(QUESTION, f) for f in QUESTION.__struct_fields__ if f != "tags"}, tags=("overloads",))
    assert many.meant() == (QUESTION.definition, Definition("a.py", 8, 5))
