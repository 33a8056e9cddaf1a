"""The compiled kernel is held to the law: on random rules and deals, game by game.

A pair of rules and game that differs is printed as the command that plays it again on the law.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import NO_LIMIT, UNSHUFFLED_ORDERS, UNSHUFFLED_WON_CARDS, rules

from warcli.cards import JOKER
from warcli.generator import MAX_SEED
from warcli.rules import Rules, exception_pair
from warcli.rulesfile import as_yaml, load, profiles
from warcli.study import by_law, kernel
from warcli.study.games import REASONS, Games

GAMES = 12
"""Games played with each of the random rules."""

RECORDED = Games._fields[:9]
"""What is recorded of each game."""

SEEDS = st.integers(0, MAX_SEED)


def game_by_game(games: Games) -> list[tuple[object, ...]]:
    """What is recorded of each game, in the order of `RECORDED`."""
    columns = [[int(number) for number in column] for column in games[:8]]
    return list(zip(*columns, [tuple(map(int, row)) for row in games.sizes], strict=True))


def assert_the_same_games(rules: Rules, seed: int, first: int = 0, count: int = GAMES) -> None:
    by_the_law = by_law.play(rules, seed, first, count)
    compiled = kernel.play(rules, seed, first, count)
    pairs = zip(game_by_game(by_the_law), game_by_game(compiled), strict=True)
    for game, (one, other) in enumerate(pairs, start=first):
        if one != other:
            file = Path(gettempdir()) / f"war-differs-{seed}-{game}.yaml"
            file.write_text(as_yaml(rules), encoding="utf-8")
            pytest.fail(
                f"the law and the kernel differ; see:\n"
                f"  war simulate --rules {file} --seed {seed} --game {game}\n"
                f"law    {dict(zip(RECORDED, one, strict=True))}\n"
                f"kernel {dict(zip(RECORDED, other, strict=True))}",
                pytrace=False,
            )
    assert list(by_the_law.war_depths) == list(compiled.war_depths)


def differential(examples: int) -> settings:
    """So many random rules, `GAMES` games each."""
    return settings(
        max_examples=examples, suppress_health_check=[HealthCheck.too_slow], deadline=None
    )


def small(rules: Rules) -> Rules:
    """The like with at most sixteen cards, so that a position comes back before long."""
    suits = min(rules.suits, 2)
    ranks = tuple(rank for rank in rules.rank_order if rank != JOKER)[: 16 // suits]
    deck_size = len(ranks) * suits
    return replace(
        rules,
        rank_order=ranks,
        suits=suits,
        packs=1,
        jokers=0,
        deck_size=deck_size if deck_size > 1 else 2,
        players=min(rules.players, max(deck_size, 2)),
        rank_exceptions=tuple(
            exception
            for exception in rules.rank_exceptions
            if set(exception_pair(exception)) <= set(ranks)
        ),
    )


@differential(1000)
@given(rules=rules(round_limits=st.integers(1, 300)), seed=SEEDS)
def test_plays_the_games_of_the_law(rules: Rules, seed: int) -> None:
    assert_the_same_games(rules, seed)


@differential(400)
@given(rules=rules(players=st.just(2), round_limits=st.integers(1, 300)), seed=SEEDS)
def test_plays_the_games_of_the_law_between_two(rules: Rules, seed: int) -> None:
    assert_the_same_games(rules, seed)


@differential(600)
@given(
    rules=rules(
        round_limits=NO_LIMIT, capture_orders=UNSHUFFLED_ORDERS, won_cards=UNSHUFFLED_WON_CARDS
    )
    .filter(lambda rules: len(set(rules.rank_order) - {JOKER}) > 1)
    .map(small),
    seed=SEEDS,
)
def test_finds_the_round_in_which_a_position_comes_back(rules: Rules, seed: int) -> None:
    """Small packs, no limit: endless games and repetitions, soon and late."""
    assert_the_same_games(rules, seed)


@pytest.mark.parametrize("profile", profiles())
def test_plays_the_games_of_every_profile(profile: str) -> None:
    assert_the_same_games(load(profile), seed=42, count=60)


def test_laps_of_a_whole_pack_are_found() -> None:
    """Captures in seat order: about 4 in 10 games of 52 cards never end."""
    endless = replace(load("krig"), capture_order="seat-order")
    assert_the_same_games(endless, seed=1, count=30)
    assert REASONS.index("endless") in list(kernel.play(endless, 1, 0, 30).reason)


def test_any_game_can_be_had_alone() -> None:
    english = load("english")
    games = kernel.play(english, 7, 0, 50)
    assert game_by_game(kernel.play(english, 7, 33, 1)) == game_by_game(games)[33:34]
    assert game_by_game(kernel.play(english, 7, MAX_SEED, 1)) == game_by_game(
        by_law.play(english, 7, MAX_SEED, 1)
    )


def test_no_games_are_no_games() -> None:
    assert [len(column) for column in kernel.play(load("krig"), 1, 5, 0)] == [0] * 10


@pytest.mark.parametrize(
    "numbers", [(-1, 0, 1), (MAX_SEED + 1, 0, 1), (0, MAX_SEED, 2), (0, -1, 1)]
)
@pytest.mark.parametrize("play", [by_law.play, kernel.play])
def test_refuses_numbers_out_of_range(
    play: Callable[..., Games], numbers: tuple[int, int, int]
) -> None:
    with pytest.raises(ValueError, match="is not between 0 and"):
        play(load("krig"), *numbers)


def test_a_huge_pack_fits() -> None:
    """Ten thousand cards of ten thousand ranks: the most that a rules file can ask for."""
    huge = replace(
        load("krig"),
        deck_size=10_000,
        rank_order=tuple(f"r{place}" for place in range(10_000)),
        suits=1,
        rank_exceptions=("r9999 beats r0",),
        round_limit=300,
    )
    assert_the_same_games(huge, seed=1, count=1)


def test_the_longest_war_is_counted_step_by_step() -> None:
    """One rank only: every card ties, so the war goes on until somebody has no card left."""
    flat = replace(load("krig"), rank_order=("A",), deck_size=400, suits=4, packs=100)
    assert_the_same_games(flat, seed=1, count=2)
    assert list(kernel.play(flat, 1, 0, 1).deepest) == [100]


def test_what_is_recorded_of_one_game_by_hand() -> None:
    """Two cards, A and K: one round, no war, whoever has the ace collects."""
    two = replace(load("krig"), rank_order=("A", "K"), deck_size=2, suits=1)
    games = by_law.play(two, 1, 0, 8)
    assert set(games.reason) == {REASONS.index("collected")}
    assert set(games.winners) == {1, 2}
    assert {*games.rounds, *games.layers} == {1}
    assert {*games.wars, *games.deepest, *games.lead_changes, *games.first_seen} == {0}
    assert {tuple(row) for row in games.sizes} == {(2, 0), (0, 2)}
    assert list(games.war_depths) == []
