"""The model: what contradicts itself, and what is valid but may surprise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from strategies import rules as some_rules

from warcli.rules import BadRules, Remark, Rules, contradictions, surprises


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


def surprises_of(*stated: str, **keys: object) -> list[tuple[str, str]]:
    """The key, and what is said, of each surprise in the plain rules changed like this."""
    return [(each.key, each.message) for each in surprises(Rules(**PLAIN | keys), stated)]


# Contradictions


def test_plain_rules_are_neither_wrong_nor_surprising() -> None:
    assert surprises_of() == []


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
    assert [(each.key, each.entry) for each in contradictions_of(**keys)] == at_fault


@pytest.mark.parametrize(
    "rank", ["K♠", "?", "a>b", "(K)", "K|", "#1", "x,y", "*", "-", "\x07", "joker"]
)
def test_a_rank_is_a_label_that_a_player_can_type_and_a_record_can_hold(rank: str) -> None:
    [problem, *_] = contradictions_of(rank_order=(*PLAIN["rank_order"], rank), deck_size=56)
    assert (problem.key, problem.entry) == ("rank_order", 13)
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
    assert size.key == "deck_size"


@pytest.mark.parametrize(
    ("time_limit", "seconds"),
    [("none", None), ("90s", 90), ("30m", 1800), ("1h30m", 5400), ("2h5s", 7205)],
)
def test_a_duration_is_so_many_seconds(time_limit: str, seconds: int | None) -> None:
    assert Rules(**PLAIN | {"time_limit": time_limit}).seconds == seconds


# Surprises


ENDLESS = "a game by these rules can run for ever"
POINTLESS = "there is no limit, so limit_result never applies"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"round_limit": "none"}, [("round_limit", ENDLESS)]),
        ({"round_limit": "none", "repetition": "draw"}, []),
        ({"round_limit": "none", "time_limit": "30m"}, []),
        ({"round_limit": "none", "capture_order": "shuffled"}, []),
        ({"round_limit": "none", "won_cards": "aside-shuffled"}, []),
        (
            {"round_limit": "none", "limit_result": "most-cards"},
            [("round_limit", ENDLESS), ("limit_result", POINTLESS)],
        ),
        ({"limit_result": "most-cards"}, []),
    ],
)
def test_a_game_that_can_run_for_ever_is_told(
    keys: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    assert surprises_of(**keys) == expected


def test_what_would_end_an_endless_game_is_told() -> None:
    [endless] = surprises(Rules(**PLAIN | {"round_limit": "none"}))
    for key in ("repetition: draw", "round_limit: ", "time_limit: "):
        assert key in endless.advice


def test_a_limit_result_is_told_where_it_is_stated_even_as_the_default() -> None:
    assert surprises_of(round_limit="none", repetition="draw") == []
    stated = surprises_of("limit_result", round_limit="none", repetition="draw")
    assert stated == [("limit_result", POINTLESS)]


@pytest.mark.parametrize(
    "shuffled", [{"capture_order": "shuffled"}, {"won_cards": "aside-shuffled"}]
)
def test_a_repetition_that_can_never_apply_is_told(shuffled: dict[str, str]) -> None:
    [(key, message)] = surprises_of(repetition="draw", **shuffled)
    assert key == "repetition"
    assert "shuffled" in message


@pytest.mark.parametrize(
    ("exceptions", "circles"),
    [
        (("6 beats A",), ["6 beats A beats K beats 6"]),
        (("2 beats K",), ["2 beats K beats Q beats 2"]),
        (("K beats A",), []),  # neighbours: they change places, and that is all
        (("K beats A", "Q beats K"), ["Q beats K beats A beats Q", "K beats A beats Q beats K"]),
        (("2 beats A", "6 beats A"), ["2 beats A beats K beats 2", "6 beats A beats K beats 6"]),
    ],
)
def test_a_circle_is_named(exceptions: tuple[str, ...], circles: list[str]) -> None:
    said = [message for _, message in surprises_of(rank_exceptions=exceptions)]
    assert sorted(said) == sorted(f"this makes a circle: {circle}" for circle in circles)


def test_an_exception_that_changes_nothing_is_told() -> None:
    assert surprises_of(rank_exceptions=("A beats 6",)) == [
        ("rank_exceptions", "A beats 6 by rank_order already")
    ]


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (3, "1 card of 52 doesn't divide among 3 players and lies aside for the whole game"),
        (5, "2 cards of 52 don't divide among 5 players and lie aside for the whole game"),
    ],
)
def test_cards_that_will_lie_aside_are_counted(players: int, said: str) -> None:
    assert surprises_of(players=players) == [("players", said)]
    assert surprises_of(players=players, leftover="dealt") == []
    assert surprises_of(players=4) == []


def test_a_rank_order_that_was_written_upside_down_is_told() -> None:
    [(key, message)] = surprises_of(rank_order=PLAIN["rank_order"][::-1])
    assert key == "rank_order"
    assert "2 beats A" in message


def test_a_war_for_which_there_are_never_cards_enough_is_told() -> None:
    assert surprises_of(war_face_down=24, shortage="short-loses") == []
    [(key, message)] = surprises_of(war_face_down=25, shortage="short-loses")
    assert key == "war_face_down"
    assert "54 cards" in message
    assert surprises_of(war_face_down=25, shortage="fewer-down") == []


def test_who_joins_in_a_war_is_no_question_for_two() -> None:
    assert [key for key, _ in surprises_of(war_between="everyone")] == ["war_between"]
    assert surprises_of(war_between="everyone", players=4) == []


@given(some_rules())
def test_surprises_name_keys_and_entries_that_there_are(some: Rules) -> None:
    for surprise in surprises(some):
        value = getattr(some, surprise.key)
        assert surprise.entry is None or surprise.entry < len(value)
        assert surprise.message.isprintable()
