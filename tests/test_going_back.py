"""Going back in a game, and piles that turn out to lie otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from strategies import Setup, by_the_cards, crowded, games, rules

from warcli import rulesfile
from warcli.events import Round
from warcli.game import Game

ENGLISH = rulesfile.load("english")


def standing(game: Game) -> tuple[object, ...]:
    return (
        game.position(),
        game.asides,
        game.carried,
        game.laid,
        game.playing,
        game.standing,
        game.out,
        game.rounds,
        game.due,
        game.result,
    )


def play(game: Game, flips: int) -> list[Round | None]:
    return [game.turn_up(game.due.slots) for _ in range(flips) if game.due is not None]


@settings(max_examples=200)
@given(
    st.one_of(games(rules(round_limits=st.integers(1, 100))), crowded()),
    st.one_of(st.integers(0, 6), st.integers(0, 60)),
    st.integers(1, 60),
)
def test_back_to_a_mark_the_game_goes_on_as_from_a_copy(
    setup: Setup, before: int, after: int
) -> None:
    game = Game(*setup, by_the_cards)
    play(game, before)
    mark, copy = game.mark(), game.copy()
    play(game, after)
    game.back_to(mark)
    assert standing(game) == standing(copy)
    assert play(game, 200) == play(copy, 200)
    assert standing(game) == standing(copy)


def repeating(**changes: object) -> Game:
    """A game of four cards that comes back to its deal after four rounds."""
    four = {"deck_size": 4, "rank_order": ("A", "K"), "suits": 2, "capture_order": "seat-order"}
    return Game(structs.replace(ENGLISH, **{**four, **changes}), [["A♣", "K♦"], ["K♣", "A♦"]])


def test_a_position_that_was_taken_back_is_not_repeated() -> None:
    game = repeating()
    start = game.mark()
    play(game, 1)
    game.back_to(start)
    game.disturb([["A♦", "K♦"], ["K♣", "A♣"]], [(), ()])
    play(game, 1)
    assert game.result is None


def test_a_game_that_is_over_goes_on_before_its_end() -> None:
    game = repeating()
    play(game, 1)
    mark = game.mark()
    play(game, 10)
    assert game.result is not None
    assert game.result.reason == "repetition"
    ended = game.result
    game.back_to(mark)
    assert game.result is None
    play(game, 10)
    assert game.result == ended


def test_a_card_that_stands_is_the_same_after_going_back() -> None:
    """A's king stands against B's two, though A has a war of twos in the round that is taken back;
    however often."""
    last_card = structs.replace(rulesfile.load("last-card"), players=3, war_face_down=0)
    game = Game(last_card, [["K♣"], ["K♥", "2♦"], ["2♣", "3♦", "3♥", "2♥", "5♥"]])
    play(game, 1)
    assert game.standing == (0,)
    mark = game.mark()
    for _ in range(2):
        play(game, 4)
        assert (game.rounds, len(game.laid)) == (4, 1)
        game.back_to(mark)
    ended = game.turn_up(["2♦"])
    assert ended is not None
    assert ended.winner == 0


def test_a_pile_that_was_not_dropped_after_all_leaves_the_earlier_positions() -> None:
    game = repeating()
    play(game, 2)
    mark = game.mark()
    game.disturb(game.piles, game.asides)
    game.back_to(mark)
    play(game, 10)
    assert game.result is not None
    assert (game.result.rounds, game.result.first_seen) == (4, 1)


def test_dropped_piles_show_their_new_top_cards() -> None:
    game = repeating()
    game.disturb([["K♦", "A♣"], ["A♦", "K♣"]], [(), ()])
    assert game.due is not None
    assert game.due.slots == ("K♦", "A♦")


def test_who_is_found_to_hold_everything_has_collected_it() -> None:
    game = repeating()
    game.disturb([["A♣", "K♦", "K♣", "A♦"], []], [(), ()])
    assert game.result is not None
    assert (game.result.reason, game.result.winners) == ("collected", (0,))


def test_nobody_counts_in_the_middle_of_a_round() -> None:
    game = Game(ENGLISH, [["9♣", "3♦", "Q♦"], ["9♥", "K♠", "7♣"]])
    play(game, 1)
    with pytest.raises(ValueError, match="between rounds"):
        game.disturb([["Q♦", "7♣"], []], [(), ()])
    game.disturb([["7♣"], ["Q♦"]], [(), ()])
    assert game.due is not None
    assert game.due.slots == ("7♣", "Q♦")


TWO_PACKS = {"#1": "A", "#2": "K", "#3": "K", "#4": "A"}
"""Slots that show cards of which there are two each."""


def with_equal_cards() -> Game:
    """A game that comes back to its deal after two rounds, and after four to every slot of it."""
    rules = structs.replace(
        ENGLISH, deck_size=4, rank_order=("A", "K"), suits=1, packs=2, capture_order="seat-order"
    )
    return Game(rules, [["#1", "#2"], ["#3", "#4"]])


def ending_with_equal_cards(game: Game) -> tuple[str, int, object]:
    """Why the game ends, after which round, and which position came back."""
    while game.due is not None and game.rounds < 10:
        game.turn_up([TWO_PACKS[slot] for slot in game.due.slots])
    assert game.result is not None
    return game.result.reason, game.result.rounds, game.result.first_seen


def test_equal_cards_under_different_names_repeat_a_position() -> None:
    told, untold = with_equal_cards(), with_equal_cards()
    told.name(TWO_PACKS)
    assert ending_with_equal_cards(told) == ("repetition", 2, 1)
    assert ending_with_equal_cards(untold) == ("repetition", 4, 1)


def test_equal_cards_keep_their_names_when_a_pile_is_dropped() -> None:
    game = with_equal_cards()
    game.name(TWO_PACKS)
    game.disturb([["#1", "#2"], ["#3", "#4"]], [(), ()])
    assert ending_with_equal_cards(game) == ("repetition", 2, 1)
