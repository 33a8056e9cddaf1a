"""Properties of the law that hold for all rules and all deals.

The rulings themselves are data, in `cases/`. The strongest property here is the first: the law
agrees, card for card, with `plain_law`, a second one written from `rules.md` alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from plain_law import play_plainly
from strategies import (
    LIMITED,
    NO_LIMIT,
    SLOTS,
    UNSHUFFLED_ORDERS,
    UNSHUFFLED_WON_CARDS,
    USUAL_RANKS,
    Setup,
    by_the_cards,
    circling,
    crowded,
    games,
    labelled,
    rules,
)

from warcli.events import Result, Round
from warcli.game import Game
from warcli.rules import CaptureOrder, Rules
from warcli.simulation import play

MOST_ROUNDS = 300
"""Longer games are compared as far as this; some rules make games of many thousand rounds."""

TWO = st.just(2)
ORDERS_ALIKE_FOR_EVERY_SEAT: tuple[CaptureOrder, ...] = (
    "own-first",
    "own-last",
    "own-pile-first",
    "own-pile-last",
)


WAR = Setup(
    Rules(
        deck_size=52,
        rank_order=USUAL_RANKS,
        war_face_down=1,
        shortage="first-out-loses",
        capture_order="own-first",
        round_limit="none",
    ),
    (("9♣", "3♦", "Q♦", "5♣"), ("9♥", "K♠", "7♣", "6♣")),
)


def events_of(setup: Setup, most: int = MOST_ROUNDS) -> list[Round | Result]:
    """The rounds and the result of a game, or its first rounds."""
    return list(islice(_events(setup), most))


def _events(setup: Setup) -> Iterator[Round | Result]:
    for event in play(Game(setup.rules, setup.piles, by_the_cards)):
        assert isinstance(event, Round | Result)
        yield event


def rounds_of(events: list[Round | Result]) -> list[Round]:
    return [event for event in events if isinstance(event, Round)]


def start(setup: Setup) -> Game:
    return Game(setup.rules, setup.piles, by_the_cards)


def changed(of: Rules, **keys: object) -> Rules:
    return msgspec.convert({**msgspec.to_builtins(of), **keys}, Rules)


def everything(game: Game) -> Counter[str]:
    """Every card of a game, wherever it is."""
    table = [card for layer in game.carried + game.laid for card in layer.cards if card]
    return Counter(
        [card for pile in (*game.piles, *game.asides) for card in pile] + table,
    )


@settings(max_examples=500)
@given(games())
def test_the_law_agrees_with_the_plain_one(setup: Setup) -> None:
    assert events_of(setup) == play_plainly(*setup, by_the_cards, MOST_ROUNDS)


@settings(max_examples=300)
@given(games(rules(players=TWO)))
def test_the_law_agrees_with_the_plain_one_for_two(setup: Setup) -> None:
    assert events_of(setup) == play_plainly(*setup, by_the_cards, MOST_ROUNDS)


@settings(max_examples=300)
@given(crowded())
def test_the_law_agrees_with_the_plain_one_where_seats_are_crowded(setup: Setup) -> None:
    assert events_of(setup) == play_plainly(*setup, by_the_cards, MOST_ROUNDS)


@given(games())
def test_no_card_is_ever_lost_or_doubled(setup: Setup) -> None:
    game = start(setup)
    cards = Counter(card for pile in setup.piles for card in pile)
    for _ in range(MOST_ROUNDS):
        if game.result is not None and not any(game.sizes()):
            break  # nobody is left in, and the table is put away
        assert everything(game) == cards
        if game.due is None:
            break
        game.turn_up(game.due.slots)


@given(games())
def test_sizes_and_captures_follow_from_what_was_laid(setup: Setup) -> None:
    """Whoever adds up the events by hand comes to the same piles."""
    sizes = [len(pile) for pile in setup.piles]
    total = sum(sizes)
    on_the_table: Counter[str] = Counter()
    for event in rounds_of(events_of(setup)):
        for layer in event.layers:
            for seat, card in enumerate(layer.cards):
                if card is not None:
                    sizes[seat] -= 1
                    on_the_table[card] += 1
        if event.winner is not None:
            assert Counter(event.captured) == on_the_table
            sizes[event.winner] += len(event.captured)
            on_the_table.clear()
        else:
            assert event.captured == ()
        if sum(event.sizes) == total and on_the_table:  # ended for shortage with one left in
            assert sorted(event.sizes)[:-1] == [0] * (len(sizes) - 1)
            break
        assert list(event.sizes) == sizes


@given(games())
def test_a_seat_that_is_out_takes_no_further_part(setup: Setup) -> None:
    out: set[int] = {seat for seat, pile in enumerate(setup.piles) if not pile}
    for event in rounds_of(events_of(setup)):
        for layer in event.layers:
            assert all(layer.cards[seat] is None for seat in out)
        assert event.winner not in out
        out |= set(event.out) | {seat for seat, size in enumerate(event.sizes) if size == 0}


@given(games())
def test_events_fit_together(setup: Setup) -> None:
    events = events_of(setup)
    rounds = rounds_of(events)
    assert [event.round for event in rounds] == list(range(1, len(rounds) + 1))
    if isinstance(result := events[-1], Result):
        assert result.rounds == len(rounds)
        assert not rounds or result.sizes == rounds[-1].sizes or result.reason == "collected"
        assert len(result.winners) < setup.rules.players
        assert (result.first_seen is not UNSET) == (result.reason in ("repetition", "endless"))


def rotated(setup: Setup, steps: int) -> Setup:
    return Setup(setup.rules, setup.piles[steps:] + setup.piles[:steps])


def rotate(entries: tuple[object, ...], steps: int) -> tuple[object, ...]:
    return entries[steps:] + entries[:steps]


@given(
    games(rules(capture_orders=ORDERS_ALIKE_FOR_EVERY_SEAT, won_cards=UNSHUFFLED_WON_CARDS)).filter(
        lambda setup: setup.rules.shortage != "short-loses"
    ),
    st.integers(1, 7),
)
def test_when_the_seats_move_round_so_does_the_game(setup: Setup, steps: int) -> None:
    """Except in seat order; and short-loses lays the cards of those who are out by seat."""
    steps %= setup.rules.players
    for here, there in zip(
        events_of(setup, 100), events_of(rotated(setup, steps), 100), strict=True
    ):
        assert there.sizes == rotate(here.sizes, steps)
        if isinstance(here, Round) and isinstance(there, Round):
            assert there.captured == here.captured
            assert [layer.cards for layer in there.layers] == [
                rotate(layer.cards, steps) for layer in here.layers
            ]
            assert (here.winner is None) == (there.winner is None)
            if here.winner is not None:
                assert there.winner == (here.winner - steps) % setup.rules.players
        elif isinstance(here, Result) and isinstance(there, Result):
            moved = sorted((seat - steps) % setup.rules.players for seat in here.winners)
            assert list(there.winners) == moved
            assert there.reason == here.reason
            assert there.first_seen == here.first_seen


@given(games(rules(players=TWO, capture_orders=ORDERS_ALIKE_FOR_EVERY_SEAT)))
def test_when_two_change_seats_the_other_wins(setup: Setup) -> None:
    here, there = events_of(setup)[-1], events_of(rotated(setup, 1))[-1]
    assert there.sizes == here.sizes[::-1]
    if isinstance(here, Result) and isinstance(there, Result):
        assert there.reason == here.reason
        assert there.rounds == here.rounds
        assert there.winners == tuple(1 - seat for seat in here.winners)


@given(games(), st.data())
def test_suits_never_count(setup: Setup, data: st.DataObject) -> None:
    """With the suits of every rank dealt out anew, the first round has the same winner."""
    by_rank: dict[str, list[str]] = {}
    rank = setup.rules.pack.rank
    for pile in setup.piles:
        for card in pile:
            by_rank.setdefault(rank[card], []).append(card)
    anew = {name: data.draw(st.permutations(cards)) for name, cards in by_rank.items()}
    piles = tuple(tuple(anew[rank[card]].pop() for card in pile) for pile in setup.piles)
    here, there = events_of(setup, 1)[0], events_of(Setup(setup.rules, piles), 1)[0]
    assert here.sizes == there.sizes
    if isinstance(here, Round) and isinstance(there, Round):
        assert (here.winner, here.out) == (there.winner, there.out)


@given(games(), st.data())
def test_face_down_cards_never_count(setup: Setup, data: st.DataObject) -> None:
    """With its face-down cards dealt out anew, the first round has the same winner."""
    first = events_of(setup, 1)[0]
    if not isinstance(first, Round):
        return
    places: list[tuple[int, int]] = []
    depth = [0] * setup.rules.players
    for layer in first.layers:
        for seat, card in enumerate(layer.cards):
            if card is not None:
                if layer.face == "down":
                    places.append((seat, depth[seat]))
                depth[seat] += 1
    piles = [list(pile) for pile in setup.piles]
    hidden = data.draw(st.permutations([piles[seat][place] for seat, place in places]))
    for (seat, place), card in zip(places, hidden, strict=True):
        piles[seat][place] = card
    again = events_of(Setup(setup.rules, tuple(map(tuple, piles))), 1)[0]
    assert isinstance(again, Round)
    assert (again.winner, again.out, again.sizes) == (first.winner, first.out, first.sizes)


UNLIMITED_AND_UNSHUFFLED = rules(
    players=TWO,
    round_limits=NO_LIMIT,
    capture_orders=UNSHUFFLED_ORDERS,
    won_cards=UNSHUFFLED_WON_CARDS,
)


@given(games(UNLIMITED_AND_UNSHUFFLED))
def test_a_repetition_is_one(setup: Setup) -> None:
    """Played again, the piles lie at the end as they lay at the start of `first_seen`."""
    result = events_of(setup, 2_000)[-1]
    if not isinstance(result, Result) or result.first_seen is UNSET:
        return
    game = start(setup)
    positions = [game.position()]
    while len(positions) <= result.rounds:
        assert game.due is not None
        if game.turn_up(game.due.slots):
            positions.append(game.position())
    assert positions[-1] == positions[result.first_seen - 1]
    assert len(set(positions[:-1])) == len(positions) - 1
    assert result.reason == ("repetition" if setup.rules.repetition == "draw" else "endless")


@given(games(rules(round_limits=LIMITED)))
def test_with_a_limit_every_game_ends_by_then(setup: Setup) -> None:
    result = events_of(setup)[-1]
    assert isinstance(result, Result)
    limit = setup.rules.last_round
    assert limit is not None
    assert result.rounds <= limit
    assert result.reason != "endless"
    assert (result.reason != "round-limit") or result.rounds == limit


@given(
    games(
        rules(
            round_limits=NO_LIMIT,
            capture_orders=UNSHUFFLED_ORDERS,
            won_cards=UNSHUFFLED_WON_CARDS,
        )
    ),
    st.integers(1, 50),
)
def test_a_limit_only_cuts_a_game_short(setup: Setup, limit: int) -> None:
    whole = events_of(setup)
    cut = events_of(Setup(changed(setup.rules, round_limit=limit), setup.piles))
    assert rounds_of(cut)[: len(rounds_of(whole))] == rounds_of(whole)[:limit]
    if len(whole) <= limit and getattr(whole[-1], "reason", "") != "endless":
        assert cut == whole


@given(games(), st.integers(0, 30), st.integers(1, 30))
def test_a_copy_goes_its_own_way(setup: Setup, before: int, after: int) -> None:
    game = start(setup)
    _turn_up(game, before)
    copy = game.copy()
    as_it_was = _seen_from_outside(copy)
    gone_on = _turn_up(game, after)
    assert _seen_from_outside(copy) == as_it_was
    assert _turn_up(copy, after) == gone_on
    assert _seen_from_outside(copy) == _seen_from_outside(game)


@settings(max_examples=200)
@given(st.one_of(crowded(), circling()), SLOTS, st.integers(0, 6), st.data())
def test_a_copy_may_be_shown_other_cards(
    setup: Setup, slot: type[str], before: int, data: st.DataObject
) -> None:
    """Turn by turn, a game and its copy go on like two games that never heard of each other."""
    piles, faces = labelled(setup.piles, slot)
    game, never_copied, other_game = (Game(setup.rules, piles) for _ in range(3))
    unseen = dict.fromkeys(faces)
    for _ in range(before):
        for label in game.due.slots if game.due else ():
            unseen.pop(label, None)
        _show(game, faces)
    others = data.draw(st.permutations([faces[label] for label in unseen]))
    other_faces = {**faces, **dict(zip(unseen, others, strict=True))}
    copy = game.copy()
    while game.due or copy.due:
        _show(game, faces)
        _show(copy, other_faces)
    while never_copied.due or other_game.due:
        _show(never_copied, faces)
        _show(other_game, other_faces)
    assert _seen_from_outside(game) == _seen_from_outside(never_copied)
    assert _seen_from_outside(copy) == _seen_from_outside(other_game)


def _show(game: Game, faces: Mapping[str, str]) -> None:
    """The next cards are turned up; nothing happens once the game is over."""
    if game.due is not None:
        game.turn_up([faces[slot] for slot in game.due.slots])


def _turn_up(game: Game, times: int) -> list[Round | None]:
    """Turn up what is due so many times, or until the game is over."""
    happened = []
    for _ in range(times):
        if game.due is None:
            break
        happened.append(game.turn_up(game.due.slots))
    return happened


def _seen_from_outside(game: Game) -> tuple[object, ...]:
    due = game.due and (game.due.seats, game.due.slots)
    return (
        *(game.position(), game.sizes(), game.carried, game.laid, game.playing, game.out),
        *(game.rounds, due, game.result),
    )


@given(games(), st.integers(0, 20))
def test_bad_faces_change_nothing(setup: Setup, before: int) -> None:
    game = start(setup)
    _turn_up(game, before)
    as_it_was = _seen_from_outside(game)
    faces = game.due.slots if game.due else ()
    for bad in ((), faces[:-1], (*faces, setup.rules.pack.cards[0]), ("Z♣",) * len(faces)):
        if game.due is None or bad != faces:
            with pytest.raises(ValueError, match=r"\S"):
                game.turn_up(bad)
        assert _seen_from_outside(game) == as_it_was


@given(games())
def test_the_law_moves_slots_and_asks_only_for_faces(setup: Setup) -> None:
    """At a table slots are labels; the rulings are the same, and labels take the cards' places."""
    piles, card_of = labelled(setup.piles)
    plain = changed(setup.rules, capture_order="own-first", won_cards="under")
    game = Game(plain, piles)
    for expected in rounds_of(events_of(Setup(plain, setup.piles))):
        ended = None
        while ended is None:
            assert game.due is not None
            ended = game.turn_up(tuple(card_of[slot] for slot in game.due.slots))
        assert tuple(card_of[slot] for slot in ended.captured) == expected.captured
        assert (ended.winner, ended.out, ended.sizes) == (
            expected.winner,
            expected.out,
            expected.sizes,
        )
        assert [[slot and card_of[slot] for slot in layer.cards] for layer in ended.layers] == [
            list(layer.cards) for layer in expected.layers
        ]


@given(st.one_of(games(), games(rules(players=TWO)), crowded()), st.integers(0, 20))
def test_cards_that_slots_are_named_by_need_not_be_shown(setup: Setup, shown: int) -> None:
    """Once so many cards have been shown, nobody shows any more."""
    game, other = start(setup), start(setup)
    assert _turn_up(game, shown) == _turn_up(other, shown)
    for _ in range(100):
        if game.due is None:
            break
        assert game.turn_up(game.due.slots) == other.turn_up_named()
        assert _seen_from_outside(game) == _seen_from_outside(other)
    if game.due is None:
        with pytest.raises(ValueError, match="over"):
            other.turn_up_named()


@given(games())
def test_a_rank_alone_is_enough(setup: Setup) -> None:
    """Where nobody names the suits, a card's rank decides all the same."""
    game = start(setup)
    rank = setup.rules.pack.rank
    for expected in rounds_of(events_of(setup, 30)):
        ended = None
        while ended is None:
            assert game.due is not None
            ended = game.turn_up(tuple(rank[slot] for slot in game.due.slots))
        assert (ended.winner, ended.sizes, ended.out) == (
            expected.winner,
            expected.sizes,
            expected.out,
        )


def test_what_is_due_is_asked_one_turning_up_at_a_time() -> None:
    game = start(WAR)
    assert game.due is not None
    assert (game.due.seats, game.due.slots) == ((0, 1), ("9♣", "9♥"))
    assert game.turn_up(("9♣", "9♥")) is None
    assert game.due is not None
    assert (game.due.seats, game.due.slots) == ((0, 1), ("Q♦", "7♣"))
    ended = game.turn_up(("Q♦", "7♣"))
    assert ended is not None
    assert ended.winner == 0
    assert game.rounds == 1


def test_a_game_that_is_over_takes_no_more_cards() -> None:
    game = Game(WAR.rules, [["A♣"], ["2♣"]])
    game.turn_up(("A♣", "2♣"))
    assert game.due is None
    with pytest.raises(ValueError, match="over"):
        game.turn_up(("A♣", "2♣"))
    with pytest.raises(ValueError, match="over"):
        game.stop("abandoned")


def test_a_time_limit_waits_for_the_end_of_the_round() -> None:
    game = start(WAR)
    game.turn_up(("9♣", "9♥"))
    with pytest.raises(ValueError, match="round"):
        game.stop("time-limit")
    game.turn_up(("Q♦", "7♣"))
    result = game.stop("time-limit")
    assert (result.reason, result.winners, result.sizes) == ("time-limit", (), (7, 1))
    assert game.due is None
    assert game.result == result


def test_a_round_that_players_stop_in_mid_war_was_not_played() -> None:
    game = start(WAR)
    game.turn_up(("9♣", "9♥"))
    result = game.stop("abandoned")
    assert (result.reason, result.winners, result.rounds) == ("abandoned", (), 0)


@pytest.mark.parametrize("piles", [[], [["A♣"]], [["A♣"], ["K♣"], ["Q♣"]]])
def test_there_is_a_pile_for_each_player(piles: list[list[str]]) -> None:
    with pytest.raises(ValueError, match="pile"):
        Game(WAR.rules, piles)


@pytest.mark.parametrize("keys", [{"capture_order": "shuffled"}, {"won_cards": "aside-shuffled"}])
def test_rules_that_shuffle_need_a_shuffle(keys: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="shuffle"):
        Game(changed(WAR.rules, **keys), WAR.piles)
