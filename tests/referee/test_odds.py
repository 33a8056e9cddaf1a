"""Looking ahead agrees with what then happens."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future

import pytest
from msgspec import structs

from warcli import rulesfile
from warcli.events import Deal, Result, Round
from warcli.referee import odds as looking_ahead
from warcli.referee.odds import Odds, estimate, foretell, load_kernel
from warcli.referee.table import Table
from warcli.referee.voice import Voice
from warcli.rules import Rules
from warcli.simulation import default_players, simulate
from warcli.study import kernel

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


def test_nothing_is_foretold_that_is_too_far_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a position that comes back shows that a game never ends."""
    (deal, *_, end) = simulate(rulesfile.load("krig"), 1)
    assert isinstance(deal, Deal)
    assert isinstance(end, Result)
    table = Table(rulesfile.load("krig"), deal.players, deal.piles)
    assert foretell(table.game, table.knowledge) == end
    monkeypatch.setattr(looking_ahead, "_LONGEST", end.rounds - 1)
    assert foretell(table.game, table.knowledge) is None


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


@pytest.fixture
def loaded() -> Iterator[None]:
    """The kernel is compiled, and loaded as at a table."""
    kernel.play(ENGLISH, 0, 0, 1)
    load_kernel.cache_clear()
    assert load_kernel().result()
    yield
    load_kernel.cache_clear()


class Arriving(Future[bool]):
    """A kernel that is there once so many games have been played without it."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.set_result(True)
        self.after = after

    def done(self) -> bool:
        self.after -= 1
        return self.after < 0


NEVER = 1_000_000


def estimated(
    table: Table, monkeypatch: pytest.MonkeyPatch, kernel_after: int, seconds: float = 60
) -> Odds:
    """The odds where the kernel is there after so many games."""
    arriving = Arriving(kernel_after)
    with monkeypatch.context() as patch:
        patch.setattr(looking_ahead, "load_kernel", lambda: arriving)
        return estimate(table.game, table.knowledge, seed=3, seconds=seconds)


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    "rules",
    [
        EIGHT,
        structs.replace(EIGHT, capture_order="shuffled"),
        structs.replace(EIGHT, won_cards="aside-shuffled", players=3, war_face_down=0),
        structs.replace(EIGHT, packs=2, deck_size=16),
        structs.replace(
            EIGHT,
            packs=2,
            deck_size=16,
            players=4,
            war_face_down=1,
            round_limit="none",
            repetition="play-on",
        ),
    ],
)
@pytest.mark.parametrize("entered", [(), ("Q Q",), ("A♣ K♣",)])
def test_the_kernel_draws_the_games_of_the_law(
    rules: Rules, entered: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a deal is known, in the middle of a war typed by ranks, after a round by cards."""
    monkeypatch.setattr(looking_ahead, "_MOST_GAMES", 100)
    table = Table(rules, default_players(rules))
    for line in entered:
        table.enter(line + " J J"[: 2 * (rules.players - 2)])
    assert bool(table.game.laid) == (entered == ("Q Q",))
    by_the_law = estimated(table, monkeypatch, kernel_after=NEVER)
    assert by_the_law.games == 100
    assert estimated(table, monkeypatch, kernel_after=0) == by_the_law
    assert estimated(table, monkeypatch, kernel_after=10) == by_the_law
    assert estimate(table.game, table.knowledge, seed=3, seconds=60) == by_the_law


@pytest.mark.usefixtures("loaded")
def test_the_kernel_plays_more_games(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(ENGLISH, ("Ana", "Luis"))
    few = estimated(table, monkeypatch, kernel_after=NEVER, seconds=0.3)
    many = estimated(table, monkeypatch, kernel_after=0, seconds=0.3)
    assert many.games > 2 * few.games


@pytest.mark.usefixtures("loaded")
def test_a_table_loads_nothing_of_the_kernel_before_odds_are_asked_for() -> None:
    script = """
import sys
from warcli import rulesfile
from warcli.referee.odds import load_kernel
from warcli.referee.voice import Voice
from warcli.referee.table import Table

table = Table(rulesfile.load("english"), ("Ana", "Luis"))
table.enter("A K")
assert not {"numpy", "numba", "concurrent.futures"} & sys.modules.keys()
table.enter("odds")
print(load_kernel().result(), "numba" in sys.modules)
"""
    played = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False
    )
    assert (played.stdout, played.stderr) == ("True True\n", "")
