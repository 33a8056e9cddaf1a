"""The figures of a study: what its tallies say about the rules, each with its uncertainty.

The structures here are the report: as JSON and CSV they are written under the names of their
fields, and the table for people is made from them. Intervals are 95 % intervals. Shares are
parts of 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import count
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, Struct, UnsetType

from warcli.rules import Rules
from warcli.study.games import REASONS
from warcli.study.tally import Comparison, Differences, Distribution, Extreme, Outcome, Tally

if TYPE_CHECKING:
    from warcli.study.run import Study

_ENOUGH = 100
"""Fewer games don't say how sure a mean is. Of 100 games of War, 94 in 100 of these intervals hold
the true mean, of 30 games 93, of 10 games 87."""

_BARS = 20
"""About how many bars a distribution is drawn with."""

Z = NormalDist().inv_cdf(0.975)
"""Standard deviations on either side of the middle that hold 95 % of a normal distribution."""

PERCENTILES = {
    "p5": Fraction(5),
    "p25": Fraction(25),
    "median": Fraction(50),
    "p75": Fraction(75),
    "p95": Fraction(95),
    "p99": Fraction(99),
    "p999": Fraction(999, 10),
}


Stopped = Literal["done", "until", "limit", "interrupted", "failed"]
"""Why no more games were played: all were (`done`); the mean is known well enough (`until`) or
still isn't after the most games that were to be played (`limit`); somebody pressed Ctrl-C
(`interrupted`); whoever played went away, or a file could not be written (`failed`)."""


class Share(Struct, frozen=True):
    """How many of the games were so, and what part of all games of these rules are."""

    games: int
    share: float
    low: float
    high: float


class Estimate(Struct, frozen=True):
    """A number known within an interval; None and None: too few games to tell."""

    mean: float
    low: float | None
    high: float | None


class Spread(Struct, frozen=True):
    """How a number varies from game to game, over the games that end.

    A percentile is the smallest number that came up which at least so many per cent of the games
    don't exceed. It is never a mean of two: of an even number of games, the median is the lower
    of the two in the middle."""

    mean: float
    low: float | None
    """The interval is the mean's; None and None: too few games to tell."""
    high: float | None
    deviation: float | None
    """The standard deviation that these games give for all, so the squares are divided by one game
    less; None for a single game."""
    p5: float
    p25: float
    median: float
    p75: float
    p95: float
    p99: float
    p999: float
    """99.9 % of the games don't exceed this."""


class WarDepth(Struct, frozen=True):
    """Wars with so many steps."""

    steps: int
    wars: int
    a_game: float


class Bar(Struct, frozen=True):
    """Games whose rounds were from `first` to `last`, both included, or more where that is None;
    `share` is what part they are of the games that end."""

    first: int
    last: int | None
    games: int
    share: float


class Change(Struct, frozen=True, kw_only=True):
    """What these rules change, compared game by game with the first rules: the difference of the
    figures of the same names. Lengths are compared over the games that end under both."""

    compared_with: str
    same_deals: bool
    """Whether the same cards are dealt to the same seats under both rules, game by game; if not,
    a difference is as uncertain as between two studies, and its interval says so."""
    games_that_end: int
    ended: dict[str, Estimate]
    wins: list[Estimate]
    drawn: Estimate
    rounds: Estimate | None
    minutes: Estimate | None
    layers: Estimate | None
    lead_changes: Estimate | None


class Figures(Struct, frozen=True, kw_only=True):
    """What a study says about one set of rules."""

    rules: str
    time_limit: str | None
    """The time limit of these rules. It is left out: a study has no clock."""
    games: int
    ended: dict[str, Share]
    """By reason, those that came up under any of the rules and can under these; `endless` games
    never end."""
    wins: list[Share]
    """By seat."""
    drawn: Share
    """Ended without a winner."""
    rounds: Spread | None
    """None when no game ended."""
    shortest: Extreme | None
    longest: Extreme | None
    minutes: Spread | None
    layers: Spread | None
    lead_changes: Spread | None
    wars: list[WarDepth]
    deepest: Extreme | None
    bars: list[Bar]
    """The rounds of the games that end, as drawn in the report: about twenty bars that hold 99 % of
    these games, and one for the rest."""
    change: Change | UnsetType = UNSET


class Report(Struct, frozen=True, kw_only=True):
    """A whole study."""

    seed: int
    games: int
    """Its games are 0 … `games` − 1 of the seed."""
    stopped: Stopped
    until: float | None
    """How narrow the interval of the mean of the rounds was to become, as a part of the mean."""
    width: float | None
    """How narrow it is, under those of the rules where it is widest; None if too few games ended
    to tell."""
    pace: list[float]
    """Seconds for a round and for a war step."""
    rules: list[Figures]


def report_of(
    study: Study, names: Sequence[str], stopped: Stopped, until: float | None = None
) -> Report:
    """What a study has found so far, its rules under these names. Raises ZeroDivisionError without
    games."""
    plan = study.plan
    return Report(
        seed=plan.seed,
        games=study.games,
        stopped=stopped,
        until=until,
        width=study.width(),
        pace=[plan.pace.round / 100, plan.pace.step / 100],
        rules=figures_of(names, plan.rules, study.tallies, study.comparisons),
    )


def share_of(games: int, all_games: int) -> Share:
    """With the interval of Wilson (1927), which also holds for shares near 0 and 1."""
    share = games / all_games
    spread = Z * Z / all_games
    middle = (share + spread / 2) / (1 + spread)
    reach = Z * sqrt(share * (1 - share) / all_games + spread / all_games / 4) / (1 + spread)
    return Share(
        games=games,
        share=share,
        low=0.0 if games == 0 else middle - reach,
        high=1.0 if games == all_games else middle + reach,
    )


def estimate_of(numbers: Distribution | Differences, unit: int = 1) -> Estimate | None:
    """The mean, in units of so many; None without games.

    Its interval takes means to be normally distributed, and so none is given for fewer than 100
    games, nor for differences that come from fewer than 100 games which differ at all."""
    if not numbers.games:
        return None
    mean = numbers.mean / unit
    telling = numbers.unlike if isinstance(numbers, Differences) else numbers.games
    if telling < _ENOUGH:
        return Estimate(mean, None, None)
    reach = Z * numbers.deviation / sqrt(numbers.games) / unit
    return Estimate(mean, mean - reach, mean + reach)


def spread_of(numbers: Distribution, unit: int = 1) -> Spread | None:
    """In units of so many; None without games."""
    estimate = estimate_of(numbers, unit)
    if estimate is None:
        return None
    percentiles = zip(PERCENTILES, numbers.percentiles(PERCENTILES.values()), strict=True)
    return Spread(
        mean=estimate.mean,
        low=estimate.low,
        high=estimate.high,
        deviation=numbers.deviation / unit if numbers.games > 1 else None,
        **{name: number if unit == 1 else number / unit for name, number in percentiles},
    )


def round_step(least: int, most: int, bars: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 … such that so many bars of that width, each beginning at
    a multiple of it, hold all numbers from `least` to `most`."""
    for power in count():
        for step in (1, 2, 5):
            width: int = step * 10**power
            if most // width - least // width < bars:
                return width
    raise AssertionError("numbers have an end")


def edges_of(lengths: Sequence[Distribution], percent: Fraction, bars: int) -> range:
    """Where bars of a round width begin, at most so many, that hold at least so many per cent of
    the games of each distribution; a single bar without games. A bar doesn't hold the number at
    which it begins, but that at which it ends, as a round limit mostly is."""
    some = [numbers for numbers in lengths if numbers.games]
    least = min((min(numbers.counts) for numbers in some), default=1)
    most = max((numbers.percentiles([percent])[0] for numbers in some), default=1)
    width = round_step(least - 1, most - 1, bars)
    return range((least - 1) // width * width, most, width)


def bars_of(lengths: Distribution, edges: range) -> list[Bar]:
    """The games in the bars that begin at these edges, and those that last longer in one more,
    which is open. No bars without games."""
    if not lengths.games:
        return []
    bars: list[Bar] = []
    counted = 0
    for edge in edges:
        last = edge + edges.step
        games = lengths.below(last + 1) - counted
        bars.append(Bar(edge + 1, last, games, games / lengths.games))
        counted += games
    if rest := lengths.games - counted:
        bars.append(Bar(last + 1, None, rest, rest / lengths.games))
    return bars


def figures_of(
    names: Sequence[str],
    rules: Sequence[Rules],
    tallies: Sequence[Tally],
    comparisons: Sequence[Comparison],
) -> list[Figures]:
    """The figures of a study: a name and a tally for each of the rules, and a comparison with the
    first for each but the first. Raises ZeroDivisionError without games."""
    reasons = [reason for reason in REASONS if any(tally.rounds[reason].games for tally in tallies)]
    changes: list[Change | UnsetType] = [
        UNSET,
        *(
            _change(names[0], reasons, rules[0], other, comparison)
            for other, comparison in zip(rules[1:], comparisons, strict=True)
        ),
    ]
    return [
        _figures(name, reasons, own, tally, change)
        for name, own, tally, change in zip(names, rules, tallies, changes, strict=True)
    ]


def _figures(
    name: str, reasons: Sequence[str], rules: Rules, tally: Tally, change: Change | UnsetType
) -> Figures:
    games, lengths = tally.games, tally.lengths
    return Figures(
        rules=name,
        time_limit=None if rules.seconds is None else str(rules.time_limit),
        games=games,
        ended={
            reason: share_of(tally.rounds[reason].games, games)
            for reason in reasons
            if can_end(rules, reason)
        },
        wins=[share_of(tally.won_by(seat), games) for seat in range(rules.players)],
        drawn=share_of(tally.drawn, games),
        rounds=spread_of(lengths),
        shortest=tally.shortest,
        longest=tally.longest,
        minutes=spread_of(tally.times, unit=6000),
        layers=spread_of(tally.layers),
        lead_changes=spread_of(tally.lead_changes),
        wars=[
            WarDepth(steps=steps, wars=wars, a_game=wars / games)
            for steps, wars in sorted(tally.wars.items())
        ],
        deepest=tally.deepest,
        bars=bars_of(lengths, edges_of([lengths], PERCENTILES["p99"], _BARS)),
        change=change,
    )


def _change(
    name: str, reasons: Sequence[str], base: Rules, other: Rules, comparison: Comparison
) -> Change:
    """`name`: what the first rules, the base, are called."""
    outcomes = comparison.outcomes
    seats = min(base.players, other.players)
    return Change(
        compared_with=name,
        same_deals=same_deals(base, other),
        games_that_end=comparison.rounds.games,
        ended={
            reason: _share_change(outcomes, partial(_ended, reason))
            for reason in reasons
            if can_end(base, reason) and can_end(other, reason)
        },
        wins=[_share_change(outcomes, partial(_won, seat)) for seat in range(seats)],
        drawn=_share_change(outcomes, lambda outcome: outcome.drawn),
        rounds=estimate_of(comparison.rounds),
        minutes=estimate_of(comparison.times, unit=6000),
        layers=estimate_of(comparison.layers),
        lead_changes=estimate_of(comparison.lead_changes),
    )


def can_end(rules: Rules, reason: str) -> bool:
    """Whether a simulated game can end for this reason (one of `REASONS`) at all."""
    match reason:
        case "repetition":
            return rules.repetition == "draw" and not rules.shuffles
        case "round-limit":
            return rules.last_round is not None
        case "endless":
            return rules.can_run_for_ever
    return True


def same_deals(one: Rules, other: Rules) -> bool:
    """Whether a seed deals the same piles under both."""
    return (one.pack.cards, one.players) == (other.pack.cards, other.players) and (
        one.leftover == other.leftover or one.deck_size % one.players == 0
    )


def _ended(reason: str, outcome: Outcome) -> bool:
    return outcome.reason == reason


def _won(seat: int, outcome: Outcome) -> bool:
    return bool(outcome.winners >> seat & 1)


def _share_change(
    outcomes: Counter[tuple[Outcome, Outcome]], so: Callable[[Outcome], bool]
) -> Estimate:
    """How much larger a share of the games is so under the second rules.

    The interval is that for matched pairs of Agresti and Min (2005), which also holds where hardly
    a game came out differently."""
    games = outcomes.total()
    gained = sum(n for (base, other), n in outcomes.items() if so(other) and not so(base))
    lost = sum(n for (base, other), n in outcomes.items() if so(base) and not so(other))
    adjusted = games + 2
    middle = (gained - lost) / adjusted
    changed = gained + lost + 1
    reach = Z * sqrt(changed - (gained - lost) ** 2 / adjusted) / adjusted
    return Estimate(mean=(gained - lost) / games, low=middle - reach, high=middle + reach)
