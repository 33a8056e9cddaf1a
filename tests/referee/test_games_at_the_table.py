"""Simulated games, typed in card by card, are ruled on at the table as the simulation ruled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from strategies import rules as random_rules

from warcli import rulesfile
from warcli.cards import Card, ascii_form
from warcli.events import Event, Result, Round
from warcli.referee.table import Table
from warcli.rules import CaptureOrder, Rules
from warcli.simulation import default_players, simulate


def typed_lines(rules: Rules, ended: Round, *, suits: bool) -> Iterator[str]:
    """What is typed for a round: a line a turning up."""
    for layer in ended.layers:
        if layer.face == "up":
            cards = [card for card in layer.cards if card is not None]
            yield " ".join(ascii_form(card) if suits else rules.pack.rank[card] for card in cards)


def refereed(rules: Rules, events: Iterator[Event], *, suits: bool) -> tuple[list[Round], Table]:
    """The rounds of the simulation, each checked against the table's; and the table."""
    table = Table(rules, default_players(rules))
    simulated: list[Round] = []
    for event in events:
        if isinstance(event, Round):
            simulated.append(event)
            for line in typed_lines(rules, event, suits=suits):
                answer = table.enter(line)
                assert answer.kind == "ruled", (line, answer.lines)
        elif isinstance(event, Result):
            assert_same_end(table, event)
    return simulated, table


def assert_same_end(table: Table, simulated: Result) -> None:
    if simulated.reason == "endless":  # only a simulation looks for that
        assert table.result is None
        assert table.game.sizes() == simulated.sizes
    else:
        assert table.result == simulated


def same_ruling(one: Round, other: Round) -> bool:
    """Whether two rounds end alike, whatever is known of the cards."""
    return (one.round, one.out, one.winner, one.sizes, len(one.captured)) == (
        other.round,
        other.out,
        other.winner,
        other.sizes,
        len(other.captured),
    )


@pytest.mark.parametrize("suits", [True, False], ids=["with suits", "by rank alone"])
@pytest.mark.parametrize("profile", rulesfile.profiles())
def test_a_simulated_game_of_every_profile_gives_the_same_rounds(profile: str, suits: bool) -> None:
    rules = rulesfile.load(profile)
    for seed in range(3):
        simulated, table = refereed(rules, simulate(rules, seed), suits=suits)
        assert len(simulated) == len(table.rounds)
        assert all(map(same_ruling, simulated, table.rounds))


@pytest.mark.parametrize("profile", rulesfile.profiles())
def test_it_knows_where_every_card_lies_that_it_was_shown(profile: str) -> None:
    rules = rulesfile.load(profile)
    simulation = simulate(rules, 0)
    table = Table(rules, default_players(rules))
    shown: set[Card] = set()
    for event in simulation:
        if not isinstance(event, Round):
            continue
        for line in typed_lines(rules, event, suits=True):
            table.enter(line)
        shown.update(
            card
            for layer in event.layers
            if layer.face == "up"
            for card in layer.cards
            if card is not None
        )
        for pile, truth in zip(table.game.piles, simulation.game.piles, strict=True):
            for slot, card in zip(pile, truth, strict=True):
                known = table.knowledge.card(slot)
                assert known in (card, None)
                if card in shown and rules.pack.copies[card] == 1 and not rules.shuffles:
                    assert known == card


@settings(max_examples=60)
@given(random_rules(), st.integers(0, 1000), st.booleans())
def test_games_by_random_rules_are_ruled_on_alike(rules: Rules, seed: int, suits: bool) -> None:
    rules = structs.replace(rules, round_limit=min(60, rules.last_round or 60))
    if len(rules.pack.kinds) < rules.deck_size:
        # Where equal cards lie that nobody has seen yet, nobody can say that a position came back.
        rules = structs.replace(rules, repetition="play-on")
    simulated, table = refereed(rules, simulate(rules, seed), suits=suits)
    assert all(map(same_ruling, simulated, table.rounds))


@pytest.mark.parametrize("capture_order", ["own-first", "own-last", "seat-order"])
@pytest.mark.parametrize("suits", [1, 2])
def test_a_repetition_is_found_at_once_where_cards_are_equal(
    suits: int, capture_order: CaptureOrder
) -> None:
    rules = structs.replace(
        rulesfile.load("english"),
        rank_order=("A", "K", "Q"),
        suits=suits,
        packs=2,
        deck_size=6 * suits,
        capture_order=capture_order,
        round_limit=100,
    )
    for seed in range(100):
        refereed(rules, simulate(rules, seed), suits=True)
