"""The pictures: what must be written on them, in the form of print."""

from __future__ import annotations

import io
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from msgspec.structs import replace

from warcli.rulesfile import load
from warcli.simulation import simulate
from warcli.study.by_law import play
from warcli.study.pace import Pace
from warcli.study.plots import draw_game, draw_lengths, save
from warcli.study.tally import Tally

PACE = Pace.read("4,6")
KRIG = load("krig")
SEAT_ORDER = replace(KRIG, capture_order="seat-order")


def tally_of(rules_name: str = "krig", games: int = 60) -> Tally:
    rules = SEAT_ORDER if rules_name == "seat-order" else load(rules_name)
    return Tally.of(play(rules, 1, 0, games), 0, rules, PACE)


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
        "rounds",
        "chance",
        "share of the games",
        "minutes, at 4 seconds a round and 6 more a war step",
    ):
        assert said in text


def test_curves_differ_by_more_than_colour() -> None:
    figure = draw_lengths(["one", "two", "three"], [tally_of()] * 3, 1, PACE)
    for axes in figure.axes:
        lines = axes.get_lines()
        assert len(lines) == 3
        assert len({line.get_color() for line in lines}) == 3
        assert len({repr(line._dash_pattern) for line in lines}) == 3  # type: ignore[attr-defined]


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
    tally = Tally.of(play(rules, 1, 0, 60), 0, rules, PACE)
    only_endless = Tally(winners=tally.winners)
    only_endless.rounds["endless"] = tally.rounds["endless"]
    assert "100.0 % never end" in written_on(draw_lengths(["x"], [only_endless], 1, PACE))


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
    assert ends.max() == 100 < axes.get_xlim()[1]
    assert shares.sum() == pytest.approx(1)
    reached = tallies[-1].rounds["round-limit"].games / tallies[-1].games
    assert shares[shares > 0][-1] >= reached > 0


def test_signs_that_no_font_has_are_named_and_not_warned_of(
    recwarn: pytest.WarningsRecorder,
) -> None:
    unknown = "\N{EGYPTIAN HIEROGLYPH A001}"
    figure = draw_game(simulate(KRIG, 1, 0, (f"A{unknown}na", "Łuis")))
    assert save(figure, io.BytesIO(), "png") in ("", unknown)
    assert save(draw_game(simulate(KRIG, 1)), io.BytesIO(), "png") == ""
    assert not recwarn.list
