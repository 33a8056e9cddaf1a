"""Games as text. The files in `transcripts/` are whole games with what is to be read aloud."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from console import run
from hypothesis import given
from hypothesis import strategies as st
from strategies import LIMITED, Setup, by_the_cards, crowded, games, rules

from warcli.events import Deal, Event, Result, Round
from warcli.rules import Rules
from warcli.rulesfile import load
from warcli.simulation import Simulation, simulate, simulate_from
from warcli.transcript import Look, Transcript, text

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.yaml"))


def with_changes(profile: str, changes: dict[str, Any]) -> Rules:
    return msgspec.convert({**msgspec.to_builtins(load(profile)), **changes}, Rules)


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_game_reads_as_written_in_the_file(file: Path) -> None:
    case = yaml.safe_load(file.read_text(encoding="utf-8"))
    rules = with_changes(case["profile"], case.get("changes", {}))
    piles = [str(pile).split() for pile in case["deal"].values()]
    seed = case.get("seed")
    simulation = simulate_from(rules, piles, seed, players=tuple(case["deal"]))
    transcript = Transcript(rules)
    read = ""
    for event in simulation:
        read += transcript.tell(event)
        if case.get("piles") and isinstance(event, Round):
            read += transcript.piles(simulation.game)
    assert read == case["transcript"]


def game_of_three() -> tuple[Rules, list[Event]]:
    rules = load("three-players")
    return rules, list(simulate(rules, 7, players=("Ana", "Luis", "Mia")))


def head_of(simulation: Simulation) -> str:
    transcript = Transcript(simulation.rules, supplied=simulation.supplied)
    return transcript.tell(next(simulation))


def test_the_head_says_which_seed_and_game_it_was() -> None:
    rules = load("english")
    assert head_of(simulate(rules, 42)).startswith("War by the rules english, seed 42.\n")
    assert head_of(simulate(rules, 42, 3)).startswith("War by the rules english, seed 42, game 3.")


def test_the_head_says_when_the_deal_is_not_the_seeds_own() -> None:
    rules = load("shuffled-captures")
    own = simulate_from(rules, simulate(rules, 5).deal.piles, 5)
    other = simulate_from(rules, simulate(rules, 6).deal.piles, 5)
    assert "seed 5." in head_of(own)
    assert "from a given deal, shuffling by seed 5." in head_of(other)


def test_the_head_names_the_cards_that_lie_aside() -> None:
    rules, events = game_of_three()
    assert isinstance(events[0], Deal)
    assert events[0].leftover
    (line,) = [line for line in "".join(text(events, rules)).splitlines() if "Set aside" in line]
    assert line == f"Set aside for the whole game: {events[0].leftover[0]}."


def test_in_ascii_only_the_signs_differ() -> None:
    rules, events = game_of_three()
    plain = "".join(text(events, rules))
    in_ascii = "".join(text(events, rules, Look(ascii=True)))
    assert in_ascii.isascii()
    letters = str.maketrans("♣♦♥♠", "cdhs")
    assert in_ascii.split() == plain.replace("▒▒", "##").translate(letters).split()


def test_colour_marks_red_cards_and_says_nothing_of_its_own() -> None:
    rules, events = game_of_three()
    plain = "".join(text(events, rules))
    coloured = "".join(text(events, rules, Look(colour=True)))
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain
    red = re.findall("\x1b\\[31m(.*?)\x1b\\[0m", coloured)
    assert red
    assert all(re.fullmatch("(10|[2-9AKQJ])[♦♥]", card) for card in red)
    assert len(red) == len(re.findall("[♦♥]", plain))


@pytest.mark.parametrize("width", [80, 40])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    rules, events = game_of_three()
    narrow = "".join(text(events, rules, Look(width=width)))
    assert max(map(len, narrow.splitlines())) <= width
    assert narrow.split() == "".join(text(events, rules)).split()


TOTALS = (30, 22)


@pytest.mark.parametrize(
    ("changes", "result", "sentence"),
    [
        (
            {"time_limit": "30m"},
            Result("time-limit", (), 213, TOTALS),
            "Drawn: the time is up after 213 rounds.",
        ),
        (
            {"time_limit": "30m", "limit_result": "most-cards"},
            Result("time-limit", (0,), 213, TOTALS),
            "Ana wins with the most cards, 30: the time is up after 213 rounds.",
        ),
        (
            {"round_limit": 213},
            Result("round-limit", (), 213, TOTALS),
            "Drawn: the limit of 213 rounds is reached.",
        ),
        (
            {"round_limit": 213, "limit_result": "most-cards", "goal": "shed"},
            Result("round-limit", (1,), 213, TOTALS),
            "Luis wins with the fewest cards, 22: the limit of 213 rounds is reached.",
        ),
        (
            {"round_limit": 1, "limit_result": "most-cards", "goal": "shed"},
            Result("round-limit", (), 1, (26, 26)),
            "Drawn: the limit of 1 round is reached, and nobody alone has the fewest cards.",
        ),
        (
            {},
            Result("abandoned", (), 12, TOTALS),
            "The game was given up after 12 rounds; nobody wins.",
        ),
        (
            {"round_limit": 1_000_000},
            Result("round-limit", (), 1_000_000, TOTALS),
            "Drawn: the limit of 1,000,000 rounds is reached.",
        ),
        (
            {"goal": "shed"},
            Result("shortage", (0,), 12, (0, 52)),
            "Only Luis has enough cards to go on and so loses: Ana wins after 12 rounds.",
        ),
    ],
)
def test_the_result_is_one_sentence_with_its_reason(
    changes: dict[str, Any], result: Result, sentence: str
) -> None:
    rules = with_changes("english", changes)
    deal = Deal("english", 42, 0, ("Ana", "Luis"), simulate(rules, 42).deal.piles)
    transcript = Transcript(rules)
    transcript.tell(deal)
    assert " ".join(transcript.tell(result).split()) == sentence


def test_a_card_that_nobody_saw_is_shown_as_a_back() -> None:
    rules = load("english")
    begin, played, _ = simulate_from(rules, [["9", "3", "Q"], ["9", "K", "7"]])
    assert isinstance(played, Round)
    unseen = msgspec.structs.replace(played, captured=("9", "9", "?", "?", "Q", "7"))
    assert "takes 6 cards, 9 9 ▒▒ ▒▒ Q 7." in "".join(text([begin, unseen], rules))


def test_a_name_cannot_hide_or_move_what_is_read() -> None:
    rules = load("english")
    simulation = simulate_from(rules, [["9"], ["8"]], players=("A\x1b[2Jna", "L\nuis"))
    read = "".join(text(simulation, rules))
    assert "\x1b" not in read
    assert "A\\x1b[2Jna has collected both cards" in read


@pytest.mark.parametrize("name", ["iPhone", "ßen", "o'Hara", "éva"])
@pytest.mark.parametrize("profile", ["krig", "guerra", "three-players"])
def test_a_name_stays_as_it_was_typed(name: str, profile: str) -> None:
    rules = load(profile)
    for piles in ([["9"], ["8"]], [["9", "3"], ["9", "K", "7"]], [["9", "3", "Q"], ["9"]]):
        three = [*piles, ["2", "3"]][: rules.players]
        simulation = simulate_from(rules, three, players=(name, "other", "third")[: len(three)])
        read = "".join(text(simulation, rules))
        assert name in read
        assert name[:1].upper() + name[1:] not in read


def test_piles_that_were_counted_again_change_who_is_short(tmp_path: Path) -> None:
    (tmp_path / "counted.war").write_text(
        "rules: last-card\nplayers: [Ana, Luis]\n---\n1. K 9 > Ana\ncount: 51 1\n"
        "2. 5 5 | (?) - | 9 - > Ana\n",
        encoding="utf-8",
    )
    read, status = run("war replay counted.war --format text --quiet", tmp_path)
    assert "  Luis has no card left, so 5 counts again.\n  Nine beats five" in read
    assert status == 0


def test_a_rank_of_an_unknown_name_stays_as_it_was_written() -> None:
    rules = with_changes(
        "english", {"rank_order": ("emperor", "ii"), "deck_size": 8, "war_face_down": 0}
    )
    read = "".join(text(simulate_from(rules, [["emperor♣"], ["ii♣"]]), rules))
    assert "emperor beats ii: A takes 2 cards" in read


@given(st.one_of(games(rules(round_limits=LIMITED)), crowded()), st.data())
def test_every_game_is_told_to_its_end(setup: Setup, data: st.DataObject) -> None:
    rules, piles = setup
    look = data.draw(st.builds(Look, st.booleans(), st.booleans(), st.integers(20, 100)))
    simulation = Simulation(
        rules, Deal(rules.name, None, 0, tuple("ABCDEFGH"[: rules.players]), piles), by_the_cards
    )
    events = list(simulation)
    told = "".join(text(events, rules, look))
    assert simulation.game.result is not None
    assert told.count("\nRound ") == simulation.game.rounds
    taken_up = [event.taken_up or () for event in events if isinstance(event, Round)]
    assert " ".join(told.split()).count("'s pile is gone: ") == sum(map(len, taken_up))
    assert told.endswith(".\n")
    assert "{" not in told
