"""The compiled kernel is held to the law: on random rules and deals, game by game.

A pair of rules and game that differs is printed as the command that plays it again on the law.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import (
    NO_LIMIT,
    UNSHUFFLED_ORDERS,
    UNSHUFFLED_WON_CARDS,
    Setup,
    circling,
    crowded,
    games,
    rules,
)

from warcli.cards import JOKER
from warcli.contradictions import exception_pair
from warcli.events import Result
from warcli.game import Game
from warcli.generator import MAX_SEED, Generator
from warcli.rules import CAPTURE_ORDERS, CaptureOrder, Repetition, Rules
from warcli.rulesfile import as_yaml, load, profiles
from warcli.simulation import play
from warcli.study import by_law, kernel
from warcli.study.games import REASONS, Games
from warcli.study.kernel import Point, play_on

GAMES = 12
"""Games played with each of the random rules."""

RECORDED = Games._fields[:10]
"""What is recorded of each game."""

SEEDS = st.integers(0, MAX_SEED)


def game_by_game(games: Games) -> list[tuple[object, ...]]:
    """What is recorded of each game, in the order of `RECORDED`."""
    columns = [[int(number) for number in column] for column in games[:9]]
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


@differential(400)
@given(
    rules=rules(
        round_limits=st.integers(500, 6000),
        capture_orders=UNSHUFFLED_ORDERS,
        won_cards=UNSHUFFLED_WON_CARDS,
    ).filter(lambda rules: 20 <= rules.deck_size <= 60),
    repetition=st.sampled_from(["draw", "play-on"]),
    seed=SEEDS,
)
def test_finds_what_comes_back_late_in_a_game_of_many_cards(
    rules: Rules, repetition: Repetition, seed: int
) -> None:
    assert_the_same_games(replace(rules, repetition=repetition), seed, count=3)


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
    assert [len(column) for column in kernel.play(load("krig"), 1, 5, 0)] == [0] * 11


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


# From where a game stands

FOR_EVER = 1 << 40
"""More rounds than any game here takes."""


def after(setup: Setup, rounds: int, seed: int) -> Game:
    """This game after so many rounds, or when it is over."""
    game = Game(setup.rules, setup.piles, Generator(seed).shuffle)
    while game.due is not None and (game.laid or game.rounds < rounds):
        game.turn_up_named()
    return game


def point(game: Game, number: int = 0) -> Point:
    """Where this game stands."""
    layers = [layer.cards for layer in game.carried]
    return Point([*map(tuple, game.piles)], game.asides, layers, game.rounds, number)


def by_the_law(game: Game, seed: int, number: int) -> Result:
    """How it ends, shuffled as this game of the seed. It forgets the positions so far."""
    future = game.copy(Generator(seed, number).shuffle)
    future.disturb(future.piles, future.asides)
    *_, result = play(future)
    assert isinstance(result, Result)
    return result


def assert_goes_on_as_by_the_law(setup: Setup, rounds: int, seed: int) -> None:
    begun = [after(setup, some, seed) for some in range(rounds, rounds + 4)]
    standing = [game for game in begun if game.due is not None]
    expected = [by_the_law(game, seed, number) for number, game in enumerate(standing)]
    points = [point(game, number) for number, game in enumerate(standing)]
    assert play_on(setup.rules, points, seed, FOR_EVER) == expected


@differential(500)
@given(
    setup=games(rules(round_limits=st.integers(1, 200))),
    rounds=st.integers(0, 100),
    seed=SEEDS,
)
def test_goes_on_as_by_the_law(setup: Setup, rounds: int, seed: int) -> None:
    """Any rules, even deals and uneven ones; shuffles are drawn from the same numbers."""
    assert_goes_on_as_by_the_law(setup, rounds, seed)


@differential(500)
@given(setup=st.one_of(crowded(), circling()), rounds=st.integers(0, 12), seed=SEEDS)
def test_goes_on_as_by_the_law_with_few_cards(setup: Setup, rounds: int, seed: int) -> None:
    """Carried tables, seats that are out, and positions that come back."""
    assert_goes_on_as_by_the_law(setup, rounds, seed)


@differential(300)
@given(setup=circling(), rounds=st.integers(0, 12), seed=SEEDS)
def test_finds_that_it_never_ends_from_where_it_stands(
    setup: Setup, rounds: int, seed: int
) -> None:
    endless = replace(setup.rules, repetition="play-on")
    assert_goes_on_as_by_the_law(Setup(endless, setup.piles), rounds, seed)


@differential(300)
@given(setup=circling())
def test_a_pile_that_is_yet_to_be_taken_up_is_one_as_well(setup: Setup) -> None:
    """All cards lie aside: the first thing that happens is that they are taken up."""
    rules = replace(setup.rules, won_cards="aside")
    none = [() for _ in setup.piles]
    assert play_on(rules, [Point(none, setup.piles, (), 0, 0)], 1, FOR_EVER) == play_on(
        rules, [Point(setup.piles, none, (), 0, 0)], 1, FOR_EVER
    )


@pytest.mark.parametrize("profile", profiles())
def test_goes_on_with_every_profile(profile: str) -> None:
    chosen = load(profile)
    pack = Generator(3).shuffle(chosen.pack.cards)
    dealt = tuple(pack[seat :: chosen.players] for seat in range(chosen.players))
    for rounds in range(0, 100, 20):
        assert_goes_on_as_by_the_law(Setup(chosen, dealt), rounds, seed=5)


@pytest.mark.parametrize("capture_order", CAPTURE_ORDERS)
def test_goes_on_with_a_table_that_is_carried(capture_order: CaptureOrder) -> None:
    """Two seats tie with their last cards, so that nobody takes what lies on the table."""
    four = replace(load("krig"), players=4, war_between="tied", capture_order=capture_order)
    piles = (("A♣",), ("A♦",), ("2♣", "9♣", "4♣", "7♣"), ("3♣", "5♣", "8♣"))
    setup = Setup(four, piles)
    assert len(after(setup, 1, seed=1).carried) == 1
    assert_goes_on_as_by_the_law(setup, 1, seed=1)


def test_a_game_that_takes_too_long_counts_as_endless() -> None:
    krig = replace(load("krig"), round_limit=1_000)
    pack = Generator(3).shuffle(krig.pack.cards)
    begun = after(Setup(krig, (pack[::2], pack[1::2])), 10, seed=1)
    (ended,) = play_on(krig, [point(begun)], 1, FOR_EVER)
    assert ended.rounds > 20
    (too_long,) = play_on(krig, [point(begun)], 1, 10)
    assert (too_long.reason, too_long.rounds, too_long.winners) == ("endless", 20, ())


def test_plays_on_from_no_game_that_cannot_be() -> None:
    krig = load("krig")
    with pytest.raises(ValueError, match="nobody has a card"):
        play_on(krig, [Point([(), ()], [(), ()], (), 0, 0)], 1, FOR_EVER)
    with pytest.raises(ValueError, match="not in this pack"):
        play_on(krig, [Point([("A♣",), ("Z",)], [(), ()], (), 0, 0)], 1, FOR_EVER)
    with pytest.raises(ValueError, match="is not between 0 and"):
        play_on(krig, [Point([("A♣",), ("K♣",)], [(), ()], (), 0, -1)], 1, FOR_EVER)


def test_what_was_compiled_for_another_processor_is_not_at_hand() -> None:
    """As in a home folder that several machines share."""
    kernel.play(load("krig"), 1, 0, 1)
    code = "from warcli.study import kernel; print(kernel.ready())"

    def is_ready(environment: Mapping[str, str]) -> str:
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            encoding="utf-8",
            check=True,
            env={**os.environ, **environment},
        ).stdout.strip()

    assert is_ready({}) == "True"
    assert is_ready({"NUMBA_CPU_NAME": "generic"}) == "False"


def test_where_nothing_can_be_kept_on_disk_it_compiles_all_the_same() -> None:
    """As on a read-only installation whose user has no folder that can be written either."""
    code = (
        "from numba.core.caching import CacheImpl\n"
        "CacheImpl._locator_classes = []  # no place at all\n"
        "from warcli.study import compiled_law, kernel\n"
        "from warcli.study.run import unkept\n"
        "print(kernel.ready())\n"
        "print(int(compiled_law._mix(compiled_law.uint64(1234567))))\n"
        "print(unkept())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert printed.splitlines() == [
        "False",
        "6457827717110365317",  # as `test_generator` has it
        "there is no folder for it that can be written",
    ]
