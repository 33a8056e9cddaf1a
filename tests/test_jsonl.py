"""Events as JSON Lines: the published shape, and both ways without loss."""

from __future__ import annotations

import json
from itertools import islice

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import LIMITED, Setup, by_the_cards, games, rules

from warcli.events import Deal, Event, Layer, Result, Round
from warcli.jsonl import BadLine, jsonl, read_jsonl
from warcli.rulesfile import load
from warcli.simulation import Simulation, simulate, simulate_from


def objects(events: list[Event]) -> list[dict[str, object]]:
    lines = list(jsonl(events))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    return [json.loads(line) for line in lines]


def test_the_worked_example_has_the_published_shape() -> None:
    rules = load("english")
    events = list(
        simulate_from(rules, [["9♣", "3♦", "Q♦"], ["9♥", "K♠", "7♣"]], players=("Ana", "Luis"))
    )
    deal, played, result = objects(events)
    assert deal == {
        "event": "deal",
        "rules": "english",
        "seed": None,
        "game": 0,
        "players": ["Ana", "Luis"],
        "piles": [["9♣", "3♦", "Q♦"], ["9♥", "K♠", "7♣"]],
    }
    assert played == {
        "event": "round",
        "round": 1,
        "layers": [
            {"face": "up", "cards": ["9♣", "9♥"]},
            {"face": "down", "cards": ["3♦", "K♠"]},
            {"face": "up", "cards": ["Q♦", "7♣"]},
        ],
        "out": [],
        "winner": 0,
        "captured": ["9♣", "9♥", "3♦", "K♠", "Q♦", "7♣"],
        "sizes": [6, 0],
    }
    assert result == {
        "event": "result",
        "reason": "collected",
        "winners": [0],
        "rounds": 1,
        "sizes": [6, 0],
    }


def test_fields_come_in_the_published_order() -> None:
    events = list(simulate(load("english"), 42))
    deal, played, *_, result = objects(events)
    assert list(deal) == ["event", "rules", "seed", "game", "players", "piles"]
    assert list(played) == ["event", "round", "layers", "out", "winner", "captured", "sizes"]
    assert list(result) == ["event", "reason", "winners", "rounds", "sizes"]


def test_a_seat_that_laid_nothing_and_a_carried_table_are_null() -> None:
    rules = msgspec.structs.replace(load("english"), players=4)
    piles = [["9♣", "3♦"], ["9♥", "K♠"], ["2♣", "4♣"], ["8♠", "7♠"]]
    _, played, *_ = objects(list(simulate_from(rules, piles)))
    assert played["winner"] is None
    assert played["captured"] == []
    assert played["out"] == [0, 1]
    assert played["layers"] == [
        {"face": "up", "cards": ["9♣", "9♥", "2♣", "8♠"]},
        {"face": "down", "cards": ["3♦", "K♠", None, None]},
    ]


def test_first_seen_is_there_for_a_repetition_and_nowhere_else() -> None:
    repeated = list(simulate_from(load("english"), [["A♣"], ["K♥", "K♠", "A♦", "Q♣"]]))
    result = objects(repeated)[-1]
    assert (result["reason"], result["first_seen"], result["winners"]) == ("repetition", 2, [])
    assert "first_seen" not in objects(list(simulate(load("english"), 42)))[-1]


@given(games(rules(round_limits=LIMITED)))
def test_what_is_written_reads_back_the_same(setup: Setup) -> None:
    rules, piles = setup
    begin = Deal(rules.name, 2**64 - 1, 0, tuple("ABCDEFGH"[: rules.players]), piles)
    events = list(Simulation(rules, begin, by_the_cards))
    written = "".join(jsonl(events))
    assert list(read_jsonl(written.splitlines(keepends=True))) == events
    assert list(read_jsonl(written.encode().split(b"\n"))) == events


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_name_reads_back(name: str) -> None:
    deal = Deal("english", 1, 0, (name, "B"), (("9♣",), ("9♥",)), leftover=("2♣",))
    assert list(read_jsonl(jsonl([deal]))) == [deal]


def test_fields_that_we_do_not_know_are_passed_over() -> None:
    line = (
        '{"event": "round", "round": 1, "layers": [{"face": "up", "cards": ["K", "9"], "x": 1}],'
        ' "out": [], "winner": 0, "captured": ["K", "9"], "sizes": [2, 0], "mood": "good"}'
    )
    assert list(read_jsonl([line])) == [
        Round(1, (Layer("up", ("K", "9")),), (), 0, ("K", "9"), (2, 0))
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        '{"event": "party"}',
        '{"event": "result", "reason": "collected"}',
        '{"event": "result", "reason": "boredom", "winners": [], "rounds": 1, "sizes": [1]}',
        b"\xff",
    ],
)
def test_a_line_that_is_no_event_is_named_by_its_number(line: str | bytes) -> None:
    good = list(jsonl([Result("abandoned", (), 0, (1, 1))]))
    events = read_jsonl([*good, "\n", line])
    assert list(islice(events, 1)) == [Result("abandoned", (), 0, (1, 1))]
    with pytest.raises(BadLine, match=r"^line 3: "):
        next(events)
