"""A position that comes back is found when it does, and nothing else is taken for one.

`plain_law` compares whole positions; so do these tests. What is compared here are only hashes, at
first of one pile alone, so every property is also tried with slots whose hashes are all equal
(`Alike`).
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Mapping
from itertools import permutations, product
from typing import Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, structs
from plain_law import play_plainly
from strategies import SLOTS, Alike, Setup, circling, labelled

from warcli import rulesfile
from warcli.game import Game, Position
from warcli.repetition import Positions
from warcli.rules import Rules
from warcli.simulation import play, simulate

Faces = Mapping[str, str]
"""What each slot shows when it is turned up."""

CIRCLE = Setup(
    Rules(
        deck_size=4,
        rank_order=("A", "K"),
        war_face_down=1,
        shortage="first-out-loses",
        capture_order="seat-order",
        round_limit="none",
        repetition="draw",
        suits=2,
    ),
    (("A♣", "K♦"), ("K♣", "A♦")),
)
"""Before round 5 the piles lie as they were dealt; by rank alone, before round 3 already."""

CARRIED = Setup(
    structs.replace(
        CIRCLE.rules,
        deck_size=12,
        rank_order=("A", "K", "Q"),
        suits=4,
        war_face_down=0,
        players=4,
    ),
    (("K♦",), ("K♠",), ("Q♦", "K♥", "Q♥"), ("Q♣", "Q♠", "A♥")),
)
"""In round 1 the kings tie, both their seats go out, and the table is carried; what lies before
round 7 lies so again after round 14."""

UNEVEN = Setup(
    structs.replace(CIRCLE.rules, deck_size=8, rank_order=("A", "K", "Q", "J")),
    (("A♣", "J♣", "J♦", "A♦", "Q♦"), ("Q♣", "K♣", "K♦")),
)
"""What lies before round 3 lies so again after round 10, and the sizes were so in round 1 too."""

ONE_PILE = Setup(
    UNEVEN.rules,
    (("J♣", "A♣", "J♦"), ("K♦", "Q♣", "A♦", "Q♦", "K♣")),
)
"""After round 8 the first pile lies as it was dealt, and the other doesn't; both do after 24."""


def show(game: Game, faces: Faces, times: int | None = None) -> None:
    """Turn up the next cards so many times, or until the game is over."""
    while game.due is not None and times != 0:
        game.turn_up([faces[slot] for slot in game.due.slots])
        times = times and times - 1


def has_equal_cards(setup: Setup) -> bool:
    return len(setup.rules.pack.kinds) < len(setup.rules.pack.cards)


def as_named(position: Position, names: Faces) -> Position:
    return tuple(tuple(names.get(slot, slot) for slot in pile) for pile in position)


# Where it is found


@settings(max_examples=300)
@given(circling(), SLOTS, st.booleans())
@example(CARRIED, str, False)
@example(CARRIED, Alike, True)
@example(ONE_PILE, str, False)
def test_it_is_found_where_the_plain_law_finds_it(
    setup: Setup, slot: type[str], by_rank: bool
) -> None:
    [*_, expected] = play_plainly(*setup)
    piles, cards = labelled(setup.piles, slot)
    game = Game(setup.rules, piles)
    if has_equal_cards(setup):
        game.name(cards)
    rank = setup.rules.pack.rank
    show(game, {label: rank[card] for label, card in cards.items()} if by_rank else cards)
    assert game.result == expected


@settings(max_examples=300)
@given(circling())
def test_it_is_found_alike_where_slots_are_cards(setup: Setup) -> None:
    game = Game(*setup)
    while game.due is not None:
        game.turn_up(game.due.slots)
    assert [game.result] == play_plainly(*setup)[-1:]


def test_a_table_that_was_carried_lies_in_between() -> None:
    game = Game(*CARRIED)
    show(game, {card: card for card in CARRIED.rules.pack.cards}, 1)
    assert game.rounds == 1
    assert game.carried
    show(game, {card: card for card in CARRIED.rules.pack.cards})
    assert game.result is not None
    assert (game.result.reason, game.result.rounds) == ("repetition", 14)
    assert game.result.first_seen == 7


def test_one_pile_that_comes_back_is_no_repetition() -> None:
    piles, faces = labelled(ONE_PILE.piles)
    game = Game(ONE_PILE.rules, piles)
    while game.rounds < 8:
        show(game, faces, 1)
    assert (tuple(game.piles[0]), game.sizes()) == (piles[0], (3, 5))
    assert game.result is None
    show(game, faces)
    assert game.result is not None
    assert (game.result.rounds, game.result.first_seen) == (24, 1)


@given(circling(), st.booleans())
@example(ONE_PILE, False)
def test_nothing_depends_on_what_is_hashed(setup: Setup, renamed: bool) -> None:
    """Positions that know of names hash every pile from the start; a game that goes round and
    round finds the same."""
    never_ends = Game(structs.replace(setup.rules, repetition="play-on"), setup.piles)
    one_pile, whole = Positions(), Positions()
    whole.name({card: card.lower() for pile in setup.piles for card in pile} if renamed else {})
    while never_ends.due is not None and never_ends.rounds < 100:
        if not never_ends.laid and not never_ends.carried:
            assert one_pile.first_seen(never_ends) == whole.first_seen(never_ends)
        never_ends.turn_up_named()


@settings(max_examples=300)
@given(circling(), st.sampled_from([1, 2, 5]), st.one_of(st.just("none"), st.integers(1, 60)))
@example(CARRIED, 1, "none")
@example(ONE_PILE, 2, "none")
@example(ONE_PILE, 2, 24)
@example(ONE_PILE, 2, 25)
def test_when_too_many_are_noted_it_is_foreseen(
    setup: Setup, most: int, limit: Literal["none"] | int
) -> None:
    setup = Setup(structs.replace(setup.rules, round_limit=limit), setup.piles)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Positions, "most", most)
        foreseen = [*play(Game(*setup))]
    assert foreseen[-1:] == play_plainly(*setup)[-1:]


# Equal cards


@settings(max_examples=300)
@given(circling().filter(has_equal_cards), SLOTS, st.one_of(st.none(), st.integers(0, 20)))
def test_equal_cards_count_from_when_they_are_named(
    setup: Setup, slot: type[str], after: int | None
) -> None:
    """All of them named after so many rounds, or each as it is turned up (None)."""
    piles, faces = labelled(setup.piles, slot)
    game = Game(setup.rules, piles)
    never_ends = Game(structs.replace(setup.rules, repetition="play-on"), piles)
    names: dict[str, str] = {}
    earlier: list[Position] = []
    while never_ends.due is not None:
        position = never_ends.position()
        came_back = [as_named(before, names) == as_named(position, names) for before in earlier]
        if any(came_back):
            assert game.result is not None
            assert game.result.first_seen == came_back.index(True) + 1
            return
        earlier.append(position)
        if after == game.rounds:
            names = faces
        ended = None
        while ended is None:
            assert game.due is not None
            if after is None:
                names |= {label: faces[label] for label in game.due.slots}
            game.name(names)
            show(never_ends, faces, 1)
            ended = game.turn_up([faces[label] for label in game.due.slots])
    assert game.result == never_ends.result


def test_names_that_only_one_of_two_copies_was_told() -> None:
    piles, faces = labelled((("A", "K"), ("K", "A")))
    told = Game(structs.replace(CIRCLE.rules, suits=1, packs=2), piles)
    untold = told.copy()
    told.name(faces)
    copy_of_told = told.copy()
    for game, rounds in ((told, 2), (untold, 4), (copy_of_told, 2)):
        show(game, faces)
        assert game.result is not None
        assert (game.result.reason, game.result.rounds) == ("repetition", rounds)


def test_a_copy_that_is_shown_other_cards_compares_with_its_own() -> None:
    """Every two deals of four cards to the same slots: a game, and a copy that lags behind it."""
    cards = CIRCLE.rules.pack.cards
    piles, labels = labelled(CIRCLE.piles)
    deals = [dict(zip(labels, order, strict=True)) for order in permutations(cards)]
    alone = []
    for faces in deals:
        game = Game(CIRCLE.rules, piles)
        show(game, faces)
        alone.append(game.result)
    for (faces, result), (other_faces, other) in product(zip(deals, alone, strict=True), repeat=2):
        game = Game(CIRCLE.rules, piles)
        copy = game.copy()
        while game.due or copy.due:
            show(game, faces, 5)
            show(copy, other_faces, 3)
        assert (game.result, copy.result) == (result, other)


# Taking back, and piles that were dropped


@pytest.mark.parametrize("slot", [str, Alike])
@pytest.mark.parametrize(
    ("setup", "turns", "ending"),
    [
        *[(CARRIED, turns, (14, 7)) for turns in range(15)],
        *[(UNEVEN, turns, (10, 3)) for turns in range(11)],
        *[(ONE_PILE, turns, (24, 1)) for turns in range(3, 26, 2)],
    ],
)
def test_where_a_game_went_back_to_it_may_come_back_to(
    setup: Setup, turns: int, ending: tuple[int, int], slot: type[str]
) -> None:
    piles, faces = labelled(setup.piles, slot)
    game = Game(setup.rules, piles)
    show(game, faces, turns)
    mark = game.mark()
    show(game, faces, 3)
    game.back_to(mark)
    show(game, faces)
    assert game.result is not None
    assert (game.result.rounds, game.result.first_seen) == ending


def test_a_copy_keeps_what_its_game_takes_back() -> None:
    piles, faces = labelled(CARRIED.piles)
    game = Game(CARRIED.rules, piles)
    start = game.mark()
    show(game, faces, 10)
    copy = game.copy()
    game.back_to(start)
    show(copy, faces)
    assert copy.result is not None
    assert (copy.result.rounds, copy.result.first_seen) == (14, 7)


@given(circling(), SLOTS, st.integers(0, 10), st.lists(st.integers(1, 40), max_size=3), st.data())
def test_what_was_taken_back_leaves_no_trace(
    setup: Setup, slot: type[str], before: int, tried: list[int], data: st.DataObject
) -> None:
    """Each time some turns are tried with other cards and taken back, in mid-war too."""
    piles, faces = labelled(setup.piles, slot)
    game, never_tried = Game(setup.rules, piles), Game(setup.rules, piles)
    seen: set[str] = set()
    for _ in range(before):
        seen |= {*game.due.slots} if game.due else set()
        show(game, faces, 1)
    unseen = [label for label in faces if label not in seen]
    for turns in tried:
        others = data.draw(st.permutations([faces[label] for label in unseen]))
        mark = game.mark()
        show(game, {**faces, **dict(zip(unseen, others, strict=True))}, turns)
        game.back_to(mark)
    show(game, faces)
    show(never_tried, faces)
    assert game.result == never_tried.result


@given(circling(), SLOTS, st.integers(1, 10), st.data())
def test_after_a_pile_was_dropped_positions_count_anew(
    setup: Setup, slot: type[str], before: int, data: st.DataObject
) -> None:
    """The game ends as one that begins there, its rounds counted on."""
    piles, faces = labelled(setup.piles, slot)
    game = Game(setup.rules, piles)
    show(game, faces, before)
    if game.laid or game.carried or game.due is None:
        return
    lying = [label for pile in (*game.piles, *game.asides) for label in pile]
    anew = iter(data.draw(st.permutations(lying)))
    piles = tuple(tuple(next(anew) for _ in range(size)) for size in game.sizes())
    rounds = game.rounds
    game.disturb(piles, [() for _ in piles])
    begins_there = Game(setup.rules, piles)
    show(game, faces)
    show(begins_there, faces)
    assert game.result is not None
    assert begins_there.result is not None
    first = begins_there.result.first_seen
    assert game.result == structs.replace(
        begins_there.result,
        rounds=begins_there.result.rounds + rounds,
        first_seen=first if first is UNSET else first + rounds,
    )


@pytest.mark.parametrize("slot", [str, Alike])
def test_positions_asked_for_from_the_middle_on_may_all_be_taken_back(slot: type[str]) -> None:
    """Cut back to before they were first asked for, they begin wherever that is done next."""
    piles, faces = labelled(CIRCLE.piles, slot)
    game = Game(structs.replace(CIRCLE.rules, repetition="play-on"), piles)
    start = game.mark()
    positions = Positions()

    def asked(rounds: int) -> list[int | None]:
        found = []
        for _ in range(rounds):
            slots = game.due.slots if game.due else ()
            found.append(positions.first_seen(game))
            positions.turned_up(slots, [faces[label] for label in slots])
            show(game, faces, 1)
        return found

    show(game, faces, 1)
    assert asked(4) == [None] * 4
    assert asked(1) == [2]
    game.back_to(start)
    positions.cut_back(1)
    assert asked(5) == [None, None, None, None, 1]


# Memory


@pytest.mark.parametrize("packs", [4, 20])
def test_a_position_takes_little_memory_however_big_the_pack(packs: int) -> None:
    """Whole positions of 20 packs, 1,040 cards, would take more than 8,000 bytes a round."""
    rules = structs.replace(
        rulesfile.load("english"),
        packs=packs,
        deck_size=52 * packs,
        shortage="fewer-down",
        capture_order="seat-order",
    )
    game = simulate(rules, seed=1).game
    rounds = 8_000
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        while game.due is not None and game.rounds < rounds:
            game.turn_up(game.due.slots)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert game.rounds == rounds
    assert peak - before < 400 * rounds
