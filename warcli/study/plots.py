"""Pictures: how long games last under some rules, and how one game went.

Made for print and for eyes that don't tell colours apart: curves differ in line style as well as
in colour (Okabe and Ito's palette), everything is labelled on the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, BinaryIO
from warnings import catch_warnings, simplefilter

import matplotlib as mpl
from cycler import cycler
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

from warcli.events import Deal, Event, Result, Round
from warcli.study.by_law import war_steps
from warcli.study.figures import round_step
from warcli.study.pace import Pace
from warcli.study.tally import Distribution, Tally
from warcli.words import printable, say, say_count

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#777777")
_LINES = (
    "-",
    (0, (6, 2)),
    (0, (1, 1.2)),
    (0, (6, 2, 1, 2)),
    (0, (12, 3)),
    (0, (3, 1.5)),
    (0, (1, 3)),
    (0, (8, 2, 1, 2, 1, 2)),
)
_STYLE: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": cycler(color=_COLOURS, linestyle=_LINES),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "grid.alpha": 0.35,
    "legend.frameon": False,
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

_POINTS = 2_000
"""A curve is drawn through no more points than this."""


def draw_lengths(names: Sequence[str], tallies: Sequence[Tally], seed: int, pace: Pace) -> Figure:
    """The lengths of the games under each of the rules, and the chance that one still goes on
    after so many rounds or minutes. A game that never ends always goes on."""
    with _style():
        figure = Figure(figsize=(7.0, 9.0))
        lengths, rounds, minutes = figure.subplots(3, 1)
        games = say_count(
            "{games} game", "{games} games", tallies[0].games, games=f"{tallies[0].games:,}"
        )
        figure.suptitle(
            say("How long War lasts: {games} of seed {seed}", games=games, seed=seed),
            x=0.02,
            ha="left",
            fontweight="bold",
        )
        all_lengths = [tally.lengths for tally in tallies]
        bars = _bounds(all_lengths)
        for name, tally, ended in zip(names, tallies, all_lengths, strict=True):
            label = printable(name)
            if endless := tally.rounds["endless"].games:
                share = f"{100 * endless / tally.games:.1f} %"
                label = say("{rules} ({share} never end)", rules=name, share=share)
            _draw_bars(lengths, ended, tally.games, bars, _in_legend(label))
            _draw_going_on(rounds, ended, tally.games, 1)
            _draw_going_on(minutes, tally.seconds, tally.games, 60)
        share = say_count("share of the games", "share of the games, per {count} rounds", bars.step)
        _label(lengths, say("Lengths"), say("rounds"), share)
        lengths.legend()
        chance = say("chance")
        _label(rounds, say("The game still goes on after …"), say("rounds"), chance)
        seconds, step = pace.round / 1000, pace.step / 1000
        at_pace = say(
            "minutes, at {seconds} seconds a round and {step} more a war step",
            seconds=f"{seconds:g}",
            step=f"{step:g}",
        )
        _label(minutes, say("… and after"), at_pace, chance)
        times = [tally.seconds for tally in tallies if tally.seconds.games]
        longest = max((seconds.percentiles([_TAIL])[0] / 60 for seconds in times), default=0) or 1
        for axes, end in (
            (lengths, bars[-1] + bars.step),
            (rounds, bars[-1] + bars.step),
            (minutes, longest),
        ):
            axes.set_xlim(0, 1.02 * end)  # so that what ends there is seen to
            axes.set_ylim(bottom=0)
            axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
        for axes in (rounds, minutes):
            axes.set_ylim(0, 1.02)
        return figure


def _in_legend(label: str) -> str:
    """The label as the legend shows it: matplotlib leaves out what begins with an underscore."""
    return f" {label}" if label.startswith("_") else label


def _bounds(lengths: Sequence[Distribution]) -> range:
    """Where the bars of these distributions begin, and how wide they are. A bar doesn't hold the
    number at which it begins, but that at which it ends, as a round limit mostly is."""
    ended = [numbers for numbers in lengths if numbers.games]
    least = min((min(numbers.counts) for numbers in ended), default=1)
    most = max((numbers.percentiles([_TAIL])[0] for numbers in ended), default=1)
    width = round_step(least - 1, most - 1, _BARS)
    return range((least - 1) // width * width, most, width)


def _draw_bars(axes: Axes, lengths: Distribution, games: int, bars: range, label: str) -> None:
    """The outline of the bars of a distribution, as shares of all these games. None goes on beyond
    the longest game."""
    edges = [*bars, bars[-1] + bars.step]
    reached = [lengths.below(edge + 1) / games for edge in edges]
    shares = [upper - lower for lower, upper in pairwise(reached)]
    longest = max(lengths.counts, default=edges[-1])
    ends = [min(edge, longest) for edge in edges]
    axes.step([ends[0], *ends], [0, *shares, 0], where="post", label=label)


def _draw_going_on(axes: Axes, lengths: Distribution, games: int, unit: int) -> None:
    """The share of all these games that are not over yet, as time goes by."""
    numbers = sorted(lengths.counts)
    over = list(accumulate(lengths.counts[number] for number in numbers))
    every = 1 + len(numbers) // _POINTS
    axes.step(
        [0.0, *(number / unit for number in numbers[::every])],
        [1.0, *(1 - count / games for count in over[::every])],
        where="post",
    )


def draw_game(events: Iterable[Event]) -> Figure:
    """What each seat held after each round of one game, its wars marked on the winner's curve.

    The events are a whole game's: its deal, its rounds and its result."""
    deal, rounds, result = _told(events)
    sizes = [tuple(map(len, deal.piles)), *(ended.sizes for ended in rounds)]
    with _style():
        figure = Figure(figsize=(8.0, 4.5))
        axes = figure.subplots()
        for seat, player in enumerate(deal.players):
            axes.plot(
                range(len(sizes)),
                [held[seat] for held in sizes],
                linewidth=1.4,
                label=_in_legend(printable(player)),
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
        _label(axes, _title(deal, result), say("rounds"), say("cards held"))
        axes.set_xlim(0, max(1, len(rounds)))
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        figure.legend(loc="outside lower left", ncols=4)
        return figure


def _told(events: Iterable[Event]) -> tuple[Deal, list[Round], Result]:
    deal, *rounds, result = events
    assert isinstance(deal, Deal)
    assert isinstance(result, Result)
    return deal, [event for event in rounds if isinstance(event, Round)], result


def _title(deal: Deal, result: Result) -> str:
    game = [printable(deal.rules)] if deal.rules else []
    if deal.seed is not None:
        game.append(say("seed {seed}, game {game}", seed=deal.seed, game=deal.game))
    rounds = say_count("{count} round", "{count} rounds", result.rounds)
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


def _label(axes: Axes, title: str, along: str, up: str) -> None:
    axes.set_title(title)
    axes.set_xlabel(along)
    axes.set_ylabel(up)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))


@contextmanager
def _style() -> Iterator[None]:
    """Our own style, whatever the user's settings of matplotlib are."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)  # type: ignore[arg-type]  # its stub lists the keys
        yield
