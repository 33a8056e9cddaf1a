"""Whole games from a seed or a supplied deal."""

from __future__ import annotations

import tracemalloc
from collections import deque
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from strategies import LIMITED, Setup, games, rules

from warcli import rulesfile
from warcli.events import Deal, Event, Result, Round
from warcli.generator import MAX_SEED
from warcli.rules import Rules
from warcli.simulation import Simulation, simulate, simulate_from

SEEDS = st.integers(0, MAX_SEED)


def last_of(game: Simulation) -> Event:
    return deque(game, maxlen=1).pop()


@pytest.mark.parametrize(
    ("profile", "seed", "game", "ending"),
    [
        ("english", 42, 0, "collected, B wins, 322 rounds"),
        ("english", 42, 1, "collected, A wins, 204 rounds"),
        ("english", 7, 0, "collected, A wins, 540 rounds"),
        ("krig-rounds", 42, 0, "round-limit, A wins, 100 rounds"),
        ("pyanitsa", 42, 0, "collected, A wins, 34 rounds"),
        ("pyanitsa-direct", 7, 0, "collected, A wins, 151 rounds"),
        ("pyanitsa-shed", 42, 0, "collected, B wins, 34 rounds"),
        ("bataille-32", 42, 0, "collected, A wins, 36 rounds"),
        ("bataille-jokers", 7, 0, "shortage, A wins, 978 rounds"),
        ("three-down", 42, 0, "shortage, A wins, 189 rounds"),
        ("shuffled-captures", 42, 0, "collected, A wins, 422 rounds"),
        ("aside", 42, 0, "collected, A wins, 84 rounds"),
        ("aside", 42, 1, "shortage, A wins, 553 rounds"),
        ("three-players", 42, 0, "collected, B wins, 206 rounds"),
        ("three-players", 42, 1, "round-limit, drawn, 1000 rounds"),
    ],
)
def test_the_same_seed_gives_the_same_game_for_ever(
    profile: str, seed: int, game: int, ending: str
) -> None:
    """This pins what a seed means: shuffle, deal, law, and shuffles in play.

    Don't change these rows; change back whatever made them differ. Only a change of the profile
    itself, or of the law, may change the rows that it touches.
    """
    result = last_of(simulate(rulesfile.load(profile), seed, game))
    assert isinstance(result, Result)
    outcome = f"{'ABC'[result.winners[0]]} wins" if result.winners else "drawn"
    assert f"{result.reason}, {outcome}, {result.rounds} rounds" == ending


@given(rules(round_limits=LIMITED), SEEDS, st.integers(0, 100))
def test_a_game_is_its_deal_its_rounds_and_its_result(of: Rules, seed: int, game: int) -> None:
    events = list(simulate(of, seed, game))
    assert isinstance(events[0], Deal)
    assert (events[0].seed, events[0].game) == (seed, game)
    assert all(isinstance(event, Round) for event in events[1:-1])
    assert isinstance(events[-1], Result)
    assert events == list(simulate(of, seed, game))


@given(rules(round_limits=LIMITED), SEEDS, st.integers(0, 100))
def test_a_game_goes_on_the_same_from_its_own_deal(of: Rules, seed: int, game: int) -> None:
    """The deal of a seed, supplied again with that seed: the same game, shuffles in play too."""
    deal, *events = simulate(of, seed, game)
    assert isinstance(deal, Deal)
    again = simulate_from(of, deal.piles, seed, game)
    assert list(again)[1:] == events
    assert not again.supplied


@given(games(rules(round_limits=LIMITED)), SEEDS)
def test_a_supplied_deal_is_played_to_its_end(setup: Setup, seed: int) -> None:
    deal, *_, result = simulate_from(setup.rules, setup.piles, seed)
    assert isinstance(deal, Deal)
    assert deal.piles == setup.piles
    assert isinstance(result, Result)


@given(rules(round_limits=LIMITED), SEEDS)
def test_after_each_event_the_game_stands_as_it_left_it(of: Rules, seed: int) -> None:
    simulation = simulate(of, seed)
    for event in simulation:
        if isinstance(event, Deal):
            assert tuple(map(tuple, simulation.game.piles)) == event.piles
        elif isinstance(event, Round) and simulation.game.result is None:
            assert simulation.game.sizes() == event.sizes
        elif isinstance(event, Result):
            assert simulation.game.result == event


def test_the_players_may_have_names() -> None:
    english = rulesfile.load("english")
    named = next(simulate(english, 1, players=["Ana", "Luis"]))
    unnamed = next(simulate(english, 1))
    assert isinstance(named, Deal)
    assert isinstance(unnamed, Deal)
    assert (named.players, unnamed.players) == (("Ana", "Luis"), ("A", "B"))
    assert named.rules == "english"
    assert named.leftover is UNSET


def test_a_deal_says_which_cards_lie_aside() -> None:
    deal = next(simulate(rulesfile.load("three-players"), 1))
    assert isinstance(deal, Deal)
    assert deal.leftover is not UNSET
    assert len(deal.leftover) == 1


@pytest.mark.parametrize(("seed", "game"), [(-1, 0), (MAX_SEED + 1, 0), (0, -1)])
def test_a_seed_or_game_out_of_range_is_refused(seed: int, game: int) -> None:
    with pytest.raises(ValueError, match="between 0 and"):
        simulate(rulesfile.load("english"), seed, game)


def test_rules_that_shuffle_need_a_seed_for_a_supplied_deal() -> None:
    with pytest.raises(ValueError, match="shuffle"):
        simulate_from(rulesfile.load("aside"), [["A♣"], ["K♣"]])


def test_a_wrong_number_of_piles_is_refused() -> None:
    with pytest.raises(ValueError, match="pile"):
        simulate_from(rulesfile.load("english"), [["A♣"]])


def test_a_very_long_game_needs_little_memory(tmp_path: Path) -> None:
    """106,203 rounds with 120 cards before anything repeats; a simulation fits in 200 MB.

    Without ties and in seat order a game hardly ever ends; this seed was found by trying. What
    Python allocates is counted, which any platform can do; 30 MB are left for the rest.
    """
    long_game = tmp_path / "long.yaml"
    house_rules = {
        **{"extends": "krig", "capture_order": "seat-order", "suits": 1, "deck_size": 120},
        "rank_order": [str(rank) for rank in range(120, 0, -1)],
    }
    long_game.write_text(yaml.safe_dump(house_rules), encoding="utf-8")
    of = rulesfile.load(str(long_game))
    tracemalloc.start()
    try:
        result = last_of(simulate(of, seed=4))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(result, Result)
    assert (result.reason, result.rounds, result.first_seen) == ("endless", 106_203, 4_084)
    assert peak < 170_000_000
