"""Rules that are valid, but may surprise whoever wrote them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from strategies import USUAL_RANKS
from strategies import rules as some_rules

from warcli.events import Round
from warcli.rules import Rules
from warcli.simulation import simulate
from warcli.surprises import surprises

PLAIN: dict[str, Any] = {
    "deck_size": 52,
    "rank_order": USUAL_RANKS,
    "war_face_down": 1,
    "shortage": "first-out-loses",
    "capture_order": "own-first",
    "round_limit": 1000,
}
"""Rules with nothing surprising."""


def surprises_of(*stated: str, **keys: object) -> list[tuple[str, str]]:
    """The key, and what is said, of each surprise in the plain rules changed like this."""
    return [(each.keys[0], each.message) for each in surprises(Rules(**PLAIN | keys), stated)]


def test_plain_rules_surprise_nobody() -> None:
    assert surprises_of() == []


ENDLESS = "a game by these rules can run for ever"
POINTLESS = "there is no limit, so limit_result never applies"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"round_limit": "none"}, [("repetition", ENDLESS)]),
        ({"round_limit": "none", "repetition": "draw"}, []),
        ({"round_limit": "none", "time_limit": "30m"}, []),
        ({"round_limit": "none", "capture_order": "shuffled"}, []),
        ({"round_limit": "none", "won_cards": "aside-shuffled"}, []),
        (
            {"round_limit": "none", "limit_result": "most-cards"},
            [("repetition", ENDLESS), ("limit_result", POINTLESS)],
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
    assert surprises_of(players=players) == [("leftover", said)]
    assert surprises_of(players=players, leftover="dealt") == []
    assert surprises_of(players=4) == []


def test_a_rank_order_that_was_written_upside_down_is_told() -> None:
    [(key, message)] = surprises_of(rank_order=PLAIN["rank_order"][::-1])
    assert key == "rank_order"
    assert "2 beats A" in message


def test_a_rank_that_looks_like_a_card_is_told() -> None:
    said = surprises_of(rank_order=(*USUAL_RANKS, "As"), deck_size=56)
    assert said == [("rank_order", "As typed by a player can be read as As or A♠")]
    assert surprises_of(rank_order=("As", *USUAL_RANKS[1:])) == []


def test_a_war_for_which_there_are_never_cards_enough_is_told() -> None:
    assert surprises_of(war_face_down=24, shortage="short-loses") == []
    [(key, message)] = surprises_of(war_face_down=25, shortage="short-loses")
    assert key == "war_face_down"
    assert "54 cards" in message
    assert surprises_of(war_face_down=25, shortage="fewer-down") == []


def test_of_cards_that_cannot_tie_nothing_is_said_about_wars() -> None:
    no_ties = {"rank_order": ("A", "K"), "suits": 1, "war_face_down": 0}
    assert surprises_of(**no_ties, deck_size=2) == []


def test_every_surprise_of_the_seats_and_the_pack_says_what_to_do() -> None:
    for keys in ({"war_face_down": 25}, {"war_between": "everyone"}, {"players": 3}):
        assert all(each.advice for each in surprises(Rules(**PLAIN | keys)))


def test_who_joins_in_a_war_is_no_question_for_two() -> None:
    assert [key for key, _ in surprises_of(war_between="everyone")] == ["war_between"]
    assert surprises_of(war_between="everyone", players=4) == []


@given(some_rules())
def test_surprises_name_keys_and_entries_that_there_are(some: Rules) -> None:
    for surprise in surprises(some):
        value = getattr(some, surprise.keys[0])
        assert surprise.entry is None or surprise.entry < len(value)
        assert surprise.message.isprintable()


def test_won_cards_aside_in_the_order_taken_are_told_to_change_nothing() -> None:
    [(key, message)] = surprises_of(won_cards="aside")
    assert key == "won_cards"
    assert "changes nothing" in message
    for game in range(20):
        under, aside = (
            [
                event.captured
                for event in simulate(Rules(**PLAIN | {"won_cards": won}), seed=1, game=game)
                if isinstance(event, Round)
            ]
            for won in ("under", "aside")
        )
        assert under == aside
