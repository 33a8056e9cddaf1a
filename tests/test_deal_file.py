"""Deal files: what a family can write, what they get for it, and what a program writes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Setup, games

from warcli.dealfile import BadDeal, SuppliedDeal, deal_yaml, parse_deal, read_deal
from warcli.players import BadName, check_name
from warcli.rulesfile import load, profiles, written
from warcli.yamlfile import Source

ENGLISH = load("english")


def parsed(text: str) -> SuppliedDeal:
    return parse_deal(Source("deal.yaml", text), ENGLISH)


def refusal(text: str) -> str:
    with pytest.raises(BadDeal) as refused:
        parsed(text)
    return str(refused.value)


# What can be written


PILES = (("9♣", "3♦", "Q♦"), ("9♥", "K♠", "10♣"))


@pytest.mark.parametrize(
    "text",
    [
        "Ana:  9♣ 3♦ Q♦\nLuis: 9♥ K♠ 10♣\n",
        "Ana:  9c 3D qd\nLuis: 9♡ ks Tc\n",
        "Ana: 9c, 3d, qd\nLuis: 9h,ks,10C\n",
        "Ana: [9♣, 3♦, Q♦]\nLuis: [9h, 'K♠', \"t♧\"]\n",
        "Ana:\n- 9c\n- 3d\n- Qd\nLuis:\n  - 9h\n  - Ks\n  - 10c\n",
        "Ana: >\n  9c 3d\n  Qd\nLuis: |\n  9h\n  Ks 10c\n",
        "Ana: 9c 3d\n  Qd\nLuis: '9h Ks\n  10c'\n",
        "# tonight\nAna: 9c 3d Qd # the first\r\nLuis: 9h Ks 10c\r\n",
        "{Ana: 9c 3d Qd, Luis: 9h Ks 10c}",
        "---\nAna: 9c 3d Qd\nLuis: 9h Ks 10c\n...\n",
    ],
)
def test_every_way_of_writing_is_the_same_deal(text: str) -> None:
    deal = parsed(text)
    assert (deal.players, deal.piles) == (("Ana", "Luis"), PILES)


def test_the_order_of_the_file_is_the_order_of_the_seats() -> None:
    assert parsed("Zoe: 9c\nAna: 8c\n").players == ("Zoe", "Ana")


def test_what_yaml_takes_for_numbers_and_truths_are_cards_and_names() -> None:
    deal = parsed("no: 9\n7: [10, 2]\n")
    assert deal.players == ("no", "7")
    assert deal.piles == (("9",), ("10", "2"))


@pytest.mark.parametrize("nothing", ["", "~", "null", "[]", "''"])
def test_a_pile_may_be_empty(nothing: str) -> None:
    assert parsed(f"Ana: {nothing}\nLuis: 9c\n").piles == ((), ("9♣",))


def test_a_deal_for_another_pack() -> None:
    jokers = parse_deal(Source("d", "Ana: 'Joker *'\nLuis: a"), load("bataille-jokers"))
    assert jokers.piles == (("Joker", "Joker"), ("A",))


# What is unusual about it


def test_a_whole_deal_has_nothing_to_note() -> None:
    text = deal_yaml("AB", [ENGLISH.pack.cards[:26], ENGLISH.pack.cards[26:]], letters=False)
    assert parsed(text).notes == ()


def test_the_cards_that_are_missing_are_named_if_they_are_few() -> None:
    cards = [card for card in ENGLISH.pack.cards if card not in ("9♣", "2♠")]
    some = parsed(deal_yaml("AB", [cards[:9], cards[9:]], letters=False))
    assert some.notes == ("2 of the 52 cards of the pack are not in this deal: 9♣ 2♠",)
    few = parsed("Ana: 9c\nLuis: 8c\n")
    assert few.notes == ("50 of the 52 cards of the pack are not in this deal",)


def test_cards_without_suits_are_noted_where_a_repetition_counts() -> None:
    assert any("judged by their rank alone" in note for note in parsed("A: 9\nB: 8c").notes)
    krig = parse_deal(Source("deal.yaml", "A: 9\nB: 8c"), load("krig"))
    assert not any("rank alone" in note for note in krig.notes)


# What is refused


def test_a_card_too_many_is_named_with_both_its_places() -> None:
    assert refusal("Ana: 9♣ 3♦\nLuis: K♠ 9c\n") == (
        "deal.yaml:2:10: one 9♣ too many for Luis: the pack has 1, and it is dealt already\n"
        "  |\n"
        "2 | Luis: K♠ 9c\n"
        "  |          ^^\n"
        "  = already dealt: line 1, column 6 (Ana)"
    )


def test_a_fifth_card_of_a_rank_is_too_many_suits_or_not() -> None:
    message = refusal("Ana: 9 9 9h\nLuis: [9s, 9]\n")
    assert "deal.yaml:2:12: one 9 too many for Luis: the pack has 4" in message
    assert "line 1, column 6 (Ana), line 1, column 8 (Ana), line 1, column 10 (Ana)" in message


def test_a_card_on_a_later_line_has_its_own_place() -> None:
    assert "deal.yaml:3:6:" in refusal("Ana: |\n  9c\n  8c 7x\nLuis: 2c\n")


def test_an_unknown_card_is_answered_with_the_nearest() -> None:
    message = refusal("Ana: 9c 1O\nLuis: 2c\n")
    assert "deal.yaml:1:9: '1O' is not a card of this pack; did you mean 10?" in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("# nothing\n", "the file is empty"),
        ("9♣ 3♦", "this is no deal"),
        ("- 9c\n- 8c\n", "this is no deal"),
        ("Ana: 9c\n", "1 player (Ana), but the rules english are for 2 players"),
        ("A: 9c\nB: 8c\nC: 7c\n", "3 players (A, B, C), but the rules english are for 2"),
        ("Ana: 9c\nAna: 8c\n", "deal.yaml:2:1: Ana has a pile in line 1 already"),
        ("Ana: 9c\nana: 8c\n", "deal.yaml:2:1: ana has a pile in line 1 already"),
        ("Ana:\nLuis: []\n", "all the piles are empty"),
        ("Ana: {A: 10}\nLuis: 9c\n", "deal.yaml:1:6: Ana's pile is a mapping"),
        ("Ana: [9c, [8c]]\nLuis: 7c\n", "deal.yaml:1:11: a card is wanted here"),
        ("Ana: [9c, ~]\nLuis: 7c\n", "'~' is not a card"),
        ("Ana: [9c, '']\nLuis: 7c\n", "deal.yaml:1:11: a card is wanted here"),
        ("[Ana]: 9c\nLuis: 8c\n", "deal.yaml:1:1: a player's name is wanted here"),
        ("'': 9c\nLuis: 8c\n", "a player needs a name, not ''"),
        ("'A|B': 9c\nLuis: 8c\n", "the name A|B holds '|'"),
        ("Ana: no\nLuis: 8c\n", "'no' is not a card"),
        ("Ana: 9:30\nLuis: 8c\n", "'9:30' is not a card"),
        ("Ana: &x 9c\nLuis: *x\n", "deal.yaml:2:7:"),
        ("Ana: 9c\nLuis: 8c\n---\nAna: 7c\n", "a second document"),
        ("Ana: 9c\n\tLuis: 8c\n", "tab"),
        ("Ana: '9c\n", "not YAML"),
        ("Ana: " + "[" * 100 + "]" * 100, "nested"),
        ("Ana: " + "[" * 100_000, "nest"),
        ("Ana: 9c\x1b[2J\nLuis: 8c\n", "control character"),
        ("Ana: Joker\nLuis: 8c\n", "'Joker' is not a card"),
    ],
)
def test_what_is_no_deal_is_refused(text: str, said: str) -> None:
    message = refusal(text)
    assert message.startswith("deal.yaml")
    assert said in message
    assert "\x1b" not in message
    assert "\t" not in message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfeA\x00", "UTF-16"),
        ("Añá: 9c\nB: 8c".encode("latin-1"), "UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00\xff", "not a text"),
        (b"A: " + b"9c " * 1_000_000, "too large"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / "deal.yaml"
    file.write_bytes(data)
    with pytest.raises(BadDeal, match=said):
        read_deal(file, ENGLISH)


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDeal, match="there is no such file"):
        read_deal(tmp_path / "none.yaml", ENGLISH)
    with pytest.raises(BadDeal, match="this is a folder"):
        read_deal(tmp_path, ENGLISH)


SCRAPS = st.text("Az9c♠1:,-[]{}'\"|>&*!#~%?.\\ \n", max_size=40)
"""What YAML has a meaning for, and cards."""


@given(st.one_of(SCRAPS, st.text(max_size=30), SCRAPS.map(lambda text: "A: 9\nB: 8 " + text)))
def test_any_text_at_all_is_a_deal_or_is_refused_with_a_reason(text: str) -> None:
    try:
        said = " ".join(parsed(text).players)
    except BadDeal as refused:
        said = str(refused)
    assert said


@pytest.mark.parametrize("profile", profiles())
def test_rules_are_told_what_they_are(profile: str) -> None:
    with pytest.raises(BadDeal, match="these are the rules of a game, not a deal"):
        parse_deal(written(profile), ENGLISH)


def test_players_may_be_called_like_keys() -> None:
    assert parsed("suits: 9c\nAna: 8c").players == ("suits", "Ana")


def test_places_are_counted_in_characters() -> None:
    heart, snake = "\N{ANATOMICAL HEART}", "\N{SNAKE}"
    assert "deal.yaml:2:12: " in refusal(f"{heart}: 9♣\n{snake}José: K♥, 9c\n")


# What is written is read back


def is_name(text: str) -> bool:
    try:
        return check_name(text) == text
    except BadName:
        return False


NAMES = st.lists(
    st.text(max_size=12).filter(is_name), min_size=8, max_size=8, unique_by=str.casefold
)


@given(games(), st.booleans(), NAMES)
def test_what_is_written_reads_back(setup: Setup, letters: bool, names: list[str]) -> None:
    rules, piles = setup
    assume(any(piles))
    players = tuple(names[: rules.players])
    written = deal_yaml(players, piles, letters=letters)
    read = parse_deal(Source("deal.yaml", written), rules)
    assert (read.players, read.piles) == (players, piles)


@pytest.mark.parametrize("name", ["no", "7", "~", "- x", "'", "a b", "[x]", "&x", "!x", "%", "?"])
def test_names_that_yaml_would_take_for_something_else(name: str) -> None:
    written = deal_yaml((name, "Luis"), (("9♣",), ("8♣",)), letters=False)
    assert parsed(written).players == (name, "Luis")


def test_a_rank_that_yaml_would_take_for_something_else() -> None:
    rules = msgspec.structs.replace(
        ENGLISH, suits=1, deck_size=4, rank_order=("no", "Null", "0o7", "1_0"), rank_exceptions=()
    )
    piles = (("no",), ("Null", "0o7", "1_0"))
    written = deal_yaml(("Ana", "Luis"), piles, letters=False)
    assert parse_deal(Source("deal.yaml", written), rules).piles == piles
