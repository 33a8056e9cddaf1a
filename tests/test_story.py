"""The comparisons of a round, read out of its layers, agree with how the law ruled."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import LIMITED, Setup, by_the_cards, crowded, games, rules

from warcli.events import Round
from warcli.game import Game
from warcli.rulesfile import load
from warcli.simulation import play, simulate_from
from warcli.story import cards_in, held_before, steps


def test_a_war_is_told_in_two_steps() -> None:
    rules = load("english")
    _, played, _ = simulate_from(rules, [["9♣", "3♦", "Q♦"], ["9♥", "K♠", "7♣"]])
    assert isinstance(played, Round)
    first, second = steps(rules, (3, 3), played)
    assert (first.shown, first.unbeaten) == ({0: "9♣", 1: "9♥"}, (0, 1))
    assert [layer.cards for layer in second.down] == [("3♦", "K♠")]
    assert (second.shown, second.unbeaten) == ({0: "Q♦", 1: "7♣"}, (0,))


def test_who_goes_out_does_so_in_the_step_that_was_too_long() -> None:
    rules = load("krig")
    _, played, _ = simulate_from(rules, [["9♣", "3♦"], ["9♥", "K♠", "7♣"]])
    assert isinstance(played, Round)
    first, second = steps(rules, (2, 3), played)
    assert (first.out, second.out) == ((), (0,))
    assert second.up is None


@settings(max_examples=300)
@given(st.one_of(games(rules(round_limits=LIMITED)), crowded()))
def test_the_steps_are_the_whole_round_and_end_as_it_did(setup: Setup) -> None:
    held = tuple(map(len, setup.piles))
    for event in play(Game(*setup, by_the_cards)):
        if not isinstance(event, Round):
            continue
        told = steps(setup.rules, held, event)
        layers = [layer for step in told for layer in (*step.down, *([step.up] if step.up else []))]
        assert tuple(layers) == event.layers
        assert [seat for step in told for seat in step.out] == list(event.out)
        assert all(len(step.unbeaten) > 1 for step in told[:-1])
        last = told[-1]
        if last.up is not None:
            assert last.unbeaten == (event.winner,)
        elif event.winner is not None:
            assert set(last.fighters) - set(last.out) == {event.winner}
        held = event.sizes


@given(crowded())
def test_whoever_keeps_the_last_card_turns_it_up(setup: Setup) -> None:
    held = tuple(map(len, setup.piles))
    for event in play(Game(*setup, by_the_cards)):
        if not isinstance(event, Round):
            continue
        told = steps(setup.rules, held, event)
        for step in told:
            for seat in step.keeping:
                assert step.up is not None
                assert step.up.cards[seat] is not None
                assert sum(layer.cards[seat] is not None for layer in event.layers) == held[seat]
        held = event.sizes


@given(st.one_of(games(rules(round_limits=LIMITED)), crowded()))
def test_what_was_held_before_a_round_is_read_out_of_it(setup: Setup) -> None:
    held = tuple(map(len, setup.piles))
    in_play, carried = sum(held), 0
    for event in play(Game(*setup, by_the_cards)):
        if isinstance(event, Round):
            assert held_before(event, carried, in_play) == held
            held = event.sizes
            carried = 0 if event.captured else carried + cards_in(event.layers)
