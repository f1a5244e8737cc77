"""Words to term numbers of the static model: sub-tokens of its vocabulary, with a fallback for words it lacks."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain

from headwater.domain.subtoken import split_identifier, words

_MAX_REMEMBERED = 200_000
_MAX_TEXTS = 1024  # reranking reads each candidate several times
_MIN_PART = 3
_SUFFIXES = ("s", "es", "d", "ed", "r", "er", "ing", "ly")


class Lexicon:
    """Immutable but for its memory of words and texts already looked up; one per thread isn't needed."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._number = {term: number for number, term in enumerate(terms)}
        self._known = _Memory(self._look_up)
        self._text = lru_cache(_MAX_TEXTS)(self._numbers)

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, text: str) -> list[int]:
        """The term numbers of a text in order, repeats included; words without a known part give none.

        Not to be changed: who asks again is given the same list.
        """
        return self._text(text)

    def _numbers(self, text: str) -> list[int]:
        return list(chain.from_iterable(map(self._known.__getitem__, words(text))))

    def _look_up(self, word: str) -> tuple[int, ...]:
        return tuple(chain.from_iterable(map(self._term, split_identifier(word))))

    def _term(self, token: str) -> Sequence[int]:
        number = self._number.get(token)
        if number is not None:
            return (number,)
        return self._stem(token) or self._halves(token)

    def _stem(self, token: str) -> tuple[int, ...]:
        for suffix in _SUFFIXES:
            stem = token.removesuffix(suffix)
            if len(stem) >= _MIN_PART and len(stem) < len(token) and stem in self._number:
                return (self._number[stem],)
        return ()

    def _halves(self, token: str) -> tuple[int, ...]:
        """Two known words written as one (certfile), the most even split first."""
        places = range(_MIN_PART, len(token) - _MIN_PART + 1)
        for place in sorted(places, key=lambda place: abs(2 * place - len(token))):
            left, right = self._number.get(token[:place]), self._number.get(token[place:])
            if left is not None and right is not None:
                return (left, right)
        return ()


class _Memory(dict[str, tuple[int, ...]]):
    """Remembers a bounded number of look-ups; a dict so that `map` over words runs without Python frames."""

    def __init__(self, look_up: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        numbers = self[word] = self._look_up(word)
        return numbers
