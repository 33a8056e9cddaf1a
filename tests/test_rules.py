"""The model: rules that contradict themselves, and what comes of the keys."""

from __future__ import annotations

from typing import Any

import pytest

from warcli.contradictions import Remark, contradictions
from warcli.rules import BadRules, Rules


def ranks(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PLAIN: dict[str, Any] = {
    "deck_size": 52,
    "rank_order": ranks("A K Q J 10 9 8 7 6 5 4 3 2"),
    "war_face_down": 1,
    "shortage": "first-out-loses",
    "capture_order": "own-first",
    "round_limit": 1000,
}
"""Rules with nothing wrong and nothing surprising."""


def contradictions_of(**keys: object) -> list[Remark]:
    with pytest.raises(BadRules) as error:
        Rules(**PLAIN | keys)
    return error.value.contradictions


def test_plain_rules_contradict_nothing() -> None:
    assert Rules(**PLAIN).deck_size == 52


@pytest.mark.parametrize(
    ("keys", "at_fault"),
    [
        ({"deck_size": 51}, [("deck_size", None)]),
        ({"packs": 2}, [("deck_size", None)]),
        ({"suits": 3}, [("deck_size", None)]),
        ({"rank_order": (*PLAIN["rank_order"], "K")}, [("rank_order", 13)]),
        ({"rank_order": (*PLAIN["rank_order"], "k"), "deck_size": 56}, [("rank_order", 13)]),
        ({"jokers": 2, "deck_size": 54}, [("jokers", None)]),
        ({"rank_order": ("Joker", *PLAIN["rank_order"])}, [("rank_order", 0)]),
        (
            {"rank_order": ranks("A K"), "suits": 1, "deck_size": 2, "players": 3},
            [("players", None)],
        ),
        ({"rank_exceptions": ("6 beats X",)}, [("rank_exceptions", 0)]),
        ({"rank_exceptions": ("6 beats A", "7 beats 7")}, [("rank_exceptions", 1)]),
        ({"rank_exceptions": ("6 beats A", "A beats 6")}, [("rank_exceptions", 1)]),
        ({"time_limit": "0h0m"}, [("time_limit", None)]),
        ({"name": "a\x1b[1mb"}, [("name", None)]),
        ({"name": "a\u202eb"}, [("name", None)]),
        ({"description": "fine\n\x07"}, [("description", None)]),
        (
            {"deck_size": 1, "rank_exceptions": ("6 beats X",), "time_limit": "0s"},
            [
                ("deck_size", None),
                ("players", None),
                ("time_limit", None),
                ("rank_exceptions", 0),
            ],
        ),
    ],
)
def test_every_contradiction_names_the_key_and_the_entry_at_fault(
    keys: dict[str, object], at_fault: list[tuple[str, int | None]]
) -> None:
    assert [(each.keys[0], each.entry) for each in contradictions_of(**keys)] == at_fault


@pytest.mark.parametrize(
    "rank", ["K♠", "?", "a>b", "(K)", "K|", "#1", "x,y", "*", "-", "@", "'A'", "\x07", "joker"]
)
def test_a_rank_is_a_label_that_a_player_can_type_and_a_record_can_hold(rank: str) -> None:
    [problem, *_] = contradictions_of(rank_order=(*PLAIN["rank_order"], rank), deck_size=56)
    assert (problem.keys[0], problem.entry) == ("rank_order", 13)
    assert problem.message.isprintable()


@pytest.mark.parametrize("rank", ["Cavalier", "26", "1.50", "Bühne", "国王", "T", "½"])
def test_a_rank_may_be_any_short_label(rank: str) -> None:
    house = Rules(**PLAIN | {"rank_order": (*PLAIN["rank_order"], rank), "deck_size": 56})
    assert house.pack.copies[rank] == 4


@pytest.mark.parametrize(
    ("missing", "size", "named"),
    [("7", 52, "7"), ("A", 52, "A"), ("2", 52, "2"), ("K 5", 52, "K 5")],
)
def test_a_forgotten_rank_is_named(missing: str, size: int, named: str) -> None:
    left = tuple(rank for rank in PLAIN["rank_order"] if rank not in ranks(missing))
    [problem] = contradictions_of(rank_order=left, deck_size=size)
    assert problem.advice.startswith(f"{named} ")
    assert "missing from rank_order" in problem.advice


def test_of_some_keys_only_what_they_decide_is_judged() -> None:
    assert list(contradictions({"deck_size": 52})) == []
    assert list(contradictions({"deck_size": 52, "rank_order": ranks("A K")})) == []
    [size] = contradictions(
        {"deck_size": 52, "rank_order": ranks("A K"), "suits": 4, "packs": 1, "jokers": 0}
    )
    assert size.keys[0] == "deck_size"


@pytest.mark.parametrize(
    ("time_limit", "seconds"),
    [("none", None), ("90s", 90), ("30m", 1800), ("1h30m", 5400), ("2h5s", 7205)],
)
def test_a_duration_is_so_many_seconds(time_limit: str, seconds: int | None) -> None:
    assert Rules(**PLAIN | {"time_limit": time_limit}).seconds == seconds
