import functools
from dataclasses import dataclass

LIMIT = 10


# Money with its currency.
# It never mixes currencies.
@dataclass(frozen=True)
class Money(Base, metaclass=Meta):
    amount: int
    currency: str = "EUR"

    @functools.cached_property
    def cents(self) -> int:
        return self.amount * 100

    def add(self, other: "Money") -> "Money":
        def cents(value):
            return value

        self.total = cents(other.amount)
        self.total += LIMIT
        return Money(self.total, currency=self.currency)


def swap(pairs):
    global LAST
    for left, (right, *rest) in pairs:
        LAST = [x for x in rest if (y := x)]
        left, right = right, left
    try:
        pass
    except (KeyError, ValueError) as error:
        raise error
    match pairs:
        case Point(x=0, y=height) | [height]:
            return height
        case {"key": value, **others}:
            return lambda a, b=value: a + b
