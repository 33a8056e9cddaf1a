"""Playing very many games, in parts, on all cores or elsewhere, always to the same figures.

The games of a study are numbered from 0 and played in parts whose sizes follow from the rules
alone. Who plays which part, and when, is free; parts are taken in the order of their games, so at
any moment a study covers its first games without a gap, and stops at the same game whoever plays.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.pool import ThreadPool
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from warcli.rules import Rules
from warcli.study.figures import Stopped, estimate_of
from warcli.study.games import Kept
from warcli.study.pace import Pace
from warcli.study.tally import Comparison, Tally
from warcli.words import say

Player = Literal["kernel", "law"]
"""Who plays: the compiled kernel, or the law itself, which needs nothing more installed."""

_LOOK_UP_SECONDS = 0.1
"""How long to wait for a part before looking at the clock and at Ctrl-C again."""

_TRIES = 10
"""How often a part is submitted before its crew is given up."""

_GROWTH = 32
"""A part has a single game, and one more for so many games before it."""

_LARGEST_PART = 1 << 15
"""Games: so many that handing a part over costs next to nothing."""

_LARGEST_PART_IN_CARDS = 1 << 26
"""The same where packs are large, times the square of the cards: a game takes about that long."""

_IN_HAND = 2
"""Parts that wait to be played or to be taken, beside those that threads are playing: more would
only take up memory."""

_TRUSTED = 1_000
"""Games that must have ended before the width of an interval is believed."""


class Plan(Struct, frozen=True):
    """What a study plays: everything that whoever plays a part of it must know."""

    rules: tuple[Rules, ...]
    """Played side by side on the same seed; the first are the ones compared with."""
    seed: int
    pace: Pace
    player: Player
    keeps_games: bool = False
    """Whether parts bring the games of the first rules one by one, and not only what they come
    to."""

    def part(self, first: int) -> int:
        """Games in the part that begins with this game, whoever plays it. However long a game
        takes, a part takes little of the time that the study has taken, so that little is lost
        when it is stopped; and few games, where packs are large."""
        cards = max(rules.deck_size for rules in self.rules)
        most = max(1, min(_LARGEST_PART, _LARGEST_PART_IN_CARDS // cards**2))
        return min(most, 1 + first // _GROWTH)


class Part(NamedTuple):
    """Some consecutive games of a study, played under all its rules."""

    first: int
    games: int
    tallies: list[Tally]
    """One for each of the rules."""
    comparisons: list[Comparison]
    """One for each of the rules but the first."""
    kept: Kept | None
    """What the first rules' games were, one by one; None unless the plan keeps games."""


def play_part(plan: Plan, first: int, count: int) -> Part:
    """Play these games of a study. Raises ImportError when the kernel isn't installed here."""
    if plan.player == "kernel":
        from warcli.study.kernel import play
    else:
        from warcli.study.by_law import play
    base_rules, *others = plan.rules
    base = play(base_rules, plan.seed, first, count)
    tallies = [Tally.of(base, first, plan.pace)]
    comparisons = []
    for rules in others:
        games = play(rules, plan.seed, first, count)
        tallies.append(Tally.of(games, first, plan.pace))
        comparisons.append(Comparison.of(base, games, plan.pace))
    return Part(
        first=first,
        games=count,
        tallies=tallies,
        comparisons=comparisons,
        kept=Kept.of(base) if plan.keeps_games else None,
    )


def compiling() -> bool:
    """Whether this process is just compiling the kernel, which happens once on a machine."""
    # While another thread is still importing it, the kernel is there without what it defines.
    ready = getattr(sys.modules.get("warcli.study.kernel"), "ready", None)
    return ready is not None and not ready()


def unkept() -> str:
    """Where and why the compiled kernel could not be kept on disk, for people; empty: it could be,
    or isn't there."""
    told = getattr(sys.modules.get("warcli.study.compiling"), "unkept", None)
    return told() if told is not None else ""


class CrewLost(RuntimeError):
    """Whoever played is gone for good; `str()` of it tells a person why."""


class Crew(Protocol):
    """Whoever plays the parts."""

    def submit(self, plan: Plan, first: int, count: int) -> Future[Part]:
        """Have these games played."""

    def result(self, future: Future[Part]) -> Part | None:
        """What a future that is done has brought; None: that part must be submitted again.
        Raises CrewLost when that would be no use, and whatever playing raised."""

    def at_once(self) -> int:
        """How many parts are worth having under way now, at least one. Raises CrewLost when
        nobody is there any more who could bring one."""


class Threads:
    """A crew of threads of this process; the kernel lets them run side by side.

    Nobody has to wait for them to end, however long a game is that they have in hand.
    """

    def __init__(self, pool: ThreadPool, threads: int) -> None:
        self._pool = pool
        self._threads = threads

    def submit(self, plan: Plan, first: int, count: int) -> Future[Part]:
        future: Future[Part] = Future()
        future.set_running_or_notify_cancel()  # it is played, or never looked at again
        self._pool.apply_async(
            play_part,
            (plan, first, count),
            callback=future.set_result,
            error_callback=future.set_exception,
        )
        return future

    def result(self, future: Future[Part]) -> Part:
        return future.result()

    def at_once(self) -> int:
        return self._threads + _IN_HAND


def cores() -> int:
    """How many threads this process may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def thread_crew(threads: int) -> Iterator[Threads]:
    """So many threads. What they haven't finished when this ends is dropped."""
    with ThreadPool(threads) as pool:
        yield Threads(pool, threads)


@dataclass
class Study:
    """What has been played of a plan so far: its first `games` games, without a gap."""

    plan: Plan
    games: int = 0
    tallies: list[Tally] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tallies = [Tally() for _ in self.plan.rules]
        self.comparisons = [Comparison() for _ in self.plan.rules[1:]]

    def add(self, part: Part) -> None:
        """The games that come next. Raises ValueError for any others."""
        if part.first != self.games:
            raise ValueError(f"game {self.games} comes next, not {part.first}")
        for tally, more in zip(self.tallies, part.tallies, strict=True):
            tally.add(more)
        for comparison, further in zip(self.comparisons, part.comparisons, strict=True):
            comparison.add(further)
        self.games += part.games

    def width(self) -> float | None:
        """How wide the 95 % interval of the mean number of rounds is, as a part of that mean: of
        all the rules, the widest. None while fewer than 1,000 games have ended: a study may stop
        when it looks narrow, and among the first few games it looks so by chance too often. After
        as many, stopping so leaves the interval what it is (Chow and Robbins, 1965)."""
        widths: list[float] = []
        for tally in self.tallies:
            rounds = estimate_of(lengths := tally.lengths)
            if lengths.games < _TRUSTED or not rounds or rounds.low is None or not rounds.high:
                return None
            widths.append((rounds.high - rounds.low) / rounds.mean)
        return max(widths)

    def narrow(self, until: float) -> bool:
        """Whether that interval is no wider than this part of the mean."""
        width = self.width()
        return width is not None and width <= until


class _Ahead(NamedTuple):
    """A part that was submitted and not taken yet."""

    first: int
    games: int
    future: Future[Part]
    tries: int = 1


def parts(plan: Plan, games: int, crew: Crew) -> Iterator[Part | None]:
    """The parts of a study of so many games, in order; None now and then while the next is
    awaited, so that the caller can look round. Raises CrewLost, and whatever playing raised."""
    ahead: deque[_Ahead] = deque()
    submitted = 0
    try:
        while ahead or submitted < games:
            at_once = crew.at_once()
            while submitted < games and len(ahead) < at_once:
                count = min(plan.part(submitted), games - submitted)
                ahead.append(_Ahead(submitted, count, crew.submit(plan, submitted, count)))
                submitted += count
            head = ahead[0]
            done, _ = wait([head.future], timeout=_LOOK_UP_SECONDS)
            part = crew.result(head.future) if done else None
            if part is not None:
                ahead.popleft()
            elif done:
                if head.tries == _TRIES:
                    raise CrewLost(
                        say("whoever plays game {game} and the next goes away", game=head.first)
                    )
                again = crew.submit(plan, head.first, head.games)
                ahead[0] = head._replace(future=again, tries=head.tries + 1)
            yield part
    finally:
        for head in ahead:
            head.future.cancel()


def run(
    study: Study,
    games: int,
    crew: Crew,
    look: Callable[[Part | None], bool],
    until: float | None = None,
) -> Stopped:
    """Play a study of so many games; with `until`, stop as soon as `Study.width` is no more. Says
    why no more were played.

    `look` is called after each part and at least every tenth of a second (with None); the study
    is interrupted when it returns False. Raises CrewLost, ImportError; what was played is in the
    study.
    """
    for part in parts(study.plan, games, crew):
        if part is not None:
            study.add(part)
        playing_on = look(part)
        if part is not None and until is not None and study.narrow(until):
            return "until"
        if not playing_on and study.games < games:
            return "interrupted"
    return "done" if until is None else "limit"
