"""Who plays which part of a study, and when, leaves no trace in its figures."""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import Future
from random import Random
from types import ModuleType

import numpy as np
import pytest
from msgspec.structs import replace

from warcli.rulesfile import load
from warcli.study import by_law
from warcli.study.figures import estimate_of
from warcli.study.pace import Pace
from warcli.study.run import (
    CrewLost,
    Part,
    Plan,
    Player,
    Study,
    compiling,
    play_part,
    run,
    thread_crew,
)
from warcli.study.tally import Distribution, Tally

SMALL = replace(load("krig"), deck_size=24, rank_order=("A", "K", "Q", "J", "10", "9"))
"""Short games, so that a thousand of them are soon played on the law."""

PLAN = Plan(
    rules=(SMALL, replace(SMALL, capture_order="own-last")),
    seed=5,
    pace=Pace.read("4,6"),
    player="law",
)


def go_on(_: Part | None) -> bool:
    return True


def studied(games: int, threads: int = 1, until: float | None = None, plan: Plan = PLAN) -> Study:
    study = Study(plan)
    with thread_crew(threads) as crew:
        run(study, games, crew, go_on, until)
    return study


class Whimsical:
    """A crew that finishes its parts in any order, and now and then loses one."""

    def __init__(self, whim: Random, *, loses: float = 0.0) -> None:
        self._whim = whim
        self._loses = loses
        self._waiting: list[tuple[Future[Part], Plan, int, int]] = []

    def submit(self, plan: Plan, first: int, count: int) -> Future[Part]:
        future: Future[Part] = Future()
        self._waiting.append((future, plan, first, count))
        return future

    def result(self, future: Future[Part]) -> Part | None:
        return None if self._whim.random() < self._loses else future.result()

    def at_once(self) -> int:
        return self._whim.randint(1, 9)

    def look(self, part: Part | None) -> bool:
        """While the study waits, one part is finished, whichever it is."""
        if part is None and self._waiting:
            future, plan, *games = self._waiting.pop(self._whim.randrange(len(self._waiting)))
            future.set_result(play_part(plan, *games))
        return True


GAMES = 700
"""More than a hundred parts, the last of them cut short."""


@pytest.fixture(scope="module")
def plain() -> Study:
    """The study as a single thread plays it."""
    return studied(GAMES)


def test_a_study_is_the_same_in_parts_and_in_one_piece(plain: Study) -> None:
    whole = play_part(PLAN, 0, GAMES)
    assert plain.games == GAMES
    assert plain.tallies == whole.tallies
    assert plain.comparisons == whole.comparisons


def test_the_number_of_threads_changes_nothing(plain: Study) -> None:
    assert studied(GAMES, threads=5) == plain


@pytest.mark.parametrize("whim", range(5))
def test_nor_does_the_order_in_which_parts_are_ready(
    plain: Study, whim: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warcli.study.run._LOOK_UP_SECONDS", 0)  # this crew works while it is asked
    study = Study(PLAN)
    crew = Whimsical(Random(whim), loses=0.3)
    run(study, GAMES, crew, crew.look)
    assert study == plain


def test_the_kernel_plays_the_same_study_as_the_law(plain: Study) -> None:
    by_kernel = studied(GAMES, plan=replace(PLAN, player="kernel"))
    assert by_kernel.tallies == plain.tallies
    assert by_kernel.comparisons == plain.comparisons


def test_it_stops_at_the_same_game_on_any_number_of_threads() -> None:
    plan = replace(PLAN, player="kernel")
    once, again = (studied(10**7, threads, until=0.005, plan=plan) for threads in (1, 4))
    assert once == again
    assert once.games < 10**7
    width = once.width()
    assert width is not None
    assert width <= 0.005
    assert once.narrow(0.005)
    assert not once.narrow(0.003)


def test_it_does_not_believe_a_few_games() -> None:
    few = studied(50)
    assert few.width() is None
    assert not few.narrow(100.0)


def test_it_can_be_stopped_between_two_parts() -> None:
    """What was played then is a study of its own, from game 0 on without a gap."""
    study = Study(PLAN)
    seen: list[int] = []

    def look(part: Part | None) -> bool:
        seen.extend([part.first] if part else [])
        return len(seen) < 3

    with thread_crew(2) as crew:
        run(study, 1_000_000, crew, look)
    assert seen == [0, 1, 2]
    assert study.games == 3
    assert study.tallies == play_part(PLAN, 0, study.games).tallies


def test_only_the_games_that_come_next_can_be_added() -> None:
    study = studied(10)
    with pytest.raises(ValueError, match="game 10 comes next, not 11"):
        study.add(play_part(PLAN, 11, 1))


def test_a_crew_that_loses_everything_is_given_up() -> None:
    study = Study(PLAN)
    crew = Whimsical(Random(1), loses=1.0)
    with pytest.raises(CrewLost, match="game 0"):
        run(study, 100, crew, crew.look)
    assert study.games == 0


def test_what_goes_wrong_in_a_thread_is_not_lost() -> None:
    beyond = replace(PLAN, seed=2**64)
    with pytest.raises(ValueError, match="not between 0 and"):
        studied(10, plan=beyond)


@pytest.mark.parametrize("player", ["law", "kernel"])
def test_games_are_handed_on_only_when_they_are_wanted(player: Player) -> None:
    plan = replace(PLAN, player=player)
    assert play_part(plan, 3, 10).kept is None
    kept = play_part(replace(plan, keeps_games=True), 3, 10).kept
    assert kept is not None
    games = by_law.play(SMALL, PLAN.seed, 3, 10)
    for name, column in kept._asdict().items():
        assert list(column) == getattr(games, name)


def test_games_that_are_handed_on_take_little_memory() -> None:
    """Of the kernel's large arrays nothing is held."""
    plan = replace(PLAN, rules=(load("krig"),), player="kernel", keeps_games=True)
    kept = play_part(plan, 0, 1_000).kept
    assert kept is not None
    columns = [np.asarray(column) for column in kept]
    assert all(column.base is None for column in columns)
    assert sum(column.nbytes for column in columns) <= 10 * 1_000


@pytest.mark.parametrize("threads", [1, 2, 64])
def test_few_parts_wait_beside_those_that_are_played(threads: int) -> None:
    """So that memory has room for them however many threads there are."""
    with thread_crew(threads) as crew:
        assert threads < crew.at_once() <= threads + 2


def test_a_kernel_that_is_still_being_loaded_is_not_being_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "warcli.study.kernel", ModuleType("half loaded"))
    assert not compiling()
    monkeypatch.delitem(sys.modules, "warcli.study.kernel")
    assert not compiling()


def test_little_is_lost_when_a_study_is_stopped() -> None:
    """A part is a single game at first, however long that is, and then small next to what was
    played before, whatever the rules."""
    for name in ("krig", "bataille-32", "bataille-jokers"):
        plan = replace(PLAN, rules=(load(name),))
        assert [plan.part(first) for first in range(32)] == [1] * 32
        for first in (32, 1_000, 10**5, 10**12):
            assert plan.part(first) <= 1 + first / 32
    four_cards = replace(load("krig"), deck_size=4, rank_order=("A",))
    assert replace(PLAN, rules=(four_cards,)).part(10**12) < 100_000


def test_parts_are_small_where_packs_are_large() -> None:
    huge = replace(load("krig"), deck_size=10_400, packs=200)
    assert replace(PLAN, rules=(load("krig"), huge)).part(10**6) == 1


def test_it_stops_at_the_same_game_on_the_law() -> None:
    by_law, by_kernel = (
        studied(10**5, until=0.1, plan=replace(PLAN, player=player)) for player in ("law", "kernel")
    )
    assert 0.05 < (by_law.width() or 0) <= 0.1
    assert by_law.tallies == by_kernel.tallies


def test_stopping_when_the_interval_is_narrow_leaves_it_as_sure_as_it_says() -> None:
    """Three hundred studies, each of which stops when it likes what it sees, of lengths as skewed
    as those of War: 95 of 100 of their intervals hold the true mean."""
    chance = Random(2)
    plan = replace(PLAN, rules=PLAN.rules[:1])
    held = 0
    for _ in range(300):
        study = Study(plan)
        while not study.narrow(0.1):
            lengths = [round(chance.gammavariate(2, 100)) for _ in range(plan.part(study.games))]
            tally = Tally()
            tally.rounds["collected"] = Distribution.of(Counter(lengths))
            study.add(Part(study.games, len(lengths), [tally], [], None))
        rounds = estimate_of(study.tallies[0].lengths)
        assert rounds
        assert rounds.low is not None
        assert rounds.high is not None
        held += rounds.low <= 200 <= rounds.high
    assert 270 <= held <= 297  # four standard deviations of a share of 0.95, either side


def test_an_interval_is_not_believed_while_few_games_have_ended() -> None:
    study = Study(replace(PLAN, rules=PLAN.rules[:1]))
    for games, narrow in ((999, False), (1, True)):
        tally = Tally()
        tally.rounds["collected"] = Distribution.of(Counter({100: games}))
        study.add(Part(study.games, games, [tally], [], None))
        assert study.narrow(0.5) == narrow
