"""The pictures: what must be written on them, in the form of print."""

from __future__ import annotations

import io
import re
from collections import Counter
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from msgspec.structs import replace

from warcli.events import Result, Round
from warcli.rulesfile import load
from warcli.simulation import simulate
from warcli.study.by_law import play
from warcli.study.figures import bars_of
from warcli.study.pace import Pace
from warcli.study.plots import draw_game, draw_lengths, save
from warcli.study.tally import Distribution, Tally

PACE = Pace.read("4,6")
KRIG = load("krig")
SEAT_ORDER = replace(KRIG, capture_order="seat-order")


def tally_of(rules_name: str = "krig", games: int = 60) -> Tally:
    rules = SEAT_ORDER if rules_name == "seat-order" else load(rules_name)
    return Tally.of(play(rules, 1, 0, games), 0, PACE)


def written_on(figure: object) -> str:
    """Every text of a picture."""
    file = io.BytesIO()
    save(figure, file, "svg")  # type: ignore[arg-type]
    root = ET.fromstring(file.getvalue().decode())
    return "\n".join(text for text in root.itertext() if text.strip())


def test_the_picture_of_a_study_explains_itself() -> None:
    figure = draw_lengths(
        ["krig", "seat-order"], [tally_of("krig"), tally_of("seat-order")], 1, PACE
    )
    text = written_on(figure)
    for said in (
        "60 games of seed 1",
        "krig",
        "seat-order (",
        "% never end)",
        "Share of the games that end, by their rounds",
        "Chance that the game still goes on after so many rounds",
        "rounds",
        "hours, at 4 seconds a round and 6 more a war step",
    ):
        assert said in text


def test_curves_differ_by_more_than_colour() -> None:
    figure = draw_lengths(["one", "two", "three"], [tally_of()] * 3, 1, PACE)
    for axes in figure.axes:
        lines = axes.get_lines()
        assert len(lines) == 3
        assert len({line.get_color() for line in lines}) == 3
        assert len({repr(line._dash_pattern) for line in lines}) == 3  # type: ignore[attr-defined]


def test_however_many_curves_no_two_look_the_same() -> None:
    figure = draw_lengths([f"rules {number}" for number in range(20)], [tally_of()] * 20, 1, PACE)
    lines = figure.axes[1].get_lines()
    looks = {(line.get_color(), repr(line._dash_pattern)) for line in lines}  # type: ignore[attr-defined]
    assert len(looks) == 20


def test_a_game_that_never_ends_always_goes_on() -> None:
    tally = tally_of("seat-order")
    endless = tally.rounds["endless"].games / tally.games
    assert 0 < endless < 1
    for axes in draw_lengths(["seat-order"], [tally], 1, PACE).axes[1:]:
        (curve,) = axes.get_lines()
        chances = np.asarray(curve.get_ydata(), float).tolist()
        assert chances == sorted(chances, reverse=True)
        assert chances[0] == 1
        assert chances[-1] == pytest.approx(endless)


def test_a_study_in_which_no_game_ends_can_be_drawn() -> None:
    rules = replace(SEAT_ORDER, name="for ever")
    tally = Tally.of(play(rules, 1, 0, 60), 0, PACE)
    only_endless = Tally(winners=tally.winners)
    only_endless.rounds["endless"] = tally.rounds["endless"]
    assert "x (100.0 % never end)" in written_on(draw_lengths(["x"], [only_endless], 1, PACE))


def test_nearly_all_games_are_not_all_of_them() -> None:
    tally = tally_of("seat-order")
    tally.rounds["endless"].games = 1_000_000
    assert "99.997 % never end" in written_on(draw_lengths(["x"], [tally], 1, PACE))


def test_games_that_never_end_go_on_to_the_edge_of_the_picture() -> None:
    for axes in draw_lengths(["x"], [tally_of("seat-order")], 1, PACE).axes[1:]:
        (curve,) = axes.get_lines()
        assert np.asarray(curve.get_xdata(), float).max() >= axes.get_xlim()[1]


def laid_out(figure: Figure) -> Figure:
    """The picture with everything where it will be printed."""
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    return figure


@pytest.mark.parametrize("rounds", [1, 3, 27])
def test_rounds_are_counted_in_whole_numbers(rounds: int) -> None:
    rules = replace(KRIG, round_limit=rounds)
    tally = Tally.of(play(rules, 1, 0, 60), 0, PACE)
    figures = (draw_lengths(["x"], [tally], 1, PACE), draw_game(simulate(rules, 1)))
    for axes in (*laid_out(figures[0]).axes[:2], *laid_out(figures[1]).axes):
        numbers = [label.get_text() for label in axes.get_xticklabels()]
        assert len(numbers) > 1
        assert all(number.isdigit() for number in numbers)


@pytest.mark.parametrize(
    ("pace", "unit"), [("4,6", "minutes"), ("0.1,0", "seconds"), ("400,600", "hours")]
)
def test_times_are_told_in_the_unit_that_they_are_best_read_in(pace: str, unit: str) -> None:
    fast = Pace.read(pace)
    tally = Tally.of(play(KRIG, 1, 0, 60), 0, fast)
    figure = draw_lengths(["krig"], [tally], 1, fast)
    assert f"{unit}, at" in written_on(figure)
    assert figure.axes[2].get_xlim()[1] <= 360


LONG = "The rules of a family that had no time to think of a shorter name for them, really"


def test_long_names_are_neither_cut_off_nor_over_the_curves() -> None:
    names = [LONG, LONG.replace(" ", "_"), "krig"]
    players = (LONG[:40], LONG[40:80])
    events = list(simulate(replace(KRIG, name=LONG), 1, 0, players))
    for figure in (draw_lengths(names, [tally_of()] * 3, 1, PACE), draw_game(events)):
        page = laid_out(figure).bbox
        for text in figure.findobj(Text):
            assert isinstance(text, Text)
            box = text.get_window_extent()
            if len(text.get_text()) > 20:
                assert page.x0 <= box.x0 < box.x1 <= page.x1, text.get_text()
                assert page.y0 <= box.y0 < box.y1 <= page.y1, text.get_text()
        (legend,) = figure.legends
        box = legend.get_window_extent()
        assert not any(box.overlaps(axes.get_window_extent()) for axes in figure.axes)


def test_one_bar_at_a_limit_does_not_hide_the_others() -> None:
    rules = replace(KRIG, round_limit=300)
    limited = Tally.of(play(rules, 1, 0, 60), 0, PACE)
    limited.rounds["round-limit"] = Distribution.of(Counter({300: 1_000_000}))
    figure = draw_lengths(["krig", "limited"], [tally_of(), limited], 1, PACE)
    assert figure.axes[0].get_ylim()[1] < 0.5
    assert re.search(r"^limited: 99\.99\d % here$", written_on(figure), re.MULTILINE)


def test_who_is_out_is_not_drawn_any_more() -> None:
    events = list(simulate(replace(load("three-players"), players=5), 4))
    figure = draw_game(events)
    curves = [np.asarray(line.get_ydata()).tolist() for line in figure.axes[0].get_lines()[:5]]
    assert sum(curve.count(0) for curve in curves) == 4
    assert all(0 not in curve[:-1] for curve in curves)


def test_a_long_game_is_drawn_as_curves_not_as_bands() -> None:
    """A thousand rounds in which two players take a card from each other by turns."""
    events = list(simulate(load("three-players"), 4))
    (*_, result) = events
    assert isinstance(result, Result)
    assert result.rounds == 1_000
    sizes = {event.round: event.sizes for event in events if isinstance(event, Round)}
    curve = draw_game(events).axes[0].get_lines()[0]
    rounds, held = (np.asarray(data).tolist() for data in curve.get_data())
    assert len(rounds) < 500
    assert rounds[-1] == 1_000
    assert all(sizes[at][0] == cards for at, cards in zip(rounds[1:], held[1:], strict=True))
    turns = np.count_nonzero(np.diff(np.sign(np.diff(held))))
    assert turns < 200


def test_the_picture_of_a_game_shows_piles_and_wars() -> None:
    events = list(simulate(KRIG, 42, 1151, ("Ana", "Luis")))
    figure = draw_game(events)
    text = written_on(figure)
    for said in (
        "Ana",
        "Luis",
        "krig, seed 42, game 1151",
        "rounds",
        "cards held",
        "war of 1 step",
    ):
        assert said in text
    piles = [np.asarray(line.get_ydata()) for line in figure.axes[0].get_lines()[:2]]
    assert set((piles[0] + piles[1]).tolist()) == {52}
    assert piles[0][0] == 26


def test_names_are_taken_as_they_are() -> None:
    events = simulate(KRIG, 1, 0, ("$x_1$", "B&B"))
    text = written_on(draw_game(events))
    assert "$x_1$" in text
    assert "B&B" in text


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_the_same_study_gives_the_same_picture(kind: str, begins: bytes) -> None:
    def drawn() -> bytes:
        file = io.BytesIO()
        save(draw_lengths(["krig"], [tally_of()], 1, PACE), file, kind)
        return file.getvalue()

    once = drawn()
    assert once == drawn()
    assert once.startswith(begins)


def test_names_with_an_underscore_are_in_the_legend() -> None:
    text = written_on(draw_game(simulate(KRIG, 1, 0, ("_Ana", "Luis"))))
    assert "_Ana" in text
    text = written_on(draw_lengths(["_a", "_b"], [tally_of(), tally_of("seat-order")], 1, PACE))
    assert "_a" in text
    assert "_b (" in text


@pytest.mark.parametrize("names", [["krig-rounds"], ["krig", "krig-rounds"]])
def test_the_games_that_reach_a_limit_are_seen_and_none_goes_beyond_it(names: list[str]) -> None:
    tallies = [tally_of(name) for name in names]
    axes = draw_lengths(names, tallies, 1, PACE).axes[0]
    limited = axes.get_lines()[-1]
    ends, shares = (np.asarray(data, float) for data in limited.get_data())
    assert 100 <= ends.max() <= 100.5 < axes.get_xlim()[1]
    assert shares.sum() == pytest.approx(1)
    reached = tallies[-1].rounds["round-limit"].games / tallies[-1].games
    assert shares[shares > 0][-1] >= reached > 0


def test_a_bar_is_as_high_as_the_report_says() -> None:
    """However many games never end, which are in no bar."""
    tally = tally_of("seat-order")
    axes = draw_lengths(["seat-order"], [tally], 1, PACE).axes[0]
    (outline,) = axes.get_lines()
    ends, (_, *shares, _) = (np.asarray(data, float).tolist() for data in outline.get_data())
    lengths = tally.lengths
    edges = range(round(ends[1]), round(ends[-1]), round(ends[2] - ends[1]))
    bars = bars_of(lengths, edges)[: len(edges)]
    assert shares == [bar.share for bar in bars]
    assert lengths.games < tally.games
    assert sum(shares) >= 0.995


def test_signs_that_no_font_has_are_named_and_not_warned_of(
    recwarn: pytest.WarningsRecorder,
) -> None:
    unknown = "\N{EGYPTIAN HIEROGLYPH A001}"
    figure = draw_game(simulate(KRIG, 1, 0, (f"A{unknown}na", "Łuis")))
    assert save(figure, io.BytesIO(), "png") in ("", unknown)
    assert save(draw_game(simulate(KRIG, 1)), io.BytesIO(), "png") == ""
    assert not recwarn.list
