"""The study agrees with figures that others published.

A public simulator's README gives, for a million games with two seats, 52 cards, one card face down
and captured cards shuffled: a mean of 440 to 445 rounds, a median of 330 to 335, 95 % of the games
within about 1,160 rounds and 99 % within about 1,750.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from msgspec.structs import replace

from warcli.rulesfile import load
from warcli.study.figures import Z, estimate_of
from warcli.study.pace import Pace
from warcli.study.run import Plan, Study, run, thread_crew
from warcli.study.tally import Distribution

GAMES = 60_000


@pytest.fixture(scope="module")
def lengths() -> Distribution:
    rules = replace(load("krig"), capture_order="shuffled")
    assert (rules.deck_size, rules.players, rules.war_face_down) == (52, 2, 1)
    assert (rules.shortage, rules.round_limit) == ("first-out-loses", "none")
    study = Study(Plan(rules=(rules,), seed=2, pace=Pace.read("4,6"), player="kernel"))
    with thread_crew(2) as crew:
        run(study, GAMES, crew, lambda _: True)
    return study.tallies[0].lengths


def test_mean(lengths: Distribution) -> None:
    mean = estimate_of(lengths)
    assert mean
    assert mean.low is not None
    assert mean.high is not None
    assert mean.high - mean.low < 7
    assert mean.low <= 445
    assert mean.high >= 440


@pytest.mark.parametrize(
    ("percent", "least", "most"), [(50, 330, 335), (95, 1_155, 1_165), (99, 1_745, 1_755)]
)
def test_percentiles(lengths: Distribution, percent: int, least: int, most: int) -> None:
    share = percent / 100
    reach = 100 * Z * sqrt(share * (1 - share) / GAMES)
    low, high = lengths.percentiles([Fraction(percent - reach), Fraction(percent + reach)])
    assert high - low < 0.04 * most
    assert low <= most
    assert high >= least
