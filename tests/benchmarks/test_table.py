"""What a typed line costs at the table, early in a game and in its round 5,000.

Run by `pytest tests/benchmarks`. A whole game is typed in; the median cost of the lines of some
rounds is compared with that of others of the same run. A line counts from the text to the words
to be shown. The costs are printed; run with `-s` to see them.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter

import pytest
from msgspec import structs
from pytest_benchmark.fixture import BenchmarkFixture

from warcli.events import Round
from warcli.referee.table import Table
from warcli.rules import Rules
from warcli.rulesfile import load
from warcli.simulation import default_players, simulate

MOST = 2
"""Times the cost in round 50 that round 5,000 may have."""

SLOWEST = 0.020
"""Seconds that a line may take."""

ENDLESS = structs.replace(load("guerra"), capture_order="seat-order", round_limit=5100)
"""Seed 0 goes round and round for ever."""

FOUR_PACKS = structs.replace(load("english"), packs=4, deck_size=208, capture_order="seat-order")
"""Every position is remembered, in case it comes again; equal cards are told to the law."""


def lines(rules: Rules, seed: int, suits: bool) -> list[tuple[int, str]]:
    """The lines of a whole game, each with its round."""
    return [
        (
            event.round,
            " ".join(
                card if suits else rules.pack.rank[card] for card in layer.cards if card is not None
            ),
        )
        for event in simulate(rules, seed)
        if isinstance(event, Round)
        for layer in event.layers
        if layer.face == "up"
    ]


def costs(table: Table, game: list[tuple[int, str]]) -> dict[int, float]:
    """Seconds that a line of each round takes."""
    taken: dict[int, float] = {}
    for number, line in game:
        begun = perf_counter()
        shown = table.enter(line).lines
        taken[number] = perf_counter() - begun
        assert shown
    return taken


def around(taken: dict[int, float], number: int) -> float:
    """The median cost of a line in the forty rounds around this one."""
    return median(taken[near] for near in range(number - 20, number + 20))


@pytest.mark.parametrize("suits", [True, False], ids=["suits", "ranks"])
@pytest.mark.parametrize(
    ("rules", "seed"), [(ENDLESS, 0), (FOUR_PACKS, 0)], ids=["endless", "four packs"]
)
def test_a_line_in_round_5000_costs_as_much_as_in_round_50(
    benchmark: BenchmarkFixture, rules: Rules, seed: int, suits: bool
) -> None:
    game = lines(rules, seed, suits)
    table = Table(rules, default_players(rules))
    taken = costs(table, game)
    early, later, late = (around(taken, number) for number in (50, 500, 5000))
    print(
        f"\nround 50: {early * 1e6:.0f} µs, 500: {later * 1e6:.0f} µs, 5,000: {late * 1e6:.0f} µs,"
        f" the slowest line {max(taken.values()) * 1e3:.1f} ms"
    )
    assert late < MOST * min(early, later)
    assert late < SLOWEST
    benchmark(lambda: (table.enter("undo"), table.enter("redo")))  # at the end of it


@pytest.mark.parametrize("suits", [True, False], ids=["suits", "ranks"])
@pytest.mark.parametrize("profile", ["aside", "shuffled-captures"])
def test_a_line_is_ruled_on_at_once_where_cards_are_shuffled(
    benchmark: BenchmarkFixture, profile: str, suits: bool
) -> None:
    rules = load(profile)
    taken = [
        cost
        for seed in range(5)
        for cost in costs(Table(rules, default_players(rules)), lines(rules, seed, suits)).values()
    ]
    print(
        f"\n{len(taken)} lines: median {median(taken) * 1e6:.0f} µs, slowest "
        f"{max(taken) * 1e3:.1f} ms"
    )
    assert sorted(taken)[len(taken) * 99 // 100] < SLOWEST
    benchmark(lambda: costs(Table(rules, "AB"), lines(rules, 0, suits)))
