"""Looking ahead agrees with what then happens."""

from __future__ import annotations

import pytest
from msgspec import structs

from warcli import rulesfile
from warcli.events import Result, Round
from warcli.referee.odds import estimate, foretell
from warcli.referee.rulings import Voice
from warcli.referee.table import Table
from warcli.rules import Rules
from warcli.simulation import default_players, simulate

ENGLISH = rulesfile.load("english")
EIGHT = structs.replace(
    ENGLISH, deck_size=8, rank_order=("A", "K", "Q", "J"), suits=2, round_limit=200
)


def typed(rules: Rules, seed: int, rounds: int) -> tuple[Table, Result]:
    """A table at which the first rounds of a simulated game were typed, and how that ended."""
    table = Table(rules, default_players(rules))
    for event in simulate(rules, seed):
        if isinstance(event, Round) and event.round <= rounds:
            for layer in event.layers:
                if layer.face == "up":
                    table.enter(" ".join(card for card in layer.cards if card is not None))
        elif isinstance(event, Result):
            result = event
    return table, result


@pytest.mark.parametrize("seed", range(6))
def test_what_is_foretold_comes_true(seed: int) -> None:
    rounds = 0
    foretold = None
    while foretold is None:
        rounds += 1
        table, result = typed(EIGHT, seed, rounds)
        if table.result is not None:
            return
        foretold = foretell(table.game, table.knowledge)
    assert foretold == result
    assert f"{result.rounds - rounds} round" in table.enter("foretell").lines[0]


def test_nothing_is_foretold_while_a_card_is_unknown() -> None:
    table, _ = typed(ENGLISH, 1, 3)
    assert foretell(table.game, table.knowledge) is None
    assert table.enter("foretell").lines == ("That cannot be known yet; odds gives the chances.",)


def test_what_is_foretold_in_the_middle_of_a_war_comes_true() -> None:
    piles = [["A♣", "K♣", "Q♣", "J♣"], ["A♦", "K♦", "J♦", "Q♦"]]
    table = Table(EIGHT, ("Ana", "Luis"), piles)
    table.enter("ac ad")
    result = foretell(table.game, table.knowledge)
    while table.result is None:
        table.turn_up_known()
    assert result == table.result


def test_nothing_is_foretold_while_nobody_knows_what_lies_face_down() -> None:
    piles = [["A♣", "?", "Q♣", "J♣"], ["A♦", "?", "K♣", "J♦"]]
    table = Table(EIGHT, ("Ana", "Luis"), piles)
    table.enter("ac ad")
    assert foretell(table.game, table.knowledge) is None


def test_nothing_is_foretold_where_cards_are_still_shuffled() -> None:
    rules = structs.replace(EIGHT, capture_order="shuffled")
    table = Table(rules, ("Ana", "Luis"), [["A♣", "K♣", "Q♣"], ["J♣", "J♦"]])
    assert foretell(table.game, table.knowledge) is None


def test_when_everything_is_known_the_odds_are_certain() -> None:
    table = Table(EIGHT, ("Ana", "Luis"), [["A♣", "K♣", "Q♣"], ["J♣"]])
    odds = estimate(table.game, table.knowledge, seed=1, seconds=0.02)
    assert odds.wins == (1, 0)
    assert odds.rounds == (1, 1, 1)
    assert "A 100%, B 0%" in Voice(EIGHT, "AB").odds(odds)


def test_the_odds_of_a_fresh_deal_are_about_even_and_add_up() -> None:
    table = Table(ENGLISH, ("Ana", "Luis"))
    odds = estimate(table.game, table.knowledge, seed=1, seconds=0.5)
    assert odds.games > 20
    assert sum(odds.wins) + odds.drawn + odds.endless == pytest.approx(1)
    assert all(0.1 < share < 0.9 for share in odds.wins)
    few, middle, many = odds.rounds or (0, 0, 0)
    assert 0 < few <= middle <= many


def test_holding_the_aces_is_an_advantage() -> None:
    aces = [["A♣", "A♦", "A♥", "A♠", *["?"] * 22], ["?"] * 26]
    table = Table(ENGLISH, ("Ana", "Luis"), aces)
    odds = estimate(table.game, table.knowledge, seed=1, seconds=0.5)
    assert odds.wins[0] > 0.6


def test_a_game_that_never_ends_is_known_to() -> None:
    rules = structs.replace(
        EIGHT,
        deck_size=4,
        rank_order=("A", "K"),
        capture_order="seat-order",
        round_limit="none",
        repetition="play-on",
    )
    table = Table(rules, ("Ana", "Luis"), [["A♣", "K♦"], ["K♣", "A♦"]])
    odds = estimate(table.game, table.knowledge, seed=1, seconds=0.01)
    assert (odds.endless, odds.rounds) == (1, None)
    foretold = foretell(table.game, table.knowledge)
    assert foretold is not None
    assert foretold.reason == "endless"


def test_odds_do_not_disturb_the_game() -> None:
    table, _ = typed(rulesfile.load("shuffled-captures"), 2, 20)
    before = (table.game.position(), table.knowledge.seen, table.game.due)
    assert table.enter("odds").kind == "told"
    assert (table.game.position(), table.knowledge.seen, table.game.due) == before


def test_there_are_no_odds_when_the_game_is_over() -> None:
    table = Table(ENGLISH, ("Ana", "Luis"))
    table.enter("stop")
    with pytest.raises(ValueError, match="over"):
        estimate(table.game, table.knowledge, seed=1)
    assert table.enter("odds").lines == table.enter("foretell").lines
