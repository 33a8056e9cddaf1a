"""Game records: written, read back, written by hand, and damaged."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import LIMITED, Setup, games, rules

from warcli.events import Deal, Layer, Result, Round
from warcli.players import MAX_LENGTH
from warcli.record import (
    WORDS,
    Entry,
    Flip,
    Head,
    Note,
    Outcome,
    Record,
    Writer,
    clock_text,
    head_text,
    read_clock,
    write,
)
from warcli.recordfile import BadRecord, load, read
from warcli.rules import Rules
from warcli.rulesfile import load as rules_of
from warcli.simulation import simulate, simulate_from
from warcli.yamlfile import Source

HEAD = "war: 1\nrules: krig\nplayers: [Ana, Luis]\n---\n"


def read_text(text: str) -> Record:
    return read(Source("game.war", text))


def entries(*lines: str, head: str = HEAD) -> tuple[Entry, ...]:
    return read_text(head + "\n".join(lines) + "\n").entries


def up(*cards: str | None) -> Layer:
    return Layer("up", cards)


def down(*cards: str | None) -> Layer:
    return Layer("down", cards)


# As it is written


def test_a_war_is_one_line_and_an_entry_for_each_turning_up() -> None:
    assert entries("2. 9♣ 9♥ | (3♦) (K♠) | Q♦ 7♣ > Ana") == (
        Flip(2, (up("9♣", "9♥"),), begins=True, ended=False, line=5),
        Flip(2, (down("3♦", "K♠"), up("Q♦", "7♣")), begins=False, ended=True, winner=0, line=5),
    )


def test_what_shortage_lays_after_the_last_comparison_belongs_to_it() -> None:
    assert entries("7. 5 5 | (?) - > -") == (
        Flip(7, (up("5", "5"), down("?", None)), begins=True, ended=True, winner=None, line=5),
    )


def test_comments_and_empty_lines_are_no_entries() -> None:
    assert entries("# Luis dropped his pile", "", "unordered: Luis  # all of it") == (
        Note("unordered", "Luis", line=7),
    )


def test_the_result_names_winner_reason_and_rounds() -> None:
    assert entries("result: Ana, collected, 213 rounds") == (
        Outcome((0,), "collected", 213, line=5),
    )
    assert entries("result: -, repetition, 118 rounds") == (Outcome((), "repetition", 118, line=5),)


def test_several_winners_stand_one_after_the_other() -> None:
    head = "rules: three-players\nplayers: [Ana, Luis, Mia]\n---\n"
    (result,) = entries("result: Ana, Mia, collected, 1 round", head=head)
    assert result == Outcome((0, 2), "collected", 1, line=4)


def test_a_round_that_is_interrupted_goes_on_in_a_later_line() -> None:
    first, pause, second = entries("1. 9 9 |", "pause: 12:31", "| (?) (?) | Q 7 > Ana")
    assert first == Flip(1, (up("9", "9"),), begins=True, ended=False, line=5)
    assert pause == Note("pause", "12:31", line=6)
    assert second == Flip(
        None, (down("?", "?"), up("Q", "7")), begins=False, ended=True, winner=0, line=7
    )


def test_the_whole_head() -> None:
    head = read_text(
        "war: 1                          # version of this format\n"
        "rules: krig\n"
        "players: [Ana, Luis]\n"
        "deal: {Ana: 9♣ 3♦, Luis: 9♥}\n"
        "seed: 42\n"
        "game: 7\n"
        "started: 2026-05-01T19:30:00+02:00\n"
        "---\n"
    ).head
    assert head == Head(
        rules=rules_of("krig"),
        players=("Ana", "Luis"),
        piles=(("9♣", "3♦"), ("9♥",)),
        seed=42,
        game=7,
        started=datetime.fromisoformat("2026-05-01T19:30:00+02:00"),
    )


def test_house_rules_stand_whole_in_the_head() -> None:
    text = "rules:\n  extends: krig\n  time_limit: 30m\n---\n"
    assert read_text(text).head.rules.time_limit == "30m"


def test_the_seats_are_in_the_order_of_the_players_whatever_the_order_of_the_deal() -> None:
    head = read_text("rules: krig\nplayers: [Ana, Luis]\ndeal: {Luis: K, Ana: 9}\n---\n").head
    assert head.piles == (("9",), ("K",))


def test_a_simulated_game_is_written_a_line_a_round() -> None:
    rules = rules_of("english")
    game = simulate_from(rules, [["9♣", "3♦", "Q♦"], ["9♥", "K♠", "7♣"]], players=["Ana", "Luis"])
    assert "".join(write(rules, game)) == (
        "war: 1\n"
        "rules: english\n"
        "players: [Ana, Luis]\n"
        "deal: {Ana: 9♣ 3♦ Q♦, Luis: 9♥ K♠ 7♣}\n"
        "---\n"
        "1. 9♣ 9♥ | (3♦) (K♠) | Q♦ 7♣ > Ana\n"
        "result: Ana, collected, 1 round\n"
    )


# Both ways


def events_of(record: Record) -> Iterable[tuple[object, ...]]:
    """The rounds and the result of a record, as what the record says of each."""
    layers: tuple[Layer, ...] = ()
    for entry in record.entries:
        match entry:
            case Flip():
                layers += entry.layers
                if entry.ended:
                    yield entry.round, layers, entry.winner
                    layers = ()
            case Outcome():
                yield entry.winners, entry.reason, entry.rounds


NAMES = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters=',:;|>#"'),
    min_size=1,
    max_size=MAX_LENGTH,
).filter(lambda name: name != "-" and unicodedata.is_normalized("NFC", name))
HARD_NAMES = st.sampled_from(["no", "12", "~", "null", "{a}", "[b]", "O'Hara", "Ana María", "&x"])


@st.composite
def names(draw: st.DrawFn, count: int) -> list[str]:
    some = st.lists(NAMES | HARD_NAMES, min_size=count, max_size=count, unique_by=str.casefold)
    return draw(some)


@settings(max_examples=50)
@given(st.data(), games(rules(round_limits=LIMITED)), st.integers(0, 2**64 - 1))
def test_every_game_is_read_back_as_it_was_written(
    data: st.DataObject, setup: Setup, seed: int
) -> None:
    assume(any(setup.piles))
    players = data.draw(names(setup.rules.players))
    deal, *events = simulate_from(setup.rules, setup.piles, seed, 3, players)
    assert isinstance(deal, Deal)
    text = "".join(write(setup.rules, [deal, *events]))
    record = read_text(text)
    assert record.head == Head(
        rules=setup.rules, players=tuple(players), piles=setup.piles, seed=deal.seed, game=deal.game
    )
    assert list(events_of(record)) == [
        (event.round, event.layers, event.winner)
        if isinstance(event, Round)
        else (event.winners, event.reason, event.rounds)
        for event in events
        if isinstance(event, Round | Result)
    ]
    writer = Writer(players)
    assert head_text(record.head) + "".join(map(writer.text, record.entries)) == text


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(["", "2", "Luis", "12:31"]))))
def test_notes_are_read_back_as_they_were_written_wherever_they_stand(
    written: list[tuple[str, str]],
) -> None:
    flips = (
        Flip(1, (up("9", "9"),), begins=True, ended=False),
        Flip(None, (down("?", "?"), up("K", "9")), begins=False, ended=True, winner=0),
    )
    notes = [Note(word, value) for word, value in written]
    writer = Writer(["Ana", "Luis"])
    entries: list[Entry] = [flips[0], *notes, flips[1], *notes]
    text = "".join(map(writer.text, entries))
    found = [
        Flip(None if not entry.begins else 1, entry.layers, entry.begins, entry.ended, entry.winner)
        if isinstance(entry, Flip)
        else Note(entry.word, entry.value)
        for entry in read_text(HEAD + text).entries
        if isinstance(entry, Flip | Note)
    ]
    assert found == entries


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.9, "0:59"), (751, "12:31"), (3723, "1:02:03")]
)
def test_times_on_the_clock(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text
    assert read_clock(text) == int(seconds)


@pytest.mark.parametrize("text", ["", "12", "12:61", "1:2:3:4", "-1:00", "half past"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no time such as 12:31"):
        read_clock(text)


# With a pencil's brevity


@pytest.mark.parametrize(
    "line",
    [
        "2. K♠ 9♦ > Ana",
        "2) ks 9D > ana",
        "2: K♤,9♢>Ana",
        "  2.   Ks   9d   >   a   # as Ana always does",
        "2.KS 9D>An",
    ],
)
def test_signs_and_spaces_are_free(line: str) -> None:
    assert entries(line) == (Flip(2, (up("K♠", "9♦"),), begins=True, ended=True, winner=0, line=5),)


def test_round_numbers_suits_and_who_took_it_may_be_left_out() -> None:
    assert entries("10 t") == (Flip(None, (up("10", "10"),), begins=True, ended=None, line=5),)


@pytest.mark.parametrize("war", ["(?) (?)", "( ? )( ? )", "(? ?)", "[?][?]", "(3d) (?)"])
def test_cards_that_lie_face_down_are_in_brackets_of_any_kind(war: str) -> None:
    _, second = entries(f"9 9 | {war} | q 7 > Ana")
    assert isinstance(second, Flip)
    assert [layer.face for layer in second.layers] == ["down", "up"]
    assert second.layers[0].cards[1] == "?"


@pytest.mark.parametrize("dash", ["-", "–", "—"])
def test_any_dash_is_nobody(dash: str) -> None:
    (flip,) = entries(f"5 5 | (?) {dash} > {dash}")
    assert isinstance(flip, Flip)
    assert flip.layers[1].cards == ("?", None)
    assert (flip.ended, flip.winner) == (True, None)


@pytest.mark.parametrize(
    ("written", "outcome"),
    [
        ("Ana", Outcome((0,), None, None, 5)),
        ("ana, 12", Outcome((0,), None, 12, 5)),
        ("Luis, Collected", Outcome((1,), "collected", None, 5)),
        ("drawn", Outcome((), None, None, 5)),
        ("nobody, abandoned, 3 rounds", Outcome((), "abandoned", 3, 5)),
    ],
)
def test_a_result_may_be_short(written: str, outcome: Outcome) -> None:
    assert entries(f"Result: {written}") == (outcome,)


def test_the_shortest_head() -> None:
    head = read_text("rules: english\n---\n").head
    assert (head.players, head.piles, head.seed) == (("A", "B"), None, None)


def test_players_may_stand_without_brackets() -> None:
    assert read_text("rules: krig\nplayers: Ana, Luis\n---\n").head.players == ("Ana", "Luis")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_either_line_end_and_none_at_the_end_of_the_file(line_end: str) -> None:
    text = (HEAD + "1. K 9 > Ana").replace("\n", line_end)
    assert len(read_text(text).entries) == 1


# What can't be read


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1. K♠ 1♦ > Ana", "'1♦' is not a card of this pack"),
        ("1. K♠ > Ana", "1 card where there are 2 players"),
        ("1. K♠ 9♦ 3♦ > Ana", "3 cards where there are 2 players"),
        ("1. > Ana", "0 cards where there are 2 players"),
        ("1. K♠ 9♦ > Anna", "'Anna' is no player's name (they are Ana, Luis)"),
        ("1. K♠ 9♦ >", "'' is no player's name"),
        ("1. K♠ 9♦ > Ana > Luis", "'Ana > Luis' is no player's name"),
        ("1. 9 9 | (?) (? | Q 7 > Ana", "a bracket is missing"),
        ("1. 9 9 | (?) ?) | Q 7 > Ana", "a bracket is missing"),
        (
            "1. 9 9 | (?) (?) Q 7 > Ana",
            "some cards lie face down (in brackets) here and some face up",
        ),
        ("1. 9 9 || Q 7 > Ana", "0 cards where"),
        ("1. - - > Ana", "nobody lays a card here"),
        ("1. (9) (9) | Q 7 > Ana", "a round begins with cards turned up"),
        ("| (9) (9) > Ana", "no card is turned up here"),
        ("undp: 2", "undp is no word that a record knows"),
        ("result:", "'' is no player's name"),
        ("result: collected, 12 rounds", "the result names nobody"),
        ("result: Ana, Ana, collected, 12 rounds", "the result names a player twice"),
        ("result: Ana, -, collected, 12 rounds", "the result names a player and nobody"),
        ("result: Ana, colected, 12 rounds", "'colected' is no player's name"),
        ("Luis dropped his pile", "'Luis' is not a card of this pack"),
        ("1000000000000000000000. K 9 > Ana", "is not a card of this pack"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_with_its_place(line: str, problem: str) -> None:
    with pytest.raises(BadRecord) as caught:
        entries("1. K 9", line, "2. K 9")
    (told,) = caught.value.problems
    assert told.startswith("game.war:6:")
    assert problem in told


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("1. k9 > Ana", "put a blank between the cards, such as K 9"),
        ("1. 10sq > Ana", "put a blank between the cards, such as 10♠ Q"),
        ("1 k 9 Ana", "the number of the round, put a dot after it: 1."),
        ("k 9 ana", "write > before who took the cards"),
        ("1. 9 9 | ? ? | Q 7 > Ana", "write (?) (?) for cards that lie face down"),
        ("| ? ? | Q 7 > Ana", "write (?) (?) for cards that lie face down"),
        ("1. 9 9 | (? ? ?) | Q 7 > Ana", "with | between layers, such as (?) (?)"),
        ("1. 9 9 | (???) | Q 7 > Ana", "with | between layers, such as (?) (?)"),
    ],
)
def test_a_pencil_that_does_not_know_the_notation_is_taught_it(line: str, advice: str) -> None:
    with pytest.raises(BadRecord) as caught:
        entries(line)
    assert advice in str(caught.value)


def test_three_cards_face_down_are_three_layers() -> None:
    with pytest.raises(BadRecord) as caught:
        read_text("rules: three-down\n---\n9 9 | (???) (???) | q 7\n")
    assert "such as (?) (?) | (?) (?) | (?) (?)" in str(caught.value)


def test_who_lays_what_nobody_saw_may_leave_out_the_blank() -> None:
    assert entries("9 9 | (??) | q 7") == entries("9 9 | (?) (?) | q 7")


def test_every_line_that_cannot_be_read_is_told_at_once() -> None:
    with pytest.raises(BadRecord) as caught:
        entries("K 9 > Ona", "Q 8 > Ana", "K 99", "undo: 1", "redu: 1")
    assert [told.split(":")[1] for told in caught.value.problems] == ["5", "7", "9"]


def test_the_place_in_the_line_is_marked() -> None:
    with pytest.raises(BadRecord, match=r"(?s)game.war:5:7: .*\n  \|       \^\^"):
        entries("1. K♠ 1♦ > Ana")


def test_a_beginning_that_two_names_share_is_not_guessed_at() -> None:
    head = "rules: krig\nplayers: [Lea, Leo]\n---\n"
    with pytest.raises(BadRecord, match="'Le' can be Lea or Leo"):
        entries("1. K 9 > Le", head=head)


def test_a_name_goes_before_the_beginning_of_another() -> None:
    head = "rules: krig\nplayers: [Leonie, Leo]\n---\n"
    (flip,) = entries("1. 9 K > leo", head=head)
    assert isinstance(flip, Flip)
    assert flip.winner == 1


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("", "no line --- stands between"),
        ("war: 1\nrules: krig\n1. K 9 > Ana\n", "no line --- stands between"),
        ("---\n", "no line --- stands between"),
        ("war: 1\n---\n", "g.war:1:1: the head doesn't say by which rules"),
        ("war: 2\nrules: krig\n---\n", "g.war:1:6: this is no version"),
        ("war: 1\nrules: krieg\n---\n", "did you mean krig?"),
        ("rules: krig\nrules: english\n---\n", "g.war:2:1: rules is given twice"),
        ("rules: krig\nplayer: [A, B]\n---\n", "did you mean players?"),
        ("rules: krig\nplayers: [Ana]\n---\n", "g.war:2:10: 1 name was given"),
        ("rules: krig\nplayers: [Ana, '#1']\n---\n", "holds '#'"),
        ("rules: krig\nplayers: {Ana: Luis}\n---\n", "g.war:2:10: these are no names"),
        ("rules: krig\ndeal: {Ana: 9x, Luis: 8}\n---\n", "g.war:2:13: '9x' is not a card"),
        ("rules: krig\ndeal: 9\n---\n", "g.war:2:7: this is no deal"),
        ("rules: krig\nplayers: [A, B]\ndeal: {A: 9, C: 8}\n---\n", "but the deal is for A, C"),
        ("rules: krig\nseed: -1\n---\n", "g.war:2:7: this is no seed"),
        ("rules: krig\nseed: 18446744073709551616\n---\n", "this is no seed"),
        ("rules: krig\nstarted: yesterday\n---\n", "g.war:2:10: this is no date"),
        ("rules:\n  extends: krig\n  suits: 9\n---\n", "g.war:3:10:"),
        ("rules: [krig\n---\n", "g.war:"),
        ("krig\n---\n", "is made of lines such as rules: krig"),
        ("rules: &a krig\nplayers: [*a, *a]\n---\n", "stands for what is written elsewhere"),
        ("rules: krig\nplayers: [[[[[[[[[[A]]]]]]]]]]\n---\n", "nested more than"),
        ("rules: krig\nplayers: [A, [B]]\n---\n", "g.war:2:10: these are no names"),
        ("rules: krig\x1b[2J\n---\n", "control character"),
        ("war: 1\nrules: krig\n# " + "x" * 300_000 + "\n---\n", "the head is too long"),
    ],
)
def test_a_head_that_cannot_be_read_is_told_with_its_place(head: str, problem: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read(Source("g.war", head))
    assert problem in str(caught.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    for data, problem in [(b"\xff\xfea", "UTF-16"), (b"rules: krig\n\xe9", "not written in UTF-8")]:
        path = tmp_path / "game.war"
        path.write_bytes(data)
        with pytest.raises(BadRecord, match=problem):
            load(path)
    with pytest.raises(BadRecord, match="this is a folder"):
        load(tmp_path)
    with pytest.raises(BadRecord, match="there is no such file"):
        load(tmp_path / "none.war")


# Damage

SMALL = Rules(
    name="small",
    deck_size=10,
    rank_order=("A", "K", "10", "9", "8"),
    suits=2,
    war_face_down=1,
    shortage="first-out-loses",
    capture_order="own-first",
    round_limit=6,
)


def small_record() -> str:
    return "".join(write(SMALL, simulate(SMALL, 1, 0, ["Ana", "Luis"])))


def test_a_record_cut_anywhere_is_a_beginning_of_it_or_unreadable() -> None:
    text = small_record()
    whole = read_text(text)
    body = text.index("---\n") + 4
    for cut in range(len(text)):
        try:
            part = read_text(text[:cut])
        except BadRecord as problem:
            assert problem.problems  # noqa: PT017 (it may, but needn't, be unreadable)
            continue
        assert cut >= body - 1
        assert part.head == whole.head
        whole_entries = part.entries[:-1]
        assert whole_entries == whole.entries[: len(whole_entries)]


def test_a_byte_changed_anywhere_leaves_a_record_or_a_problem_with_its_line() -> None:
    data = small_record().encode()
    for place in range(len(data)):
        for byte in b"\x00\n9|":
            damaged = data[:place] + bytes([byte]) + data[place + 1 :]
            text = damaged.decode("utf-8", "replace")
            try:
                record = read_text(text)
            except BadRecord as problem:
                assert str(problem).startswith("game.war:")  # noqa: PT017
            else:
                assert record.head.players == ("Ana", "Luis")


@given(st.lists(st.text("19KQ♠♥-?|()> \t#:.,anAul", max_size=30), max_size=5))
def test_any_lines_at_all_are_read_or_told(lines: list[str]) -> None:
    try:
        record = read_text(HEAD + "\n".join(lines))
    except BadRecord as problem:
        assert all(told.startswith("game.war:") for told in problem.problems)  # noqa: PT017
    else:
        assert all(5 <= entry.line <= 4 + len(lines) for entry in record.entries)


@given(st.text())
def test_any_text_at_all_is_read_or_told(text: str) -> None:
    with pytest.raises(BadRecord, match=r"\Agame.war:"):
        read_text(text)


def test_a_file_that_is_something_else_is_not_told_line_by_line_for_ever() -> None:
    with pytest.raises(BadRecord) as caught:
        entries(*["It was a dark and stormy night"] * 5000)
    assert len(caught.value.problems) == 51
    assert "the rest is not looked at" in caught.value.problems[-1]
