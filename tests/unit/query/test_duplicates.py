"""Near-equal code is folded into its first copy."""

from headwater.query.duplicates import Folded, fold_duplicates

BODY = "def save(order):\n    check(order)\n    total = add(order)\n    log(total)\n    return write(total)\n"


def test_near_equal_items_fold_into_the_first() -> None:
    texts = [BODY, "def load():\n    pass\n", BODY.replace("log(total)", "log(total)  "), BODY + "\n\n"]
    folded = fold_duplicates(texts, lambda _: "one", lambda text: text)
    assert folded == [Folded(0, 2), Folded(1, 0)]


def test_only_items_of_one_group_are_compared() -> None:
    asked: list[str] = []

    def text(item: str) -> str:
        asked.append(item)
        return BODY

    assert fold_duplicates(["a", "b"], lambda item: item, text) == [Folded(0, 0), Folded(1, 0)]
    assert asked == []


def test_items_without_text_are_kept() -> None:
    assert len(fold_duplicates(["", ""], lambda _: "one", lambda text: text)) == 2
