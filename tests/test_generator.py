"""The random numbers, pinned.

What stands here as a number is the meaning of every seed that anybody wrote down: if one of these
tests fails, the same seed no longer gives the same game. Don't change the numbers; change back
the code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warcli.generator import MAX_SEED, Generator

WORD = 1 << 64
SEEDS = st.integers(0, MAX_SEED)


def splitmix64(state: int) -> Iterator[int]:
    """Vigna's published splitmix64.c."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % WORD
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
        yield z ^ (z >> 31)


def xoshiro256starstar(s: list[int]) -> Iterator[int]:
    """Blackman and Vigna's published xoshiro256starstar.c."""
    while True:
        yield _rotated(s[1] * 5 % WORD, 7) * 9 % WORD
        t = s[1] << 17 & (WORD - 1)
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotated(s[3], 45)


def _rotated(x: int, bits: int) -> int:
    return (x << bits | x >> (64 - bits)) & (WORD - 1)


def as_documented(seed: int, game: int) -> Iterator[int]:
    """The stream that the docstring of Generator promises."""
    mixed = next(splitmix64(seed))
    start = next(splitmix64((mixed + game) % WORD))
    return xoshiro256starstar(list(islice(splitmix64(start), 4)))


def test_the_published_vector_of_splitmix64() -> None:
    assert list(islice(splitmix64(1234567), 5)) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_the_published_vector_of_xoshiro256starstar() -> None:
    assert list(islice(xoshiro256starstar([1, 2, 3, 4]), 10)) == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


@given(SEEDS, SEEDS)
def test_the_numbers_are_those_of_the_docstring(seed: int, game: int) -> None:
    generator = Generator(seed, game)
    assert [generator.next() for _ in range(20)] == list(islice(as_documented(seed, game), 20))


@pytest.mark.parametrize(
    ("seed", "game", "outputs"),
    [
        (0, 0, [10108759220886529493, 17605837440599152310, 7682592763609621243]),
        (42, 0, [14521572776820312757, 16172965116832539857, 8252323033358693009]),
        (42, 1, [4719960455259140297, 2230753727085314799, 5166654538696099987]),
        (MAX_SEED, MAX_SEED, [14240551260826965843, 9740997774204235643, 15345259620476065691]),
    ],
)
def test_the_first_numbers_of_some_games(seed: int, game: int, outputs: list[int]) -> None:
    generator = Generator(seed, game)
    assert [generator.next() for _ in outputs] == outputs


@pytest.mark.parametrize("number", [-1, MAX_SEED + 1])
def test_a_seed_or_game_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        Generator(number)
    with pytest.raises(ValueError, match=str(number)):
        Generator(0, number)


def test_games_and_seeds_have_streams_of_their_own() -> None:
    firsts = {Generator(seed, game).next() for seed in range(50) for game in range(50)}
    assert len(firsts) == 2_500


class Scripted(Generator):
    """A generator with known outputs."""

    def __init__(self, *outputs: int) -> None:
        super().__init__(0)
        self.outputs = list(outputs)

    def next(self) -> int:
        return self.outputs.pop(0)


def from_upper(*upper: int) -> Scripted:
    """Outputs with these upper 32 bits, and lower ones that must not matter."""
    return Scripted(*((bits << 32) + 0xDEADBEEF for bits in upper))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 52, 54, 1_000, 10_000, (1 << 31) + 1, 1 << 32])
def test_a_number_below_n_is_unbiased(n: int) -> None:
    """Of the 2³² outputs equally many make each number; the few too many are drawn again.

    Every v is made by a run of neighbouring outputs. Their ends are looked at, so that the length
    of the run is known without trying all.
    """
    share = (1 << 32) // n
    for v in {v for v in (0, 1, n // 3, n // 2, n - 2, n - 1) if 0 <= v < n}:
        first = -(-((v << 32) + (1 << 32) % n) // n)
        last = first + share - 1
        assert from_upper(first).below(n) == v
        assert from_upper(last).below(n) == v
        if first > 0:
            assert from_upper(first - 1, first).below(n) in (v, v - 1)
        if last + 1 < 1 << 32:
            after = from_upper(last + 1, first)
            assert after.below(n) == (v if not after.outputs else v + 1)


def test_an_output_too_many_is_drawn_again() -> None:
    """2³² is 1 more than a multiple of 3, so one output (0) makes none of the three numbers."""
    generator = from_upper(0, 0, 5, 99)
    assert generator.below(3) == 0
    assert len(generator.outputs) == 1


@given(SEEDS, st.integers(1, 1 << 32))
def test_a_number_below_n_is_below_n(seed: int, n: int) -> None:
    assert 0 <= Generator(seed).below(n) < n


@given(SEEDS, SEEDS, st.lists(st.integers(), max_size=80))
def test_a_shuffle_is_that_of_the_docstring(seed: int, game: int, items: list[int]) -> None:
    numbers = as_documented(seed, game)

    def below(n: int) -> int:
        while True:
            m = (next(numbers) >> 32) * n
            if m % (1 << 32) >= (1 << 32) % n:
                return m >> 32

    expected = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = below(i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    generator = Generator(seed, game)
    assert generator.shuffle(tuple(items)) == tuple(expected)
    assert generator.next() == next(numbers)


def chi_square(counts: Counter[tuple[int, ...]] | Counter[tuple[int, int]], cells: int) -> float:
    expected = counts.total() / cells
    return sum((count - expected) ** 2 for count in counts.values()) / expected + expected * (
        cells - len(counts)
    )


def test_every_order_of_four_cards_is_as_likely() -> None:
    """24 orders, 24,000 games: the chi-square of 23 degrees of freedom is below 49.7 in 99.9 %."""
    orders = Counter(Generator(1, game).shuffle((0, 1, 2, 3)) for game in range(24_000))
    assert chi_square(orders, cells=24) < 49.7


def test_every_card_is_as_likely_at_every_place() -> None:
    """20 × 20 cells, 4,000 games: 361 degrees of freedom, below 449 in 99.9 %."""
    cards = tuple(range(20))
    at = Counter(
        place for game in range(4_000) for place in enumerate(Generator(2, game).shuffle(cards))
    )
    assert chi_square(at, cells=400) < 449
