"""What is kept of very many games.

Whole numbers only, so nothing is rounded on the way: tallies of different games can be put
together in any order, by any number of threads or machines, and are the same in the end.

How much is kept is bounded, however many games there are: of each kind of number a distribution
with an entry for each value that came up, at most 1,048,576 of them (84 MB) and half as many again
for every doubling beyond. Common packs come to a few thousand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from operator import mul, sub
from typing import NamedTuple, Self

from warcli.study.columns import Column, combined, counted, picked, places
from warcli.study.games import REASONS, Games
from warcli.study.pace import Pace

_EXACT_BITS = 20
_ENDLESS = REASONS.index("endless")


def counted_as(number: int) -> int:
    """The number under which a distribution counts it: itself up to 1,048,575 (no round limit is
    higher); beyond, its first 20 binary digits with zeros after them, at most 1 in 524,288 less.
    So a distribution has a bounded number of entries whatever the games are like."""
    excess = max(0, number.bit_length() - _EXACT_BITS)
    return number >> excess << excess


@dataclass
class _Sums:
    """Of whole numbers, one a game: enough for their mean and deviation, both exact."""

    games: int = 0
    total: int = 0
    squares: int = 0

    def add(self, other: Self) -> None:
        self.games += other.games
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """Raises ZeroDivisionError without games."""
        return self.total / self.games

    @property
    def deviation(self) -> float:
        """The standard deviation that this sample estimates; 0 for a single game."""
        if self.games < 2:
            return 0.0
        squares = self.games * self.squares - self.total * self.total
        return sqrt(Fraction(squares, self.games * (self.games - 1)))


@dataclass
class Distribution(_Sums):
    """How often each whole number from 0 came up.

    Percentiles are exact up to 1,048,575 (see `counted_as`).
    """

    counts: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, counts: Counter[int]) -> Distribution:
        """Of numbers that came up so often."""
        return cls(
            counts=counts if max(counts, default=0) < 1 << _EXACT_BITS else _coarser(counts),
            games=sum(counts.values()),
            total=sum(map(mul, counts.keys(), counts.values())),
            squares=sum(map(mul, map(mul, counts.keys(), counts.keys()), counts.values())),
        )

    def add(self, other: Self) -> None:
        super().add(other)
        self.counts.update(other.counts)

    def percentiles(self, percents: Iterable[Fraction]) -> list[int]:
        """For each, in ascending order: the smallest number that at least so many per cent of the
        games don't exceed (50: the median). Raises ValueError without games."""
        if not self.games:
            raise ValueError("no games")
        numbers = sorted(self.counts)
        reached = list(accumulate(self.counts[number] for number in numbers))
        return [numbers[bisect_left(reached, self.games * percent / 100)] for percent in percents]

    def below(self, bound: int) -> int:
        """In how many games the number was less than this."""
        return sum(times for number, times in self.counts.items() if number < bound)


def _coarser(counts: Counter[int]) -> Counter[int]:
    coarse: Counter[int] = Counter()
    for number, times in counts.items():
        coarse[counted_as(number)] += times
    return coarse


@dataclass
class Differences(_Sums):
    """How far two whole numbers a game lie apart."""

    unlike: int = 0
    """In how many of the games they lie apart at all."""

    @classmethod
    def of(cls, one: Column, other: Column) -> Differences:
        apart = counted(combined(sub, one, other))
        return cls(
            games=sum(apart.values()),
            unlike=sum(times for number, times in apart.items() if number),
            total=sum(number * times for number, times in apart.items()),
            squares=sum(number * number * times for number, times in apart.items()),
        )

    def add(self, other: Self) -> None:
        super().add(other)
        self.unlike += other.unlike


@dataclass(frozen=True, order=True)
class Extreme:
    """An extreme number and the first game that reached it."""

    number: int
    game: int

    def lower(self, other: Extreme | None) -> Extreme:
        return self if other is None else min(self, other)

    def higher(self, other: Extreme | None) -> Extreme:
        if other is None or self.number == other.number:
            return self.lower(other)
        return max(self, other)


@dataclass
class Tally:
    """What many games under the same rules came to.

    A game that never ends has no length: it counts in `rounds["endless"]` (the rounds after
    which it was known to come back), in `wars`, `deepest` and `winners`, and nowhere else.
    """

    rounds: dict[str, Distribution] = field(
        default_factory=lambda: {reason: Distribution() for reason in REASONS}
    )
    """Rounds a game, by the reason for which games ended."""
    winners: Counter[int] = field(default_factory=Counter)
    """How often each set of seats won, as a bit mask; 0: nobody."""
    layers: Distribution = field(default_factory=Distribution)
    """Layers a game that ended."""
    times: Distribution = field(default_factory=Distribution)
    """Hundredths of a second at a table a game that ended."""
    lead_changes: Distribution = field(default_factory=Distribution)
    """Lead changes a game that ended."""
    wars: Counter[int] = field(default_factory=Counter)
    """How many wars, in all games together, had so many steps."""
    shortest: Extreme | None = None
    """The fewest rounds of a game that ended."""
    longest: Extreme | None = None
    """The most rounds of a game that ended."""
    deepest: Extreme | None = None
    """The most steps of a war."""

    @classmethod
    def of(cls, games: Games, first: int, pace: Pace) -> Tally:
        """Of these games, the first of them number `first` of its seed."""
        tally = cls(winners=counted(games.winners))
        tally.wars.update(
            {steps: int(wars) for steps, wars in enumerate(games.war_depths, start=1) if wars}
        )
        for code, reason in enumerate(REASONS):
            at = places(games.reason, code)
            if not len(at):
                continue
            rounds = picked(games.rounds, at)
            lengths = counted(rounds)
            tally.rounds[reason] = Distribution.of(lengths)
            if code == _ENDLESS:
                continue
            times = pace.times(rounds, picked(games.steps, at))
            tally.times.add(Distribution.of(counted(times)))
            tally.layers.add(Distribution.of(counted(picked(games.layers, at))))
            tally.lead_changes.add(Distribution.of(counted(picked(games.lead_changes, at))))
            shortest, longest = (
                Extreme(number, first + int(at[places(rounds, number)[0]]))
                for number in (min(lengths), max(lengths))
            )
            tally.shortest = shortest.lower(tally.shortest)
            tally.longest = longest.higher(tally.longest)
        if tally.wars:
            steps = max(tally.wars)
            tally.deepest = Extreme(steps, first + int(places(games.deepest, steps)[0]))
        return tally

    def add(self, other: Tally) -> None:
        for reason, rounds in other.rounds.items():
            self.rounds[reason].add(rounds)
        self.winners.update(other.winners)
        self.layers.add(other.layers)
        self.times.add(other.times)
        self.lead_changes.add(other.lead_changes)
        self.wars.update(other.wars)
        if other.shortest:
            self.shortest = other.shortest.lower(self.shortest)
        if other.longest:
            self.longest = other.longest.higher(self.longest)
        if other.deepest:
            self.deepest = other.deepest.higher(self.deepest)

    @property
    def games(self) -> int:
        return sum(rounds.games for rounds in self.rounds.values())

    @property
    def lengths(self) -> Distribution:
        """Rounds a game that ended, for whatever reason."""
        together = Distribution()
        for reason, rounds in self.rounds.items():
            if reason != "endless":
                together.add(rounds)
        return together

    def won_by(self, seat: int) -> int:
        """How many games this seat won, alone or with others."""
        return sum(games for mask, games in self.winners.items() if mask >> seat & 1)

    @property
    def drawn(self) -> int:
        """How many games ended without a winner."""
        return self.winners[0] - self.rounds["endless"].games


class Outcome(NamedTuple):
    """How a game ended: for what reason, and which seats won (a bit mask)."""

    reason: str
    winners: int

    @property
    def drawn(self) -> bool:
        """Whether it ended without a winner."""
        return not self.winners and self.reason != "endless"


def _outcomes_as_one(reason: int, winners: int, other_reason: int, other_winners: int) -> int:
    """Both outcomes of a deal in one number."""
    return reason << 24 | winners << 16 | other_reason << 8 | other_winners


def _outcome(code: int) -> Outcome:
    return Outcome(REASONS[code >> 8], code & 0xFF)


@dataclass
class Comparison:
    """The same deals under two rules, game by game: the second rules against the first.

    The `Differences` are over games that end under both.
    """

    outcomes: Counter[tuple[Outcome, Outcome]] = field(default_factory=Counter)
    """How often a game came out so under the first and so under the second."""
    rounds: Differences = field(default_factory=Differences)
    layers: Differences = field(default_factory=Differences)
    times: Differences = field(default_factory=Differences)
    lead_changes: Differences = field(default_factory=Differences)

    @classmethod
    def of(cls, base: Games, other: Games, pace: Pace) -> Comparison:
        outcomes = counted(
            combined(_outcomes_as_one, base.reason, base.winners, other.reason, other.winners)
        )
        both_end = places(
            combined(
                lambda one, two: (one == _ENDLESS) | (two == _ENDLESS), base.reason, other.reason
            ),
            0,
        )
        (base_rounds, base_times, base_layers, base_leads), (rounds, times, layers, leads) = (
            [
                picked(column, both_end)
                for column in (
                    games.rounds,
                    pace.times(games.rounds, games.steps),
                    games.layers,
                    games.lead_changes,
                )
            ]
            for games in (base, other)
        )
        return cls(
            outcomes=Counter(
                {(_outcome(code >> 16), _outcome(code & 0xFFFF)): n for code, n in outcomes.items()}
            ),
            rounds=Differences.of(rounds, base_rounds),
            layers=Differences.of(layers, base_layers),
            times=Differences.of(times, base_times),
            lead_changes=Differences.of(leads, base_leads),
        )

    def add(self, other: Comparison) -> None:
        self.outcomes.update(other.outcomes)
        self.rounds.add(other.rounds)
        self.layers.add(other.layers)
        self.times.add(other.times)
        self.lead_changes.add(other.lead_changes)
