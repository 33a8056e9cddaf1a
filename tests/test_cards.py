"""How cards are written and read."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import USUAL_RANKS, rules

from warcli.cards import JOKER, Pack, UnknownCard, ascii_form
from warcli.rules import Rules

FULL = Pack(USUAL_RANKS, suits=4, packs=1, jokers=0)
WITH_JOKERS = Pack((JOKER, *USUAL_RANKS), suits=4, packs=1, jokers=2)
BY_RANK = Pack(("A", "K", "10"), suits=1, packs=2, jokers=0)


@pytest.mark.parametrize(
    ("written", "card"),
    [
        *((text, "9♣") for text in ("9♣", "9c", "9C", "9♧", " 9c ")),
        *((text, "10♥") for text in ("10♥", "10h", "10H", "Th", "th", "tH", "T♥", "10♡")),
        *((text, "K♠") for text in ("K♠", "K♤", "ks", "KS", "kS", "k♠")),
        *((text, "A♦") for text in ("A♦", "ad", "AD", "a♢")),
        ("9", "9"),
        ("k", "K"),
        ("K", "K"),
        ("10", "10"),
        ("t", "10"),
        ("T", "10"),
    ],
)
def test_every_way_to_write_a_card(written: str, card: str) -> None:
    assert FULL.read(written) == card


@pytest.mark.parametrize("written", ["Joker", "joker", "JOKER", "*", " * "])
def test_every_way_to_write_a_joker(written: str) -> None:
    assert WITH_JOKERS.read(written) == JOKER


@pytest.mark.parametrize(
    ("character", "suit"),
    list(zip("♣♦♥♠♧♢♡♤", "♣♦♥♠♣♦♥♠", strict=True)),
)
def test_the_eight_suit_characters(character: str, suit: str) -> None:
    assert FULL.read(f"7{character}") == f"7{suit}"


def test_a_phones_picture_of_a_suit_is_that_suit() -> None:
    assert FULL.read("K♥\N{VARIATION SELECTOR-16}") == "K♥"
    assert FULL.read("K♠\N{VARIATION SELECTOR-15}") == "K♠"


@pytest.mark.parametrize(
    "written",
    ["", " ", "♣", "c", "1♣", "11h", "Z♣", "9x", "9cc", "c9", "9 c", "9♣♣", "Joker", "*", "10 ♥"],
)
def test_what_is_no_card_of_the_pack_is_refused(written: str) -> None:
    with pytest.raises(UnknownCard, match="not a card of this pack"):
        FULL.read(written)


@pytest.mark.parametrize(
    ("written", "near"),
    [
        *(("0h", "10♥"), ("1Oh", "10♥"), ("1ks", "K♠"), ("K ♠", "K♠")),
        *(("jokr", "Joker"), ("JOKE", "Joker")),
    ],
)
def test_the_nearest_card_is_suggested(written: str, near: str) -> None:
    with pytest.raises(UnknownCard, match=f"did you mean {near}"):
        WITH_JOKERS.read(written)


PYANITSA = Pack(USUAL_RANKS[:9], suits=4, packs=1, jokers=0)


@pytest.mark.parametrize(
    ("written", "absent"),
    [("5h", "5"), ("5", "5"), ("2♠", "2"), ("joker", "Joker"), ("jocker", "Joker")],
)
def test_of_a_rank_that_the_pack_has_not_that_is_said(written: str, absent: str) -> None:
    with pytest.raises(UnknownCard, match=f"this pack; it has no {absent} \\("):
        PYANITSA.read(written)


@pytest.mark.parametrize(("written", "meant"), [("c9", "9♣"), ("H10", "10♥"), ("♠k", "K♠")])
def test_a_card_written_suit_first_is_understood_but_not_taken(written: str, meant: str) -> None:
    with pytest.raises(UnknownCard, match=f"did you mean {meant}"):
        FULL.read(written)


@pytest.mark.parametrize("written", ["9x", "10j", "♣", "zzz", "", "1", "0", "vs", "xyz"])
def test_no_guess_is_better_than_a_bad_one(written: str) -> None:
    with pytest.raises(UnknownCard, match="not a card of this pack \\("):
        FULL.read(written)


def test_a_refusal_says_what_there_is() -> None:
    with pytest.raises(UnknownCard) as refused:
        FULL.read("Z♣")
    assert "A K Q J 10 9 8 7 6 5 4 3 2" in str(refused.value)
    assert "♣ ♦ ♥ ♠" in str(refused.value)


def test_control_characters_are_not_repeated() -> None:
    with pytest.raises(UnknownCard) as refused:
        FULL.read("9\x1b[31m")
    assert str(refused.value).isprintable()


def test_a_text_with_two_meanings_is_refused_with_both() -> None:
    """With a rank called `10h`, `10h` is that rank, or the ten of hearts."""
    pack = Pack(("10h", "10"), suits=4, packs=1, jokers=0)
    assert pack.readings("10h") == ("10h", "10♥")
    with pytest.raises(UnknownCard, match="10h or 10♥"):
        pack.read("10h")
    assert pack.read("10♥") == "10♥"
    assert pack.read("10h♥") == "10h♥"


def test_with_one_suit_there_are_only_ranks() -> None:
    assert BY_RANK.read("a") == "A"
    assert BY_RANK.read("t") == "10"
    with pytest.raises(UnknownCard, match="not a card"):
        BY_RANK.read("A♣")


def test_a_pack_has_only_its_own_suits() -> None:
    pack = Pack(("A", "K"), suits=2, packs=1, jokers=0)
    assert pack.read("ad") == "A♦"
    with pytest.raises(UnknownCard, match="not a card"):
        pack.read("ah")


def test_t_is_a_rank_of_its_own_where_there_is_one() -> None:
    pack = Pack(("T", "10"), suits=4, packs=1, jokers=0)
    assert pack.read("tc") == "T♣"
    assert pack.read("10c") == "10♣"


def test_ranks_may_be_words() -> None:
    pack = Pack(("Roi", "Cavalier", "26"), suits=4, packs=1, jokers=0)
    assert pack.read("cavalierc") == "Cavalier♣"
    assert pack.read("ROI♥") == "Roi♥"
    assert pack.read("26s") == "26♠"


def test_a_pack_lists_its_cards_in_the_order_before_the_shuffle() -> None:
    pack = Pack(("Joker", "A", "K"), suits=2, packs=2, jokers=1)
    assert " ".join(pack.cards) == "Joker A♣ A♦ A♣ A♦ K♣ K♦ K♣ K♦"
    assert pack.copies["A♣"] == 2
    assert pack.copies["A"] == 4
    assert pack.copies[JOKER] == 1


@given(rules())
def test_every_card_reads_back_as_itself(of: Rules) -> None:
    pack = of.pack
    assert len(pack.cards) == of.deck_size
    for card in set(pack.cards):
        for written in (card, card.lower(), card.upper(), ascii_form(card)):
            assert pack.read(written) == card
        assert pack.rank[card] in of.rank_order
        assert pack.copies[card] == Counter(pack.cards)[card]


@given(rules(), st.text(max_size=4))
def test_whatever_is_typed_is_read_or_refused(of: Rules, typed: str) -> None:
    try:
        card = of.pack.read(typed)
    except UnknownCard as refused:
        assert str(refused).isprintable()  # noqa: PT017  # both outcomes are right
    else:
        assert card in of.pack.rank


def test_the_plain_form_has_letters_for_suits() -> None:
    assert [ascii_form(card) for card in ("9♣", "10♦", "K♥", "A♠", "Joker", "7")] == [
        *("9c", "10d", "Kh", "As", "Joker", "7")
    ]
