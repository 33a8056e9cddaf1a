"""The rule sheet says what the rules are, all of it, and nothing else."""

import sys
from itertools import permutations
from pathlib import Path

import pytest
from console import run
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from processes import on_terminal
from strategies import rules

from warcli.cards import JOKER
from warcli.explain import as_text, rule_sheet
from warcli.game import unbeaten_by
from warcli.rules import BadRules, Rules
from warcli.rulesfile import load, profiles
from warcli.worked_example import worked_example

PACK_KEYS = ("deck_size", "rank_order", "suits", "packs", "jokers", "rank_exceptions")
"""Keys that describe one pack, and fit only each other."""

OTHER_KEYS = tuple(key for key in Rules.__struct_fields__ if key not in PACK_KEYS)

TIME_LIMITS = ("none", "90s", "30m", "90m", "1h30m", "2h")

sheets = st.builds(
    replace,
    rules(),
    name=st.sampled_from(["", "ours", "Aunt Mia's"]),
    description=st.sampled_from(["", "As Aunt Mia plays it.", "From a book.\n\nNot ours."]),
    time_limit=st.sampled_from(TIME_LIMITS),
)


def sheet(chosen: Rules) -> str:
    return as_text(rule_sheet(chosen))


def read_aloud(chosen: Rules) -> str:
    """The sheet without its line breaks."""
    return " ".join(sheet(chosen).split())


def can_tie(chosen: Rules) -> bool:
    """Whether some cards of the pack tie, tried out on all pairs, and on all trios of ranks."""
    compare = unbeaten_by(chosen)
    if len({chosen.pack.rank[card] for card in chosen.pack.cards}) < len(chosen.pack.cards):
        return True
    trios = permutations(chosen.rank_order, 3)
    return chosen.players > 2 and any(len(compare(trio)) == 3 for trio in trios)


def what_matters(chosen: Rules) -> list[object]:
    """Everything in the rules that can make a difference to a game: unlike in two rules only if
    the two are played differently (or named differently)."""
    jokers_only = chosen.rank_order == (JOKER,)
    has_limit = chosen.last_round is not None or chosen.seconds is not None
    war = can_tie(chosen)
    shortage: str = chosen.shortage
    capture_order: str = chosen.capture_order
    if chosen.war_face_down == 0 and shortage != "last-card-stands":
        shortage = "short-loses"  # with one card to lay, these three are the same
    if not war:  # there is only one layer, and in it one card a seat
        capture_order = {"own-pile-first": "own-first", "own-pile-last": "own-last"}.get(
            capture_order, capture_order
        )
    return [
        chosen.name,
        chosen.description,
        chosen.deck_size,
        chosen.rank_order,
        set(chosen.rank_exceptions),
        None if jokers_only else (chosen.suits, chosen.packs),
        chosen.jokers,
        chosen.players,
        chosen.leftover if chosen.deck_size % chosen.players else None,
        (chosen.war_face_down, shortage) if war else None,
        chosen.war_between if war and chosen.players > 2 else None,
        capture_order,
        chosen.won_cards,
        chosen.goal,
        chosen.last_round,
        chosen.seconds,
        chosen.limit_result if has_limit else None,
        None if chosen.shuffles else chosen.repetition,
    ]


@given(sheets, sheets, st.sampled_from([*((key,) for key in OTHER_KEYS), PACK_KEYS]))
def test_every_key_that_matters_shows(one: Rules, another: Rules, keys: tuple[str, ...]) -> None:
    """Two sheets differ as soon as the rules differ in a single thing that matters."""
    try:
        other = replace(one, **{key: getattr(another, key) for key in keys})
    except BadRules:
        assume(False)
    if what_matters(one) != what_matters(other):
        assert sheet(one) != sheet(other)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("description", "As Aunt Mia plays it.", "As Aunt Mia plays it."),
        ("war_face_down", 3, "adds 3 cards face down"),
        ("war_face_down", 0, "turns up the next card at once"),
        ("shortage", "short-loses", "fewer than the 2 cards that it takes is out at once"),
        ("shortage", "short-loses", "That is done before the others lay anything, card by card"),
        ("shortage", "first-out-loses", "none left when the next is to be laid is out"),
        ("shortage", "last-card-stands", "leaves the card turned up last standing"),
        ("shortage", "fewer-down", "nobody lays one face down"),
        ("capture_order", "shuffled", "shuffles the cards from the table"),
        ("round_limit", 1000, "The game stops after 1,000 rounds"),
        ("limit_result", "most-cards", "Whoever then has the most cards wins"),
        ("time_limit", "1h30m", "After 1 hour and 30 minutes the game stops"),
        ("repetition", "draw", "all piles lie exactly, card by card, as before an earlier round"),
        ("repetition", "play-on", "play on"),
        ("goal", "shed", "Whoever has all the cards loses"),
        ("players", 4, "13 cards for each player"),
        ("war_between", "everyone", "Everybody still in the game, tied or not, adds"),
        ("leftover", "aside", "The card left over lies aside for the whole game."),
        ("leftover", "dealt", "The card left over goes to the first player."),
        ("leftover", "dealt", "What you are dealt is your pile"),
        ("won_cards", "aside", "all piles and all won cards lie exactly, card by card, as before"),
        ("won_cards", "aside", "those won first will be played first"),
        ("won_cards", "aside-shuffled", "the won cards are shuffled and become the pile"),
    ],
)
def test_what_a_key_says_to_a_family(key: str, value: object, said: str) -> None:
    """English War draws a repetition, and leaves a card over with three players."""
    three = replace(load("english"), players=3, round_limit=100)
    assert said in read_aloud(replace(three, **{key: value}))


@given(sheets)
def test_what_needs_more_than_two_players_is_said_only_to_them(chosen: Rules) -> None:
    text = read_aloud(replace(chosen, name="", description=""))
    for_more = (
        "clockwise",
        "one player after",
        "verybody",
        "still in",
        "A game for 2",
        "those who",
    )
    for_two = ("Both players", "for two", "the other player's", "neither")
    unfit = for_more if chosen.players == 2 else for_two
    assert [words for words in unfit if words in text] == []


@given(sheets)
def test_numbers_agree_with_their_words(chosen: Rules) -> None:
    text = f" {read_aloud(replace(chosen, name='', description=''))} "
    unfit = (" 1 cards", " 1 ranks", " 1 jokers", " 1 rounds", " 1 minutes", " 1 such", " 0 ")
    assert [words for words in unfit if words in text] == []


@given(sheets, st.integers(30, 80))
def test_no_line_is_longer_than_the_screen(chosen: Rules, width: int) -> None:
    lines = as_text(rule_sheet(chosen), width).splitlines()
    assert max(map(len, lines)) <= width
    assert " ".join(lines).split() == sheet(chosen).split()


@given(sheets)
def test_war_is_explained_where_there_can_be_one(chosen: Rules) -> None:
    headings = [section.heading for section in rule_sheet(chosen)]
    assert ("Too few cards for a war" in headings) == can_tie(chosen)
    assert ("there is never a war" in read_aloud(chosen)) != can_tie(chosen)


def test_the_example_is_the_one_of_the_source() -> None:
    """seeds/000, section 05: the queen takes six cards, in the order laid, own before the
    other's; and the same for the other player."""
    text = read_aloud(load("english"))
    assert (
        "For example: A and B turn up 9♣ and 9♥. A and B lay 3♦ and K♠ face down. A and B turn up "
        "Q♦ and 7♣. A takes them in the order 9♣ 9♥ 3♦ K♠ Q♦ 7♣. Had A and B turned up 7♣ and Q♦ "
        "instead, B would take 9♥ 9♣ K♠ 3♦ Q♦ 7♣." in text
    )


@pytest.mark.parametrize(
    ("capture_order", "first_takes", "second_takes"),
    [
        ("own-first", "9♣ 9♥ 3♦ K♠ Q♦ 7♣", "9♥ 9♣ K♠ 3♦ Q♦ 7♣"),
        ("own-last", "9♥ 9♣ K♠ 3♦ 7♣ Q♦", "9♣ 9♥ 3♦ K♠ 7♣ Q♦"),
        ("seat-order", "9♣ 9♥ 3♦ K♠ Q♦ 7♣", "9♣ 9♥ 3♦ K♠ 7♣ Q♦"),
        ("own-pile-first", "9♣ 3♦ Q♦ 9♥ K♠ 7♣", "9♥ K♠ Q♦ 9♣ 3♦ 7♣"),
        ("own-pile-last", "9♥ K♠ 7♣ 9♣ 3♦ Q♦", "9♣ 3♦ 7♣ 9♥ K♠ Q♦"),
    ],
)
def test_the_example_shows_the_order_of_taking_up(
    capture_order: str, first_takes: str, second_takes: str
) -> None:
    text = read_aloud(replace(load("english"), capture_order=capture_order))
    assert f"A takes them in the order {first_takes}." in text
    assert f"B would take {second_takes}." in text


@given(rules(), st.sampled_from([0, 1]))
def test_the_example_is_won_by_whom_it_should_be(chosen: Rules, winner: int) -> None:
    played = worked_example(chosen, winner)
    if played is None:  # the pack has no card that wins a round
        cards, compare = chosen.pack.cards, unbeaten_by(chosen)
        most_beaten = max(sum(compare((one, other)) == (0,) for other in cards) for one in cards)
        assert most_beaten < chosen.players - 1
    else:
        assert played.winner == winner
        assert sum(card is not None for layer in played.layers for card in layer.cards) <= 24


@given(rules(players=st.just(2)))
def test_the_sheet_counts_the_cards_of_a_war_as_the_law_does(chosen: Rules) -> None:
    played = worked_example(chosen, winner=0)
    on_the_table = 0 if played is None else len(played.captured)
    room_for_two_steps = on_the_table + 2 * (chosen.war_face_down + 1) <= chosen.deck_size
    assume(played is not None and len(played.layers) > 1 and room_for_two_steps)
    assert f"takes the whole table: {on_the_table} cards." in read_aloud(chosen)


@pytest.mark.parametrize("profile", profiles())
def test_every_profile_says_where_it_comes_from(profile: str) -> None:
    description = load(profile).description
    assert description
    assert " ".join(description.split()) in read_aloud(load(profile))


def test_exceptions_and_their_circles_are_named() -> None:
    three = replace(load("pyanitsa"), players=3)
    assert "Whatever that order says, 6 beats A." in read_aloud(three)
    assert "as 6, A and K are when they meet, all of them tie" in read_aloud(three)
    assert "all of them tie" not in read_aloud(load("pyanitsa"))


@pytest.mark.parametrize(
    ("profile", "said"), [("krig", True), ("english", False), ("guerra", False), ("aside", False)]
)
def test_a_game_that_may_never_end_is_announced(profile: str, *, said: bool) -> None:
    """In Krig nothing but all the cards ends the game; the others draw a repetition, have a
    limit, or shuffle."""
    assert ("a game may never end" in read_aloud(load(profile))) == said


# The command


def test_the_command_takes_the_rules_with_or_without_the_option(tmp_path: Path) -> None:
    printed, status = run("war explain krig", tmp_path)
    assert (printed, status) == (sheet(load("krig")) + "\n", 0)
    assert run("war explain --rules krig", tmp_path) == (printed, 0)
    assert run("war explain -r krig", tmp_path) == (printed, 0)


def test_the_command_explains_english_without_being_told_which(tmp_path: Path) -> None:
    assert run("war explain", tmp_path) == run("war explain english", tmp_path)


def test_the_command_reads_a_file_and_writes_one(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text("extends: krig\nwar_face_down: 3\n", encoding="utf-8")
    assert run("war explain ours.yaml -o sheet.txt", tmp_path) == ("", 0)
    written = (tmp_path / "sheet.txt").read_text(encoding="utf-8")
    assert "War: ours\n" in written
    assert "adds 3 cards face down" in written


def test_the_command_keeps_to_plain_letters(tmp_path: Path) -> None:
    printed, _ = run("war explain --ascii", tmp_path)
    assert printed.isascii()
    assert "9c 9h 3d Ks Qd 7c" in printed


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("war explain krig --rules krig", "name the rules once"),
        ("war explain krigg", "did you mean krig?"),
        ("war explain bad.yaml", "bad.yaml:2:16"),
    ],
)
def test_the_command_refuses_what_it_cannot_explain(
    command: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.yaml").write_text("extends: krig\nwar_face_down: three\n", encoding="utf-8")
    printed, status = run(command, tmp_path)
    assert told in printed
    assert status == 2


if sys.platform != "win32":  # Windows has no such terminals

    @pytest.mark.parametrize("command", [["explain"], ["simulate", "--seed", "42"]])
    def test_on_a_narrow_terminal_lines_are_as_narrow(command: list[str]) -> None:
        narrow, wide = (
            on_terminal(*command, env={"COLUMNS": width, "NO_COLOR": "1"})
            for width in ("40", "200")
        )
        assert max(map(len, narrow.splitlines())) <= 40
        assert 40 < max(map(len, wide.splitlines())) <= 80
        assert narrow.split() == wide.split()
