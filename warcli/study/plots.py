"""Pictures: how long games last under some rules, and how one game went.

Made for print and for eyes that don't tell colours apart: curves differ in line style as well as
in colour (Okabe and Ito's palette), everything is labelled on the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from itertools import accumulate, count
from textwrap import fill
from typing import Any, BinaryIO
from warnings import catch_warnings, simplefilter

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, MaxNLocator, StrMethodFormatter

from warcli.events import Deal, Event, Result, Round
from warcli.study.by_law import war_steps
from warcli.study.figures import bars_of, edges_of
from warcli.study.pace import Pace
from warcli.study.tally import Distribution, Tally
from warcli.words import printable, say, say_count

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#777777")
_LINES = (
    "-",
    (0, (5, 1.6)),
    (0, (1, 1.2)),
    (0, (6, 1.6, 1, 1.6)),
    (0, (11, 2)),
    (0, (2.4, 1.4)),
    (0, (1, 3.2)),
    (0, (6, 1.6, 1, 1.6, 1, 1.6)),
)
_CURVES = [(_COLOURS[at % 8], _LINES[(at + at // 8) % 8]) for at in range(64)]
"""Colours and line styles that come in pairs, and then in other pairs."""

_STYLE: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": cycler(
        color=[colour for colour, _ in _CURVES], linestyle=[line for _, line in _CURVES]
    ),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "grid.alpha": 0.35,
    "legend.frameon": False,
    "legend.handlelength": 4,  # so long that a line style shows
    "lines.linewidth": 1.8,
    "svg.fonttype": "none",
    "svg.hashsalt": "warcli",
    "text.parse_math": False,  # a name may have a dollar sign
}
_WAR_MARKS = {1: "^", 2: "D", 3: "*"}
"""How a war is marked, by its steps; the last stands for that many and more."""

_TAIL = Fraction(995, 10)
"""The scales have room for so many per cent of the games that end."""

_BARS = 60
"""At most so many bars fill the scale."""

_OVER = 1.35
"""How far the scale goes beyond the highest bar, where others go beyond the scale."""

_POINTS = 2_000
"""A curve is drawn through no more points than this."""

_ROUNDS = 400
"""So many rounds of one game can be told apart in its picture."""

_LINE = 66
"""Signs in a line of a title or a legend."""


def draw_lengths(names: Sequence[str], tallies: Sequence[Tally], seed: int, pace: Pace) -> Figure:
    """The lengths of the games under each of the rules, and the chance that one still goes on
    after so many rounds or minutes. A game that never ends always goes on."""
    with _style():
        labels = [_label(name, tally) for name, tally in zip(names, tallies, strict=True)]
        figure = Figure(figsize=(7.0, 9.0))
        lengths, rounds, times = figure.subplots(3, 1)
        games = say_count(
            "{games} game", "{games} games", tallies[0].games, games=f"{tallies[0].games:,}"
        )
        title = (
            say("How long War lasts: {games} of seed {seed}", games=games, seed=seed)
            if len(labels) > 1
            else say(
                "How long War lasts: {rules}, {games} of seed {seed}",
                rules=labels[0],
                games=games,
                seed=seed,
            )
        )
        figure.suptitle(fill(title, _LINE), x=0.02, ha="left", fontweight="bold")
        _draw_lengths(lengths, labels, tallies)
        rounds.set_title(say("Chance that the game still goes on after so many rounds"))
        rounds.set_xlabel(say("rounds"))
        _whole_numbers(rounds)
        rounds.set_xlim(lengths.get_xlim())
        unit, one = _unit_of_time([tally.times for tally in tallies])
        times.set_title(say("… and after so much time"))
        times.set_xlabel(
            say(
                "{unit}, at {seconds} seconds a round and {step} more a war step",
                unit=unit,
                seconds=f"{pace.round / 100:g}",
                step=f"{pace.step / 100:g}",
            )
        )
        _whole_numbers(times)
        times.set_xlim(0, 1.02 * _longest([tally.times for tally in tallies]) / one)
        for tally in tallies:
            _draw_going_on(rounds, tally.lengths, tally.games, 1)
            _draw_going_on(times, tally.times, tally.games, one)
        for axes in (rounds, times):
            axes.set_ylim(0, 1.02)
        for axes in (lengths, rounds, times):
            axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g} %"))
        if len(labels) > 1:
            _add_legend(figure, lengths)
        return figure


def _label(name: str, tally: Tally) -> str:
    """What the legend says of the rules."""
    label = printable(name)
    if endless := tally.rounds["endless"].games:
        share = _per_cent(endless / tally.games)
        label = say("{rules} ({share} never end)", rules=name, share=share)
    return label


def _per_cent(share: float) -> str:
    """A share above 0, which isn't said to be 0 or 100 % unless it is."""
    percent = 100 * share
    places = next(places for places in count(1) if share == 1 or 0 < round(percent, places) < 100)
    return f"{percent:.{places}f} %"


def _add_legend(figure: Figure, axes: Axes) -> None:
    """Below the picture, what its curves are: their names, however long, and in as many columns as
    these leave room for."""
    curves, names = axes.get_legend_handles_labels()
    widest = max(map(len, names)) + 10  # with the sample of its line
    columns = max(1, min(4, 84 // widest))
    shown = [fill(name, _LINE) for name in names]
    figure.legend(curves, shown, loc="outside lower left", ncols=columns)


def _named(label: str) -> str:
    """A label as matplotlib takes it: what begins with an underscore, it leaves out of legends."""
    return f" {label}" if label.startswith("_") else label


def _whole_numbers(axes: Axes) -> None:
    """Along the axis stand whole numbers only."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))


def _longest(numbers: Sequence[Distribution]) -> int:
    """How far a scale must go for these, which may be empty."""
    return max((some.percentiles([_TAIL])[0] for some in numbers if some.games), default=0) or 1


def _unit_of_time(times: Sequence[Distribution]) -> tuple[str, int]:
    """The unit in which such times are best read, and how many hundredths of a second it has."""
    second, minute, hour = 100, 6_000, 360_000
    longest = _longest(times)
    if longest <= 2 * minute:
        return say("seconds"), second
    return (say("minutes"), minute) if longest <= 6 * hour else (say("hours"), hour)


def _draw_lengths(axes: Axes, labels: Sequence[str], tallies: Sequence[Tally]) -> None:
    """The distributions of the rounds of the games that end, as the outlines of bars.

    Where many games reach a round limit, the bar there would leave no room for the others: if it
    is more than three times as high as these, it goes beyond the scale, and its height is written
    beside it."""
    edges = edges_of([tally.lengths for tally in tallies], _TAIL, _BARS)
    end = edges[-1] + edges.step
    shift = 0.5 if edges.step == 1 else 0.0  # a bar for one number stands over that number
    share = say_count(
        "Share of the games that end, by their rounds",
        "Share of the games that end, by their rounds, in steps of {count}",
        edges.step,
    )
    axes.set_title(share)
    axes.set_xlabel(say("rounds"))
    _whole_numbers(axes)
    axes.set_xlim(0, 1.02 * (end + shift))  # so that what ends there is seen to
    highest = ordinary = 0.0
    for tally, label in zip(tallies, labels, strict=True):
        lengths = tally.lengths
        shares = _shares(lengths, lengths.games, edges)
        longest = max(lengths.counts, default=end)
        ends = [shift + min(edge, longest) for edge in (*edges, end)]
        axes.step([ends[0], *ends], [0, *shares, 0], where="post", label=_named(label))
        played_out = Distribution()
        for reason, rounds in tally.rounds.items():
            if reason not in ("endless", "round-limit"):
                played_out.add(rounds)
        ordinary = max(ordinary, *_shares(played_out, lengths.games, edges))
        highest = max(highest, *shares)
    cut = 0 < 3 * ordinary < highest
    axes.set_ylim(0, (_OVER * ordinary if cut else 1.03 * highest) or 1)
    if cut:
        _tell_what_is_cut_off(axes)


def _tell_what_is_cut_off(axes: Axes) -> None:
    """Beside each bar that goes beyond the scale, whose it is and how high."""
    top, end = axes.get_ylim()[1], axes.get_xlim()[1]
    beyond = 0
    for line in axes.get_lines():
        ends, shares = (np.asarray(data, float) for data in line.get_data())
        at = int(shares.argmax())
        if shares[at] > top:
            name = str(line.get_label())
            left = ends[at] > end / 2
            axes.annotate(
                say(
                    "{rules}: {share} here",
                    rules=name if len(name) <= 30 else f"{name[:29]}…",
                    share=_per_cent(shares[at]),
                ),
                (ends[at if left else at + 1], top),
                xytext=(-5 if left else 5, -5 - 13 * beyond),
                textcoords="offset points",
                ha="right" if left else "left",
                va="top",
            )
            beyond += 1


def _shares(lengths: Distribution, games: int, edges: range) -> list[float]:
    """What part of so many games each bar is that begins at one of these edges."""
    bars = bars_of(lengths, edges)[: len(edges)]
    return [bar.games / games for bar in bars] or [0.0] * len(edges)


def _draw_going_on(axes: Axes, lengths: Distribution, games: int, unit: int) -> None:
    """The share of all these games that are not over yet, as time goes by."""
    numbers = sorted(lengths.counts)
    over = list(accumulate(lengths.counts[number] for number in numbers))
    every = 1 + len(numbers) // _POINTS
    drawn = [*range(0, len(numbers), every), *([len(numbers) - 1] if numbers else [])]
    after = [0.0, *(numbers[at] / unit for at in drawn)]
    chances = [1.0, *(1 - over[at] / games for at in drawn)]
    if chances[-1] > 0:  # for ever
        after.append(max(after[-1], axes.get_xlim()[1]))
        chances.append(chances[-1])
    axes.step(after, chances, where="post")


def draw_game(events: Iterable[Event]) -> Figure:
    """What each seat held after each round of one game, its wars marked on the winner's curve.

    The events are a whole game's: its deal, its rounds and its result."""
    deal, rounds, result = _told(events)
    sizes = [tuple(map(len, deal.piles)), *(ended.sizes for ended in rounds)]
    with _style():
        figure = Figure(figsize=(8.0, 4.5))
        axes = figure.subplots()
        shown = _rounds_shown(rounds)
        for seat, player in enumerate(deal.players):
            held = [sizes[at][seat] for at in shown]
            until = held.index(0) + 1 if 0 in held else None  # who is out stays out
            axes.plot(
                shown[:until],
                held[:until],
                linewidth=1.4,
                clip_on=False,
                label=_named(printable(player)),
            )
        for steps, mark in _WAR_MARKS.items():
            wars = [ended for ended in rounds if min(war_steps(ended), max(_WAR_MARKS)) == steps]
            if not wars:
                continue
            many = (
                say("{steps} steps or more", steps=steps)
                if steps == max(_WAR_MARKS)
                else (say_count("{count} step", "{count} steps", steps))
            )
            axes.plot(
                [ended.round for ended in wars],
                [
                    max(ended.sizes) if ended.winner is None else ended.sizes[ended.winner]
                    for ended in wars
                ],
                linestyle="none",
                marker=mark,
                markersize=4 + 1.5 * steps,
                markerfacecolor="white",
                markeredgecolor="black",
                markeredgewidth=0.8,
                clip_on=False,
                label=say("war of {steps}", steps=many),
            )
        axes.set_title(fill(_title(deal, result), _LINE))
        axes.set_xlabel(say("rounds"))
        axes.set_ylabel(say("cards held"))
        _whole_numbers(axes)
        axes.set_xlim(0, max(1, len(rounds)))
        axes.set_ylim(0, max(map(sum, sizes)) or 1)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        _add_legend(figure, axes)
        return figure


def _rounds_shown(rounds: Sequence[Round]) -> list[int]:
    """The numbers of the rounds after which the curves show what was held, 0 for the deal: all of
    them, or so many of a long game as can be told apart, and those with a war. Every second or
    fourth, since cards that go to and fro would make a curve a band."""
    last = len(rounds)
    every = 1 if last <= _ROUNDS else 2 * -(-last // (2 * _ROUNDS))
    wars = {ended.round for ended in rounds if war_steps(ended)}
    return sorted({*range(0, last, every), *wars, last})


def _told(events: Iterable[Event]) -> tuple[Deal, list[Round], Result]:
    deal, *rounds, result = events
    assert isinstance(deal, Deal)
    assert isinstance(result, Result)
    return deal, [event for event in rounds if isinstance(event, Round)], result


def _title(deal: Deal, result: Result) -> str:
    game = [printable(deal.rules)] if deal.rules else []
    if deal.seed is not None:
        game.append(say("seed {seed}, game {game}", seed=deal.seed, game=deal.game))
    rounds = say_count(
        "{rounds} round", "{rounds} rounds", result.rounds, rounds=f"{result.rounds:,}"
    )
    winners = say(" and ").join(deal.players[seat] for seat in result.winners)
    ended = say_count(
        "{winners} wins after {rounds} ({reason})",
        "{winners} win after {rounds} ({reason})",
        max(1, len(result.winners)),
        winners=winners or say("nobody"),
        rounds=rounds,
        reason=result.reason,
    )
    return ": ".join(filter(None, (", ".join(game), ended)))


def save(figure: Figure, file: BinaryIO, kind: str) -> str:
    """Write the picture as `png` or `svg`; the same picture gives the same bytes. The signs that no
    font here has, which are boxes in a PNG; an SVG leaves its fonts to whoever shows it."""
    written = {sign for text in figure.findobj(Text) for sign in text.get_text()}
    fonts, missing = _fonts_for(written - {"\n"})
    with _style(), catch_warnings():
        simplefilter("ignore")  # of signs that are missing; what is to be said of them, we say
        mpl.rcParams["font.sans-serif"] = fonts
        figure.savefig(file, format=kind, dpi=160, metadata={"Date": None} if kind == "svg" else {})
    return missing


def _fonts_for(signs: set[str]) -> tuple[list[str], str]:
    """Matplotlib's own font, and as many more as are needed to have all these signs; and the signs
    that none has."""
    own = font_manager.findfont("DejaVu Sans")
    fonts = ["DejaVu Sans"]
    missing = signs - set(map(chr, font_manager.get_font(own).get_charmap()))
    for font in font_manager.fontManager.ttflist:
        if not missing:
            break
        if font.name in fonts or "Last Resort" in font.name:  # which has only boxes
            continue
        with suppress(OSError, RuntimeError):  # a font that is gone, or broken
            found = missing & set(map(chr, font_manager.get_font(font.fname).get_charmap()))
            if found:
                fonts.append(font.name)
                missing -= found
    return fonts, "".join(sorted(missing))


@contextmanager
def _style() -> Iterator[None]:
    """Our own style, whatever the user's settings of matplotlib are."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)  # type: ignore[arg-type]  # its stub lists the keys
        yield
