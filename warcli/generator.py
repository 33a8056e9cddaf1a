"""The project's own random numbers: the same on every machine and Python version, for ever."""

from __future__ import annotations

from typing import TypeVar

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15

MAX_SEED = _MASK
"""Seeds and game numbers run from 0 to 2⁶⁴ − 1."""

Item = TypeVar("Item")


class Generator:
    """The random numbers of one game of one seed.

    The numbers are those of **xoshiro256\\*\\*** (Blackman and Vigna, 2018). Its four 64-bit words
    of state are the first four outputs of **SplitMix64** (Steele, Lea and Flood, 2014) started at

        mix(mix(seed) + game)          (all arithmetic modulo 2⁶⁴)

    where `mix(x)` is the first output of a SplitMix64 started at x. So each game of a seed has a
    stream of its own that can be had without playing the games before it.

    A number **below n** takes the upper 32 bits x of the next output and forms the 64-bit product
    m = x · n. If the lower 32 bits of m are less than 2³² mod n it starts again with another
    output; otherwise the result is the upper 32 bits of m (Lemire, 2019). No number below n is
    likelier than another. n is at most 2³².

    A **shuffle** runs i from the last place down to 1 and swaps place i with place j, the number
    below i + 1 (Fisher and Yates; Durstenfeld, 1964).

    `tests/test_generator.py` pins all of this by vectors.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int, game: int = 0) -> None:
        """Raises ValueError unless seed and game are whole numbers from 0 to 2⁶⁴ − 1."""
        for number in (seed, game):
            if not 0 <= number <= MAX_SEED:
                raise ValueError(f"{number} is not between 0 and {MAX_SEED}")
        start = _mix((_mix(seed) + game) & _MASK)
        self._state = tuple(_mix((start + step * _GOLDEN) & _MASK) for step in range(4))

    def next(self) -> int:
        """The next output, 0 … 2⁶⁴ − 1."""
        s0, s1, s2, s3 = self._state
        output = _rotate((s1 * 5) & _MASK, 7) * 9 & _MASK
        kept = (s1 << 17) & _MASK
        s2 ^= s0
        s3 ^= s1
        self._state = (s0 ^ s3, s1 ^ s2, s2 ^ kept, _rotate(s3, 45))
        return output

    def below(self, n: int) -> int:
        """A number from 0 to n − 1, each as likely; n from 1 to 2³²."""
        while True:
            product = (self.next() >> 32) * n
            if product & 0xFFFFFFFF >= (1 << 32) % n:
                return product >> 32

    def shuffle(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """The items in random order, each order as likely."""
        shuffled = list(items)
        for place in range(len(shuffled) - 1, 0, -1):
            other = self.below(place + 1)
            shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
        return tuple(shuffled)


def _mix(x: int) -> int:
    """The first output of SplitMix64 started at x."""
    x = (x + _GOLDEN) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def _rotate(x: int, bits: int) -> int:
    return ((x << bits) | (x >> (64 - bits))) & _MASK
