"""What the report says, and how sure it is."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import REPETITIONS, WON_CARDS, RoundLimit

from warcli.deal import deal
from warcli.generator import Generator
from warcli.rules import CAPTURE_ORDERS, Repetition, Rules
from warcli.rulesfile import load, profiles
from warcli.study import kernel
from warcli.study.by_law import play
from warcli.study.columns import counted
from warcli.study.figures import (
    Estimate,
    Report,
    WarDepth,
    bars_of,
    can_end,
    edges_of,
    estimate_of,
    figures_of,
    round_step,
    same_deals,
    share_of,
)
from warcli.study.games import REASONS
from warcli.study.pace import Pace
from warcli.study.report import as_csv, as_json, as_text
from warcli.study.tally import Comparison, Differences, Distribution, Extreme, Outcome, Tally

PACE = Pace.read("4,6")
KRIG = load("krig")
NAMES = ("krig", "seat-order", "three-players")


def rules_called(name: str) -> Rules:
    if name == "seat-order":
        return replace(load("krig"), capture_order="seat-order")
    return load(name)


def report_of(names: tuple[str, ...] = NAMES, games: int = 60) -> Report:
    """A small study of some rules, played on the law."""
    rules = [rules_called(name) for name in names]
    played = [play(one, 7, 0, games) for one in rules]
    tallies = [Tally.of(some, 0, PACE) for some in played]
    comparisons = [Comparison.of(played[0], some, PACE) for some in played[1:]]
    return Report(
        seed=7,
        games=games,
        stopped="done",
        until=None,
        width=None,
        pace=[4.0, 6.0],
        rules=figures_of(names, rules, tallies, comparisons),
    )


def interval_of(estimate: Estimate | None) -> tuple[float, float]:
    assert estimate
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


@pytest.fixture(scope="module")
def report() -> Report:
    return report_of(games=120)


@pytest.mark.parametrize(
    ("games", "of", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I: method 3, Wilson without correction
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_shares_have_wilsons_interval(games: int, of: int, low: float, high: float) -> None:
    share = share_of(games, of)
    assert share.share == games / of
    assert (round(share.low, 4), round(share.high, 4)) == (low, high)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """A thousand studies of dice: 95 of 100 intervals of the mean hold 3.5."""
    dice = Random(1)
    held = 0
    for _ in range(1_000):
        throws = Distribution.of(counted([dice.randint(1, 6) for _ in range(100)]))
        low, high = interval_of(estimate_of(throws))
        held += low <= 3.5 <= high
    assert 920 <= held <= 975  # four standard deviations of a share of 0.95


@pytest.mark.parametrize(("gained", "lost"), [(0.2, 0.25), (0.002, 0.01), (0.0, 0.1)])
def test_intervals_of_changed_shares_hold_the_truth_too(gained: float, lost: float) -> None:
    """A thousand comparisons of a thousand games; rare changes may be held more often."""
    chance = Random(3)
    won, other = Outcome("collected", 1), Outcome("collected", 2)
    tallies = [Tally.of(play(KRIG, 7, 0, 1), 0, PACE)] * 2
    held = 0
    for _ in range(1_000):
        kinds = chance.choices((0, 1, 2), (gained, lost, 1 - gained - lost), k=1_000)
        more, less, same = map(kinds.count, range(3))
        comparison = Comparison(Counter({(other, won): more, (won, other): less, (won, won): same}))
        *_, figures = figures_of("ab", [KRIG, KRIG], tallies, [comparison])
        assert figures.change
        low, high = interval_of(figures.change.wins[0])
        held += low <= gained - lost <= high
    assert held >= 920


def test_few_games_that_differ_do_not_say_how_sure_a_difference_is() -> None:
    one = [0] * 10_000
    for unlike, told in ((99, False), (100, True)):
        other = [5] * unlike + [0] * (10_000 - unlike)
        estimate = estimate_of(Differences.of(other, one))
        assert estimate
        assert estimate.mean == 5 * unlike / 10_000
        assert (estimate.low is not None) == told


def test_few_games_do_not_say_how_sure_a_mean_is() -> None:
    one = report_of(("krig", "guerra"), 1)
    for figures in one.rules:
        assert figures.rounds
        assert (figures.rounds.low, figures.rounds.high) == (None, None)
        assert figures.rounds.deviation is None
    text = as_text(one, ["war simulate -r krig -s 7"])
    assert re.search(r"^  mean +[\d.]+ +[\d.]+$", text, re.MULTILINE)
    assert re.search(r"^    change +\+0\.0$", text, re.MULTILINE)
    assert "rounds.low" not in as_csv(one)


def test_when_no_game_ends_there_are_no_lengths() -> None:
    rules = rules_called("seat-order")
    reasons = play(rules, 7, 0, 60).reason
    game = next(game for game in range(60) if REASONS[reasons[game]] == "endless")
    only = Tally.of(play(rules, 7, game, 1), game, PACE)
    (figures,) = figures_of(["x"], [rules], [only], [])
    assert figures.ended["endless"].share == 1
    assert figures.rounds is None
    assert figures.minutes is None
    assert figures.bars == []
    report = replace(report_of(("krig",), 5), rules=[figures])
    assert "never (endless)" in as_text(report, ["war simulate -s 7"])
    assert json.loads(as_json(report))["rules"][0]["rounds"] is None


def test_a_difference_is_as_sure_as_matched_deals_make_it(report: Report) -> None:
    figures = report.rules[1]
    assert figures.change
    endless = figures.change.ended["endless"]
    assert endless.mean == figures.ended["endless"].share - report.rules[0].ended["endless"].share
    low, high = interval_of(endless)
    assert low < endless.mean < high
    assert figures.change.compared_with == "krig"


def test_rules_that_change_nothing_differ_by_nothing() -> None:
    change = report_of(("krig", "krig")).rules[1].change
    assert change
    assert change.rounds
    assert (change.rounds.mean, change.rounds.low, change.rounds.high) == (0, None, None)
    assert change.wins[0].mean == 0
    low, high = interval_of(change.wins[0])
    assert low < 0 < high  # 60 games prove no more


@given(st.lists(st.integers(1, 100_000), min_size=1, max_size=100))
def test_the_bars_hold_every_game_once(numbers: list[int]) -> None:
    lengths = Distribution.of(counted(numbers))
    bars = bars_of(lengths, edges_of([lengths], Fraction(99), 20))
    assert sum(bar.games for bar in bars) == len(numbers)
    for bar in bars:
        last = max(numbers) if bar.last is None else bar.last
        assert bar.games == sum(bar.first <= number <= last for number in numbers)
        assert bar.share == bar.games / len(numbers)
    assert sum(bar.games for bar in bars if bar.last is not None) >= 0.99 * len(numbers)
    assert all(one.last is not None and one.last + 1 == two.first for one, two in pairwise(bars))
    assert len(bars) <= 21


def test_no_games_no_bars() -> None:
    assert bars_of(Distribution(), edges_of([Distribution()], Fraction(99), 20)) == []


def test_games_that_reach_a_limit_stand_in_the_bar_that_ends_there() -> None:
    (figures,) = report_of(("krig-rounds",)).rules
    assert figures.longest
    assert figures.longest.number == 100  # its limit
    assert figures.bars[-1].first < 100 == figures.bars[-1].last


@pytest.mark.parametrize(("most", "step"), [(9, 1), (20, 2), (99, 5), (100, 10), (5_000, 500)])
def test_bars_are_as_wide_as_a_person_would_make_them(most: int, step: int) -> None:
    assert round_step(0, most, 20) == step


def test_json_and_csv_say_the_same_under_the_same_names(report: Report) -> None:
    whole = json.loads(as_json(report))
    lines = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert {line["rules"] for line in lines} == set(NAMES)
    named = {figures["rules"]: {**whole, **figures} for figures in whole["rules"]}
    for line in lines:
        value = named[line["rules"]]
        for step in line["figure"].split("."):
            value = value[int(step)] if isinstance(value, list) else value[step]
        assert line["value"] == (value if isinstance(value, str) else json.dumps(value))
    figures = {line["figure"] for line in lines if line["rules"] == "seat-order"}
    assert {
        "games",
        "ended.endless.share",
        "ended.endless.low",
        "wins.1.high",
        "rounds.mean",
        "rounds.deviation",
        "rounds.median",
        "rounds.p999",
        "shortest.number",
        "shortest.game",
        "minutes.mean",
        "layers.mean",
        "lead_changes.mean",
        "deepest.number",
        "change.same_deals",
        "change.rounds.mean",
        "change.wins.1.low",
    } <= figures


def test_the_table_has_every_figure_of_the_study(report: Report) -> None:
    text = as_text(report, ["war simulate -r krig -s 7"], width=200)
    krig = report.rules[0]
    assert krig.shortest
    assert krig.longest
    assert krig.rounds
    for said in (
        "120 games of seed 7",
        f"{krig.shortest.number} (--game {krig.shortest.game})",
        f"{krig.longest.number:,} (--game {krig.longest.game})",
        "never (endless)",
        "95 % up to",
        "99.9 % up to",
        "Minutes at a table",
        "Lead changes",
        "Layers laid",
        "war simulate -r krig -s 7 --game N",
        "nobody (drawn)",
    ):
        assert said in text


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("ascii", [True, False])
@pytest.mark.parametrize("names", [("krig",), NAMES])
def test_it_fits_the_terminal(names: tuple[str, ...], ascii: bool, width: int) -> None:
    text = as_text(report_of(names, 20), ["war simulate -r krig -s 7"], width, ascii=ascii)
    assert max(map(len, text.splitlines())) <= width
    assert not any(line.endswith(" ") for line in text.splitlines())
    assert text.isascii() == ascii


def test_control_characters_of_a_name_never_reach_the_terminal() -> None:
    report = report_of(("krig",), 5)
    named = replace(report, rules=[replace(report.rules[0], rules="bad\x1b[31m")])
    text = as_text(named, ["war simulate -s 7"])
    assert "\x1b" not in text
    assert "bad" in text


def test_games_that_never_end_have_no_length() -> None:
    rules = replace(load("krig"), capture_order="seat-order")
    played = play(rules, 7, 0, 60)
    endless = Counter(played.reason)[REASONS.index("endless")]
    assert 0 < endless < 60
    (figures,) = figures_of(["x"], [rules], [Tally.of(played, 0, PACE)], [])
    assert figures.ended["endless"].games == endless
    assert figures.rounds
    lengths = [
        rounds
        for rounds, reason in zip(played.rounds, played.reason, strict=True)
        if REASONS[reason] != "endless"
    ]
    assert figures.rounds.mean == sum(lengths) / (60 - endless)
    assert sum(bar.games for bar in figures.bars) == 60 - endless


def test_a_mean_of_which_every_game_is_the_same_has_its_decimals() -> None:
    rules = replace(load("krig"), round_limit=3)
    games = play(rules, 7, 0, 120)
    tally = Tally.of(games, 0, PACE)
    tally.times = Distribution.of(Counter({4_00: 120}))
    text = as_text(
        Report(
            seed=7,
            games=120,
            stopped="limit",
            until=0.1,
            width=None,
            pace=[4.0, 6.0],
            rules=figures_of(["short"], [rules], [tally], []),
        ),
        ["war simulate"],
    )
    assert "  mean            0.067 (0.067–0.067)" in text
    assert "Too few games have ended to tell" in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_change_stands_under_what_it_changes(report: Report, width: int) -> None:
    """Whatever columns are side by side: under a figure of the first rules, nothing."""
    long = [
        replace(figures, rules=f"{figures.rules} {'as we play it ' * 6}")
        for figures in report.rules
    ]
    for rules in (report.rules, long):
        text = as_text(replace(report, rules=rules), ["war simulate"], width)
        assert max(map(len, text.splitlines())) <= width
        shares = [line for line in text.splitlines() if re.match(" +(all collected|change) ", line)]
        collected: list[float] = []
        for line, under in pairwise(shares):
            if "all collected" in line:
                was = [float(share) for share in re.findall(r"([\d.]+) %", line)]
                changes = [
                    float(points)
                    for points in re.findall(r"[+]?(-?[\d.]+) \(", under.replace("−", "-"))
                ]
                first = not collected
                collected += was
                if "change" in under:
                    assert changes == pytest.approx(
                        [share - collected[0] for share in was[first:]], abs=0.051
                    )
        assert len(collected) == 3


def shares_in(text: str, section: str) -> dict[str, Decimal]:
    """The percentages in a section of the table, by their labels."""
    _, _, lines = text.partition(f"{section}\n")
    found = re.findall(r"^  (\S.*?)  +([\d.]+) %", lines.split("\n\n")[0], re.MULTILINE)
    until = next((at for at, (name, _) in enumerate(found) if name.endswith("up to")), None)
    return {name: Decimal(share) for name, share in found[:until]}


@given(st.lists(st.integers(0, 1_000_000), min_size=3, max_size=3).filter(any))
@example([16_089, 0, 3_911])  # 80.445 and 19.555 %
@example([1, 1, 1])
def test_shares_add_up(report: Report, counts: list[int]) -> None:
    """To the last digit that is shown, which is less than a game."""
    collected, endless, short = counts
    games = sum(counts)
    ended = {"collected": collected, "shortage": short, "endless": endless}
    wins = (collected // 3, collected - collected // 3)
    figures = replace(
        report.rules[0],
        games=games,
        ended={reason: share_of(count, games) for reason, count in ended.items()},
        wins=[share_of(count, games) for count in wins],
        drawn=share_of(short, games),
        rounds=None,
        minutes=None,
        layers=None,
        lead_changes=None,
    )
    text = as_text(replace(report, rules=[figures]), ["war simulate"])
    ways = shares_in(text.partition("Won by")[0], "How they end")
    winners = shares_in(text, "Won by")
    assert sum(ways.values()) == 100
    assert sum(winners.values()) == 100
    assert winners["nobody (endless)"] == ways["never (endless)"]
    for count, share in zip((collected, short, endless), ways.values(), strict=True):
        assert abs(share - Decimal(100 * count) / games) < max(Decimal("0.2"), Decimal(300) / games)


def test_what_hardly_ever_happens_is_seen_to_happen(report: Report) -> None:
    """Of a hundred million games."""
    games = 10**8
    ended = {
        reason: share_of(count, games)
        for reason, count in (("collected", games - 7), ("shortage", 7), ("endless", 0))
    }
    rare = replace(report.rules[0], games=games, ended=ended)
    text = as_text(replace(report, rules=[rare]), ["war simulate"])
    assert re.search(r"short in a war +0\.000007 % \(0\.000003–0\.000014\)", text)
    assert re.search(r"never \(endless\) +0\.000000 % \(0\.000000–0\.000004\)", text)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("krig", "guerra"), "compares with krig game by game, on the same deals."),
        (("krig", "pyanitsa"), "compares with krig, but not on the same deals, as the pack,"),
        (("krig", "guerra", "three-players"), "same deals; but not under three-players, where"),
    ],
)
def test_what_is_compared_on_the_same_deals_is_told(names: tuple[str, ...], said: str) -> None:
    report = report_of(names, 5)
    assert said in " ".join(as_text(report, ["war simulate"]).split())
    for name, figures in zip(names[1:], report.rules[1:], strict=True):
        assert figures.change
        assert figures.change.same_deals == (name == "guerra")


def test_deals_are_the_same_where_the_same_piles_are_dealt() -> None:
    """Held to the deals themselves, for every two of the rules that come along, and some more."""
    rules = [load(name) for name in profiles()]
    rules += [
        replace(rules[0], players=players, leftover=leftover)
        for players in (4, 5)
        for leftover in ("aside", "dealt")
    ]
    for one, other in combinations(rules, 2):
        piles = [deal(some, Generator(7, 0)).piles for some in (one, other)]
        assert same_deals(one, other) == (piles[0] == piles[1])


def test_that_several_can_win_one_game_is_said_where_they_do() -> None:
    def said(rules: Rules) -> bool:
        tally = Tally.of(play(rules, 7, 0, 60), 0, PACE)
        figures = figures_of(["x"], [rules], [tally], [])
        text = as_text(replace(report_of(("krig",), 1), rules=figures), ["war simulate"])
        return "Several players can win one game" in text

    three = load("three-players")
    assert said(replace(three, goal="shed"))
    assert not said(three)
    assert not said(load("pyanitsa-shed"))


def test_an_ending_stands_only_under_rules_that_have_it() -> None:
    """No share, with an interval, of what cannot be."""
    report = report_of(("krig", "krig-rounds"))
    krig, limited = report.rules
    assert "round-limit" not in krig.ended
    assert limited.ended["round-limit"].games > 0
    assert limited.change
    assert set(limited.change.ended) == {"collected", "shortage"}
    text = as_text(report, ["war simulate -r krig -s 7"])
    (line,) = (line for line in text.splitlines() if "round limit" in line)
    assert line.count("%") == 1
    assert line.index("%") > text.splitlines()[2].index("krig-rounds")


@pytest.mark.parametrize("round_limit", [50, "none"])
@pytest.mark.parametrize("repetition", REPETITIONS)
def test_games_end_only_as_their_rules_let_them(
    repetition: Repetition, round_limit: RoundLimit
) -> None:
    for order, won in product(CAPTURE_ORDERS, WON_CARDS):
        rules = replace(
            KRIG,
            deck_size=24,
            rank_order=KRIG.rank_order[:6],
            repetition=repetition,
            round_limit=round_limit,
            capture_order=order,
            won_cards=won,
        )
        for reason in set(kernel.play(rules, 1, 0, 30).reason):
            assert can_end(rules, REASONS[reason])


def test_each_of_the_rules_has_its_command_to_play_a_game_again(report: Report) -> None:
    replays = [f"war simulate -r {name} -s 7" for name in NAMES]
    _, _, after = as_text(report, replays).partition("One of these games in full:\n")
    assert after.startswith("".join(f"  {replay} --game N\n" for replay in replays))


def test_a_very_narrow_interval_is_told_with_two_digits(report: Report) -> None:
    narrow = replace(report, stopped="until", until=0.00002, width=0.0000123)
    assert "is 0.0012 % of the mean." in as_text(narrow, ["war simulate"])


def test_very_many_wars_a_game_have_their_thousands_marked(report: Report) -> None:
    many = replace(report.rules[0], wars=[WarDepth(steps=1, wars=1, a_game=183_526.3)])
    assert "  183,526.3\n" in as_text(replace(report, rules=[many]), ["war simulate"])


def test_a_war_of_one_step_is_not_one_steps() -> None:
    one = report_of(("krig",), 1)
    figures = one.rules[0]
    assert figures.deepest
    once = replace(figures, deepest=Extreme(1, 0))
    assert "1 step (--game 0)" in as_text(replace(one, rules=[once]), ["war simulate"])
