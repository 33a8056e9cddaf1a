"""What is kept of very many games: exact, and the same in whatever order it is put together."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isclose
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warcli.rulesfile import load
from warcli.study.columns import combined, counted, picked, places
from warcli.study.games import REASONS, Games
from warcli.study.pace import Pace
from warcli.study.tally import Comparison, Distribution, Tally, counted_as

RULES = load("english")
PACE = Pace(round=400, step=600)
ENDLESS = REASONS.index("endless")

Played = tuple[int, int, int, int, int]
"""Reason, winners, rounds, layers beyond one a round, lead changes."""

LENGTHS = st.one_of(st.integers(1, 2_000), st.integers(1, 10**9))
PLAYED: st.SearchStrategy[Played] = st.tuples(
    st.integers(0, len(REASONS) - 1), st.integers(0, 3), LENGTHS, st.integers(0, 400), LENGTHS
)


def games_of(played: list[Played], *, arrays: bool = False) -> Games:
    """These games as the kernel (arrays) or the law (lists) would record them; every layer more
    than the rounds belongs to a war of half as many steps."""
    steps = [extra // 2 for _, _, _, extra, _ in played]
    columns = [
        [reason for reason, *_ in played],
        [0 if reason == ENDLESS else winners for reason, winners, *_ in played],
        [rounds for _, _, rounds, _, _ in played],
        [rounds + extra for _, _, rounds, extra, _ in played],
        [int(depth > 0) for depth in steps],
        steps,
        steps,
        [leads for *_, leads in played],
        [0 for _ in played],
    ]
    depths = [steps.count(depth) for depth in range(1, max(steps, default=0) + 1)]
    as_column = partial(np.array, dtype=np.int64) if arrays else list
    sizes = [(0, 0)] * len(played)
    return Games._make([*map(as_column, columns), sizes, as_column(depths)])


def tally_of(played: list[Played], first: int = 0, *, arrays: bool = False) -> Tally:
    return Tally.of(games_of(played, arrays=arrays), first, PACE)


@settings(max_examples=60)
@given(st.lists(PLAYED, max_size=60), st.integers(1, 7), st.randoms(use_true_random=False))
def test_parts_put_together_in_any_order_are_the_whole(
    played: list[Played], size: int, order: Random
) -> None:
    parts = [tally_of(played[first : first + size], first) for first in range(0, len(played), size)]
    order.shuffle(parts)
    together = Tally()
    for part in parts:
        together.add(part)
    assert together == tally_of(played)


@settings(max_examples=60)
@given(st.lists(PLAYED, max_size=60))
def test_arrays_of_the_kernel_and_lists_of_the_law_come_to_the_same(played: list[Played]) -> None:
    assert tally_of(played, arrays=True) == tally_of(played)


@settings(max_examples=60)
@given(st.lists(PLAYED, min_size=1, max_size=60), st.integers(0, 10**12))
def test_it_says_what_the_games_say(played: list[Played], first: int) -> None:
    tally = tally_of(played, first)
    ended = [
        (rounds, game)
        for game, (reason, _, rounds, *_) in enumerate(played, first)
        if reason != ENDLESS
    ]
    assert tally.games == len(played)
    assert tally.lengths.games == len(ended)
    for code, reason in enumerate(REASONS):
        assert tally.rounds[reason].games == sum(one[0] == code for one in played)
    for seat in (0, 1):
        assert tally.won_by(seat) == sum(one[1] >> seat & 1 for one in played if one[0] != ENDLESS)
    assert tally.drawn == sum(one[0] != ENDLESS and one[1] == 0 for one in played)
    if ended:
        assert tally.shortest is not None
        assert tally.longest is not None
        assert (tally.shortest.number, tally.shortest.game) == min(ended)
        assert (-tally.longest.number, tally.longest.game) == min(
            (-rounds, game) for rounds, game in ended
        )
    else:
        assert tally.shortest is None
        assert tally.longest is None
    steps = [extra // 2 for _, _, _, extra, _ in played]
    if any(steps):
        assert tally.deepest is not None
        assert tally.deepest.number == max(steps)
        assert tally.deepest.game == first + steps.index(max(steps))
    assert sum(tally.wars.values()) == sum(depth > 0 for depth in steps)


@given(st.lists(st.integers(0, 5_000), min_size=2, max_size=200))
def test_mean_deviation_and_percentiles_are_those_of_the_numbers(numbers: list[int]) -> None:
    distribution = Distribution.of(counted(numbers))
    in_order = sorted(numbers)
    assert isclose(distribution.mean, fmean(numbers))
    assert isclose(distribution.deviation, stdev(numbers), rel_tol=1e-9, abs_tol=1e-9)
    for percent in (1, 5, 25, 50, 75, 95, 99, 100):
        # the smallest number that at least so many per cent of them don't exceed
        rank = -(-len(numbers) * percent // 100)
        assert distribution.percentiles([Fraction(percent)]) == [in_order[rank - 1]]


def test_a_deviation_is_exact_where_floating_point_would_lose_it() -> None:
    numbers = [10**12, 10**12 + 1, 10**12 + 2]
    assert Distribution.of(counted(numbers)).deviation == 1.0


def test_percentiles_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="no games"):
        Distribution().percentiles([Fraction(50)])


@given(st.integers(0, 10**15))
def test_what_is_kept_of_a_length_is_bounded_and_close(number: int) -> None:
    kept = counted_as(number)
    assert kept == number if number <= 1_048_575 else 0 <= number - kept <= number / 524_288
    assert counted_as(kept) == kept
    # so all lengths below 2 to the power of 50 share some 17 million entries at most
    assert kept.bit_length() == number.bit_length()
    assert kept % (1 << max(0, number.bit_length() - 20)) == 0


@settings(max_examples=60)
@given(st.lists(st.tuples(PLAYED, PLAYED), max_size=40), st.booleans(), st.integers(1, 9))
def test_a_comparison_goes_deal_by_deal(
    pairs: list[tuple[Played, Played]], arrays: bool, size: int
) -> None:
    together = Comparison()
    for first in range(0, len(pairs), size):
        some = pairs[first : first + size]
        base, other = (games_of([pair[side] for pair in some], arrays=arrays) for side in (0, 1))
        together.add(Comparison.of(base, other, PACE))
    apart = [two[2] - one[2] for one, two in pairs if ENDLESS not in (one[0], two[0])]
    assert together.rounds.games == len(apart)
    assert together.rounds.total == sum(apart)
    assert together.rounds.squares == sum(number**2 for number in apart)
    assert together.outcomes.total() == len(pairs)
    for code, reason in enumerate(REASONS):
        changed = sum(two[0] == code != one[0] for one, two in pairs)
        assert changed == sum(
            times
            for (one, two), times in together.outcomes.items()
            if two.reason == reason != one.reason
        )


@given(st.lists(st.integers(-(2**40), 2**40), max_size=50), st.integers(-5, 5))
def test_columns_are_the_same_as_lists_and_as_arrays(numbers: list[int], wanted: int) -> None:
    array = np.array(numbers, np.int64)
    assert counted(array) == counted(numbers)
    assert list(places(array, wanted)) == places(numbers, wanted)
    last = [len(numbers) - 1] if numbers else []
    assert list(picked(array, np.array(last, np.int64))) == picked(numbers, last)
    assert list(combined(lambda one, two: one - two, array, array)) == [0] * len(numbers)


def test_times_at_a_table() -> None:
    # two rounds of 4 seconds, one of them with a war step of 6
    assert PACE.times([2], [1]) == [14_00]
    assert Pace.read("4,0.25").times([2], [3]) == [8_75]


def test_the_time_of_a_very_long_game_at_the_slowest_pace_is_right() -> None:
    slowest = Pace.read("3600,3600")
    rounds, steps = [10**12], [2 * 10**12]
    assert list(slowest.times(np.array(rounds), np.array(steps))) == slowest.times(rounds, steps)


def test_the_mean_of_fast_and_short_games_is_exact() -> None:
    """Seconds would be too coarse for these."""
    played: list[Played] = [(0, 1, 3, 0, 0)] * 100
    tally = Tally.of(games_of(played), 0, Pace.read("0.11,0"))
    assert tally.times.mean == 33


def test_a_pace_is_read_and_written() -> None:
    assert Pace.read(" 4.5, 6 ") == Pace(round=450, step=600)
    assert str(Pace.read("4.5,6")) == "4.5,6"
    assert Pace.read("0.1,0") == Pace(round=10, step=0)
    assert Pace.read("3600,3600.00") == Pace(round=360_000, step=360_000)


@pytest.mark.parametrize(
    "text",
    [
        *("", "4", "4,6,8", "x,y", "nan,6", "inf,6", "1e99,1", "1e999999,1"),
        *("0,6", "-1,6", "4,-6", "0.001,0", "0.09,0", "3600.01,0", "4,3601", "4.125,6"),
    ],
)
def test_what_is_no_pace_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(ValueError, match=r"a round, from 0\.1 to 3600, .* such as 4,6"):
        Pace.read(text)
