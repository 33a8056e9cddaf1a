"""Ruling again on records: confirmed when they are right, and every slip found."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import LIMITED, Setup, games, rules

from warcli.cards import SUITS
from warcli.events import Result, Round
from warcli.record import write
from warcli.recordfile import BadRecord, read
from warcli.replay import Replay
from warcli.rules import Rules
from warcli.rulesfile import load as rules_of
from warcli.rulesfile import profiles
from warcli.simulation import simulate, simulate_from
from warcli.yamlfile import Source

HEAD = "rules: krig\nplayers: [Ana, Luis]\n---\n"


def replay(text: str) -> Replay:
    return Replay(read(Source("game.war", text)))


def slips(*lines: str, head: str = HEAD) -> list[tuple[int, str]]:
    """Where the law disagrees with these lines (the first is line 1), and how."""
    first = head.count("\n")
    found = replay(head + "\n".join(lines) + "\n").disagreements
    return [(slip.line - first, slip.message) for slip in found]


def record(rules: Rules, seed: int) -> str:
    return "".join(write(rules, simulate(rules, seed, 0, ["Ana", "Luis", "Mia"][: rules.players])))


# What is right is confirmed


@pytest.mark.parametrize("profile", profiles())
def test_a_simulated_game_is_confirmed_and_its_events_are_the_same(profile: str) -> None:
    rules = rules_of(profile)
    events = list(simulate(rules, 7))
    found = replay("".join(write(rules, events)))
    assert found.disagreements == []
    assert list(found.events()) == events


@settings(max_examples=60, deadline=None)
@given(games(rules(round_limits=LIMITED)), st.integers(0, 2**64 - 1))
def test_any_game_from_any_deal_is_confirmed(setup: Setup, seed: int) -> None:
    assume(any(setup.piles))
    dealt, *events = simulate_from(setup.rules, setup.piles, seed)
    found = replay("".join(write(setup.rules, [dealt, *events])))
    assert found.disagreements == []
    _, *ruled = found.events()
    assert ruled == events


@pytest.mark.parametrize("profile", profiles())
@pytest.mark.parametrize("suits", [True, False], ids=["suits", "by rank alone"])
def test_a_game_is_confirmed_by_what_a_table_sees_of_it(profile: str, suits: bool) -> None:
    rules = rules_of(profile)
    text = min((record(rules, seed) for seed in range(6)), key=len)
    text = re.sub(r"(?m)^(deal|seed): .*\n", "", text)
    text = re.sub(r"\([^)]+\)", "(?)", text)
    if not suits:
        text = text.translate(dict.fromkeys(map(ord, SUITS)))
    found = replay(text)
    assert found.disagreements == []
    assert found.result is not None
    assert f"{found.result.rounds} rounds" in text


def test_an_endless_game_is_confirmed() -> None:
    rules = rules_of("krig")
    events = list(
        simulate_from(rules, [("A♣", "4♦", "J♦", "5♠", "Q♠"), ("7♣", "3♣", "2♠", "9♠", "K♦")])
    )
    assert isinstance(events[-1], Result)
    assert events[-1].reason == "endless"
    found = replay("".join(write(rules, events)))
    assert found.disagreements == []
    assert list(found.events()) == events


@pytest.mark.parametrize("cut", ["", "2. Q 8 > Ana", "2. 9 9 |", "2. 9 9 | (?) (?) | 8 8 |"])
def test_an_unfinished_game_is_right_as_far_as_it_goes(cut: str) -> None:
    found = replay(f"{HEAD}1. K♠ 9♦ > Ana\n{cut}\n")
    assert found.disagreements == []
    assert (found.result, found.recorded_result) == (None, False)


def test_corrections_at_the_table_are_followed() -> None:
    assert (
        slips(
            "1. K 9 > Ana",
            "undo: 1",
            "1. 9 9 |",
            "pause:",
            "resume:",
            "clock: 2:10",
            "| (?) (?) | Q 7 > Ana",
            "# Luis dropped his pile",
            "unordered: Luis",
            "count: 28 24",
            "2. K 9 > Ana",
            "result: -, abandoned, 2 rounds",
            "undo: 1",
            "3. K 9 > Ana",
        )
        == []
    )


def test_a_round_taken_back_into_its_war_is_ruled_on_by_its_own_layers() -> None:
    assert (
        slips(
            "1. 10♥ 10♠ | (?) (?) | Q 7 > Ana",
            "2. K 9 > Ana",
            "undo: 2",
            "| (?) (?) | Q 7 > Ana",
        )
        == []
    )


@pytest.mark.parametrize(
    "lines",
    [
        ["1. K K | (?) (?) |"],
        ["1. K K | (?) (?)"],
        ["1. K♠ K♥ | (3♦) (?) |"],
        ["1. K K |", "| (?) (?) |"],
        ["1. K K | (?) (?) |", "| Q 7 > Ana"],
        ["1. K K |", "| (?) (?)", "| Q 7 > Ana"],
        ["1. K K | (?) (?) |", "pause:", "unordered: Ana", "| Q 7 > Ana"],
        ["1. K K | (?) (?) |", "undo: 1", "1. K 9 > Ana"],
        ["1. K K | (?) (?) |", "undo: 1", "redo: 1", "| (?) (?) | Q 7 > Ana"],
        ["1. K K | (?) (?) |", "result: -, abandoned, 0 rounds"],
    ],
)
def test_a_war_can_be_broken_off_when_its_cards_lie_face_down(lines: list[str]) -> None:
    assert slips(*lines) == []


def test_face_down_cards_with_which_a_record_ends_are_ruled_on() -> None:
    message = "the cards laid face down here are not those that the rules ask for"
    assert slips("1. K K | (?) (?) | (?) (?) |") == [
        (1, f"{message}; by the law: 1. K K | (?) (?) |")
    ]
    assert slips("1. K K | (?) - |") == [(1, f"{message}; by the law: 1. K K | (?) (?) |")]
    assert slips("1. K K | (?) (?) |", "| (?) (?) | Q 7 > Ana") == [
        (2, f"{message}; by the law: | (?) (?) | Q 7 > Ana")
    ]
    ((line, twice),) = slips("1. K♠ K♥ | (3♦) (3♦) |")
    assert (line, "3♦ cannot be Luis's card here" in twice) == (1, True)
    nowhere = "no war is going on that this line could go on with"
    assert slips("| (?) (?) |") == [(1, nowhere)]
    assert slips("1. K 9 > Ana", "| (?) (?) |") == [(2, nowhere)]


THREE_DOWN = "rules: three-down\n---\n"


def test_of_several_layers_face_down_some_can_be_there() -> None:
    assert slips("1. K K | (?) (?) | (?) (?) |", head=THREE_DOWN) == []
    assert slips("1. K K | (?) (?) |", "| (?) (?) |", "| (?) (?) |", head=THREE_DOWN) == []


SHORT = "rules: krig\nplayers: [Ana, Luis]\ndeal: {Ana: 9♣ 3♦ Q♦, Luis: 9♥ K♠}\n---\n"


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("1. 9♣ 9♥ | (3♦) (K♠) > -", True),
        ("1. 9♣ 9♥ | (3♦) (K♠)", True),
        ("1. 9♣ 9♥ | (?) (?)", True),
        ("1. 9♣ 9♥ | (3♦) (Q♦)", False),
        ("1. 9♣ 9♥", False),
        ("1. 9♣ 9♥ | (3♦) (K♠) |", True),
        ("1. 9♣ 9♥ |", False),
    ],
)
def test_what_shortage_had_laid_last_belongs_to_its_round(line: str, right: bool) -> None:
    assert (slips(line, head=SHORT) == []) is right


def test_a_line_torn_in_half_is_right_as_far_as_it_goes() -> None:
    assert replay(f"{SHORT}1. 9♣ 9♥ |").disagreements == []
    assert replay(f"{SHORT}1. 9♣ 9♥ | (3♦) (K♠) |").disagreements == []


# What is wrong is found

GAME = (
    "rules: krig\n"
    "players: [Ana, Luis]\n"
    "deal: {Ana: 9♣ 3♦ Q♦ 8♠ 7♠, Luis: 9♥ K♠ 7♣ 9♠ 5♠}\n"
    "---\n"
    "1. 9♣ 9♥ | (3♦) (K♠) | Q♦ 7♣ > Ana\n"
    "2. 8♠ 9♠ > Luis\n"
    "3. 7♠ 5♠ > Ana\n"
    "4. 9♣ 9♠ | (9♥) (8♠) > -\n"
    "result: Ana, shortage, 4 rounds\n"
)


@pytest.mark.parametrize(
    ("right", "wrong", "line", "message"),
    [
        ("2. 8♠ 9♠ > Luis", "2. 8♠ 9♠ > Ana", 6, "Ana does not take the table; by the law: 2. 8"),
        ("2. 8♠ 9♠ > Luis", "2. 8♠ 9♠ > -", 6, "nobody takes the table in the record; by the"),
        ("2. 8♠ 9♠ > Luis", "2. 8♠ 9♠ |", 6, "the war goes on in the record, but the round is"),
        ("2. 8♠ 9♠ > Luis", "2. A♠ 9♠ > Ana", 6, "A♠ cannot be Ana's card here"),
        ("2. 8♠ 9♠ > Luis", "2. A 9 > Ana", 6, "A cannot be Ana's card here"),
        (
            "2. 8♠ 9♠ > Luis",
            "2. 8♠ - > Luis",
            6,
            "cards of Ana are turned up, but it is for Ana, L",
        ),
        ("2. 8♠ 9♠ > Luis", "4. 8♠ 9♠ > Luis", 6, "this is round 2, not 4"),
        ("2. 8♠ 9♠ > Luis\n", "", 6, "round 2 is missing before this one"),
        ("2. 8♠ 9♠ > Luis", "1. 8♠ 9♠ > Luis", 6, "this is round 2, not 1"),
        ("(3♦) (K♠)", "(K♠) (3♦)", 5, "K♠ cannot be Ana's card here"),
        ("(3♦) (K♠) | Q♦ 7♣", "Q♦ 7♣", 5, "the cards laid face down here are not"),
        (
            "(3♦) (K♠) | Q♦",
            "(3♦) (K♠) | (A♠) (A♣) | Q♦",
            5,
            "the cards laid face down here are not",
        ),
        ("9♣ 9♥ | (3♦) (K♠) | Q♦ 7♣ > Ana", "9♣ 9♥ > Ana", 5, "this is war, and the round is n"),
        ("(3♦) (K♠) | Q♦ 7♣ > Ana", "(3♦) (K♠) | Q♦ 7♣ > Luis", 5, "Luis does not take the table"),
        ("(9♥) (8♠) > -", "(8♠) (9♥) > -", 8, "8♠ is not Ana's face-down card; it is 9♥"),
        ("| (9♥) (8♠) > -", "> -", 8, "the cards laid face down here are not those"),
        (
            "Ana, shortage, 4",
            "Luis, shortage, 4",
            9,
            "this is not how the game ended; by the law: r",
        ),
        ("Ana, shortage, 4", "Ana, collected, 4", 9, "by the law: result: Ana, shortage, 4 rounds"),
        ("Ana, shortage, 4", "Ana, shortage, 5", 9, "this is not how the game ended"),
        (
            "result: Ana",
            "5. 9♣ 9♠ > Ana\nresult: Ana",
            9,
            "this was played after the end of the ga",
        ),
        ("4. 9♣ 9♠ | (9♥) (8♠) > -\n", "", 8, "the game is not over; Ana, Luis must turn up cards"),
    ],
)
def test_one_slip_where_the_deal_is_known_is_one_disagreement(
    right: str, wrong: str, line: int, message: str
) -> None:
    assert right in GAME
    (slip,) = replay(GAME.replace(right, wrong, 1)).disagreements
    assert slip.line == line
    assert message in slip.message


def test_the_game_of_the_slips_is_right() -> None:
    assert replay(GAME).disagreements == []


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from(["english", "pyanitsa", "three-down", "aside"]))
def test_a_slip_in_any_line_is_found_there_and_only_there(
    data: st.DataObject, profile: str
) -> None:
    lines = record(rules_of(profile), data.draw(st.integers(0, 20))).splitlines()
    first = lines.index("---") + 1
    place = data.draw(st.integers(first, len(lines) - 2))
    kind = data.draw(st.sampled_from(["winner", "twice", "missing"]))
    if kind == "winner":
        flipped = {"Ana": "Luis", "Luis": "Ana", "-": "Ana"}
        body, _, winner = lines[place].rpartition(" > ")
        lines[place] = f"{body} > {flipped[winner]}"
    elif kind == "twice":
        lines.insert(place, lines[place])
        place += 1
    else:
        del lines[place]
    assert {slip.line for slip in replay("\n".join(lines)).disagreements} == {place + 1}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["1. K♠ 9♦ > Luis"], [(1, "Luis does not take the table; by the law: 1. K♠ 9♦ > Ana")]),
        (["1. K♠ 9♦ > Ana", "2. K♠ 8♦ > Ana"], [(2, "K♠ lies in Ana's pile, taken in round 1")]),
        (
            ["9 9", "9 9 | 9 2"],
            [(1, "the war of round 1 is not over; Ana, Luis must turn up"), (2, "")],
        ),
        (["1. ? 9 > Ana"], [(1, "nobody can rule on a card that isn't known"), (1, "rest is not")]),
        (["| (?) (?) | Q 7 > Ana"], [(1, "no war is going on that this line could go on with")]),
        (["1. K 9 > Ana", "3. Q 8 > Ana", "4. Q 8"], [(2, "this is round 2, not 3")]),
        (["1. K K |", "2. | (?) (?) | Q 7 > Ana"], [(2, "this is round 1, not 2")]),
        (["undo: 1"], [(1, "There is nothing to take back")]),
        (["clock: soon"], [(1, "'soon' is no time such as 12:31")]),
        (["result: Ana"], [(1, "the game is not over")]),
        (["result: Ana, collected"], [(1, "the game is not over")]),
        (["result: -, time-limit, 0 rounds"], [(1, "these rules have no time limit")]),
        (["result: -, endless, 0 rounds"], [(1, "nobody can tell whether this game would")]),
        (["result: Ana, abandoned"], [(1, "by the law: result: -, abandoned, 0 rounds")]),
        (["count: 60 1"], [(1, "That makes 61 cards")]),
        (["unordered: Mia"], [(1, "Whose pile?")]),
    ],
)
def test_at_a_table_it_is_ruled_by_what_is_shown(
    lines: list[str], found: list[tuple[int, str]]
) -> None:
    told = slips(*lines)
    assert [line for line, _ in told] == [line for line, _ in found]
    for (_, message), (_, expected) in zip(told, found, strict=True):
        assert expected in message


def test_a_seed_that_does_not_deal_these_cards_is_found() -> None:
    text = record(rules_of("english"), 7).replace("seed: 7", "seed: 8")
    (slip,) = replay(text).disagreements
    assert text.split("\n")[slip.line - 1] == "seed: 8"


def test_a_seed_without_a_deal_deals_the_cards() -> None:
    head = "rules: english\nseed: 42\n---\n"
    assert slips("1. 3 4 > B", head=head) == []
    ((line, message),) = slips("1. A 2 > A", head=head)
    assert (line, "A cannot be A's card here. The next card here must be 3♣" in message) == (
        1,
        True,
    )
    for profile in ("english", "shuffled-captures"):
        text = record(rules_of(profile), 7)
        whole, seed = replay(text), replay(re.sub(r"(?m)^deal: .*\n", "", text))
        assert seed.disagreements == []
        assert list(seed.events()) == list(whole.events())


@pytest.mark.parametrize("last", ["undo: 1", "result: -, abandoned, 1 round"])
def test_a_result_that_was_taken_back_is_none(last: str) -> None:
    found = replay(f"{HEAD}1. K 9 > Ana\nresult: -, abandoned\nundo: 1\nredo: 1\n{last}\n")
    assert found.disagreements == []
    assert found.recorded_result is (found.result is not None) is (last != "undo: 1")


def test_a_time_limit_ends_the_game_after_a_round() -> None:
    head = "rules: {extends: krig, time_limit: 30m}\n---\n"
    assert slips("9 9 |", "result: -, time-limit, 1 round", head=head) == [
        (2, "a time limit waits for the end of the round")
    ]
    assert slips("K 9", "result: drawn, time-limit, 1 round", head=head) == []


def test_after_a_card_that_cannot_be_there_the_rest_is_still_ruled_on() -> None:
    assert [
        line for line, _ in slips("K♠ 9♦ > Ana", "K♠ 8♦ > Ana", "Q♠ 7♦ > Luis", "J♠ 6♦ > Ana")
    ] == [2, 3]


WRITTEN = st.sampled_from(
    [
        *(
            "1. K 9 > Ana",
            "K♠ 9♦",
            "9 9 |",
            "| (?) (?) | Q 7 > Luis",
            "| (3♦) - | K -",
            "9♣ 9♥ > -",
        ),
        *("? 9 > Ana", "- 9 > Luis", "K♠ K♠ > Ana", "7. 5 4 > Ana", "9 9 | (9) (9) | 9 9 > Ana"),
        *("undo: 1", "undo: 3", "redo: 1", "accept: Ana", "pause:", "resume:", "clock: 1:00"),
        *("unordered: Luis", "count: 40 12", "count: 1 1", "count: x", "unordered:", "undo: -1"),
        *("result: Ana, collected, 3 rounds", "result: -, abandoned", "result: Ana", "clock: x"),
        *("result: -, time-limit, 1 round", "result: -, endless, 2 rounds", "5 5 | (?) - > -"),
    ]
)


@settings(deadline=None)
@given(st.lists(WRITTEN, max_size=12), st.booleans())
def test_whatever_a_record_says_it_is_ruled_on(lines: list[str], dealt: bool) -> None:
    head = "rules: krig\nplayers: [Ana, Luis]\n"
    deal = "deal: {Ana: K♠ 9♣ 3♦ Q♦ 5♠ 9♦, Luis: 9♥ 9♠ K♦ 7♣ 5♥ 4♠}\n" if dealt else ""
    found = replay(head + deal + "---\n" + "\n".join(lines))
    assert all(slip.line > 2 and slip.message for slip in found.disagreements)
    *_, last = found.events()
    assert found.result is None or last == found.result


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


def by_rank(rounds: list[Round]) -> list[object]:
    """The rounds without suits, which damage can take away."""
    return [
        (
            [[card and card.rstrip(SUITS) for card in layer.cards] for layer in round_.layers],
            round_.winner,
            round_.sizes,
        )
        for round_ in rounds
    ]


def test_a_record_damaged_anywhere_is_never_taken_for_another_game() -> None:
    data = record(SMALL, 1).encode()
    right = replay(data.decode())
    rounds = by_rank(right.rounds)
    assert len(rounds) == 5
    for place in range(len(data)):
        for damage in (b"", b"9", b"#", b"\n", b"|", b"-", bytes([data[place] ^ 1])):
            text = (data[:place] + damage + data[place + 1 :]).decode("utf-8", "replace")
            try:
                found = replay(text)
            except BadRecord:
                continue
            if not found.disagreements:
                assert by_rank(found.rounds) == rounds[: len(found.rounds)]
                assert found.result in (None, right.result)
                assert found.result == right.result or not found.recorded_result
