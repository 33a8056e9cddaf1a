"""A typed line is read in every way it can be, and in no other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warcli.cards import JOKER, Card, Pack, ascii_form
from warcli.referee.typed import lengths, readings

USUAL = Pack(
    ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"), suits=4, packs=1, jokers=0
)
JOKERS = Pack((JOKER, "A", "K", "Q", "J", "10", "9"), suits=4, packs=1, jokers=2)
NUMBERS = Pack(("11", "10", "1", "0"), suits=4, packs=1, jokers=0)
CAVALIERS = Pack(("A", "C", "9"), suits=4, packs=1, jokers=0)


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("k9", "K 9"),
        ("K 9", "K 9"),
        ("10 q", "10 Q"),
        ("10q", "10 Q"),
        ("tq", "10 Q"),
        ("1010", "10 10"),
        ("q q", "Q Q"),
        ("qq", "Q Q"),
        ("ks9d", "K♠ 9♦"),
        ("KS9D", "K♠ 9♦"),
        ("K♠ 9♦", "K♠ 9♦"),
        ("k♤,9♢", "K♠ 9♦"),
        ("k 9d", "K 9♦"),
        ("ks9", "K♠ 9"),
        ("9 ♣ k ♦", "9♣ K♦"),
        ("10h10d", "10♥ 10♦"),
        ("  a\t2  ", "A 2"),
        ("king queen", "K Q"),
        ("Ten, 9d", "10 9♦"),
        ("ace of spades, K of Hearts", "A♠ K♥"),
        ("9 of clubs ten of diamonds", "9♣ 10♦"),
        ("2 of hearts three", "2♥ 3"),
    ],
)
def test_two_cards_of_the_usual_pack(line: str, cards: str) -> None:
    assert readings(USUAL, line, 2) == [tuple(cards.split())]


@pytest.mark.parametrize(
    "line", ["", "k", "k9 2", "kx", "1", "9♣", "help", "k" * 1000, "k?9", "of spades 9"]
)
def test_what_is_not_two_cards_is_not_read(line: str) -> None:
    assert readings(USUAL, line, 2) == []


def test_eight_seats_are_read_like_two() -> None:
    assert readings(USUAL, "a23kqj109", 8) == [("A", "2", "3", "K", "Q", "J", "10", "9")]


def test_a_joker_is_a_star_or_its_name() -> None:
    assert readings(JOKERS, "*9", 2) == [(JOKER, "9")]
    assert readings(JOKERS, "joker joker", 2) == [(JOKER, JOKER)]
    assert readings(JOKERS, "jokerj", 2) == [(JOKER, "J")]


@pytest.mark.parametrize(
    ("pack", "line", "meanings"),
    [
        (NUMBERS, "111", {("11", "1"), ("1", "11")}),
        (NUMBERS, "1011", {("10", "11")}),
        (CAVALIERS, "9cc", {("9♣", "C"), ("9", "C♣")}),
        (CAVALIERS, "9c", {("9", "C")}),  # 9♣ would be one card
        (CAVALIERS, "cc9", {("C♣", "9")}),
        (CAVALIERS, "ccc", {("C♣", "C"), ("C", "C♣")}),
    ],
)
def test_every_reading_is_found(pack: Pack, line: str, meanings: set[tuple[Card, ...]]) -> None:
    assert set(readings(pack, line, 2)) == meanings


def test_what_stands_apart_is_read_apart() -> None:
    assert readings(NUMBERS, "11 1", 2) == [("11", "1")]
    assert readings(CAVALIERS, "9 cc", 2) == [("9", "C♣")]


def test_the_numbers_of_cards_that_a_line_can_be() -> None:
    assert lengths(USUAL, "10q5", 3) == [3]
    assert lengths(CAVALIERS, "9c", 3) == [1, 2]


@given(
    st.sampled_from([USUAL, JOKERS, NUMBERS, CAVALIERS]),
    st.data(),
    st.sampled_from(["", " ", ", "]),
)
def test_what_was_meant_is_always_among_the_readings(
    pack: Pack, data: st.DataObject, between: str
) -> None:
    meant = tuple(data.draw(st.lists(st.sampled_from(sorted(pack.copies)), min_size=1, max_size=8)))
    line = between.join(ascii_form(card).lower() for card in meant)
    found = readings(pack, line, len(meant))
    assert meant in found or len(found) == 30  # so many that nobody is shown them all
    if between and pack is not NUMBERS and pack is not CAVALIERS:
        assert found == [meant]
