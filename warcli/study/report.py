"""A study's report as a table for people, as JSON and as CSV, all from the same figures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import floor, log10
from textwrap import wrap
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from warcli.study.figures import PERCENTILES, Bar, Change, Estimate, Figures, Report, Share, Spread
from warcli.study.games import REASONS
from warcli.study.tally import Extreme
from warcli.words import printable, say, say_count

SIGNS = "–−█▌"
"""What a terminal must be able to show besides ASCII, unless the report is `ascii`."""

_ASCII = str.maketrans({"–": "-", "−": "-", "█": "#", "▌": ""})
_GAP = _INDENT = "  "
_DEEP = 6
"""Wars of more steps than this share a line of the table."""

_LONGEST_BAR = 60


def as_json(report: Report) -> str:
    """One JSON object with the fields of `figures.Report`."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def as_csv(report: Report) -> str:
    """A line a figure, `rules,figure,value`: the figure's path in the JSON object, with dots."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(("rules", "figure", "value"))
    whole = msgspec.to_builtins(report)
    for figures in whole.pop("rules"):
        name = figures.pop("rules")
        for path, value in _leaves({**whole, **figures}):
            writer.writerow((name, path, value))
    return lines.getvalue()


def _leaves(tree: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every single value in a tree of mappings and lists, with its path; `None` is no value."""
    if isinstance(tree, dict | list):
        branches = tree.items() if isinstance(tree, dict) else enumerate(tree)
        for name, branch in branches:
            yield from _leaves(branch, f"{path}.{name}" if path else str(name))
    elif tree is not None:
        yield path, tree


def as_text(report: Report, replay: str, width: int = 80, *, ascii: bool = False) -> str:
    """The report in so many columns of a terminal, 40 or more.

    `replay` is the command that plays one of the games again, but for the `--game`."""
    lines = [
        *_head(report, width),
        "",
        *_table(report.rules, width),
        *_remarks(report, replay, width),
        *_histograms(report.rules, width),
    ]
    text = "".join(line.rstrip() + "\n" for line in lines)
    return text.translate(_ASCII) if ascii else text


# Head and remarks


def _head(report: Report, width: int) -> Iterator[str]:
    games = say_count("{games} game", "{games} games", report.games, games=f"{report.games:,}")
    yield from wrap(say("{games} of seed {seed}", games=games, seed=report.seed), width)
    why = _why_stopped(report)
    if why:
        yield from wrap(why, width)


def _why_stopped(report: Report) -> str:
    width = None if report.width is None else f"{100 * report.width:.2f} %"
    match report.stopped:
        case "interrupted":
            return say("Interrupted: these are the first games only.")
        case "failed":
            return say("Broken off: these are the first games only.")
        case "until":
            return say(
                "The width of the 95 % interval of the rounds' mean is {width} of the mean.",
                width=width,
            )
        case "limit" if width is None:
            return say(
                "Too few games have ended to tell how well the rounds' mean is known: more --games "
                "would be needed."
            )
        case "limit":
            return say(
                "The width of the 95 % interval of the rounds' mean is still {width} of the mean: "
                "more --games would be needed.",
                width=width,
            )
    return ""


def _remarks(report: Report, replay: str, width: int) -> Iterator[str]:
    """What must be known to read the table."""
    remarks = [say("In brackets: 95 % intervals.")]
    if any("endless" in figures.ended for figures in report.rules):
        remarks.append(
            say(
                "Endless games have no length: rounds, minutes, layers and lead changes are those "
                "of the games that end, wars those of all games as far as they were played."
            )
        )
    seconds, step = report.pace
    remarks.append(
        say(
            "Minutes at {seconds} seconds a round and {step} more a war step.",
            seconds=f"{seconds:g}",
            step=f"{step:g}",
        )
    )
    if any(map(_won_together, report.rules)):
        remarks.append(
            say("Several players can win one game, so the shares of the winners overlap.")
        )
    if len(report.rules) > 1:
        remarks.append(
            say(
                "The columns of changes compare with {base} game by game, on the same deals where "
                "packs and players are the same: shares in percentage points, lengths over the "
                "games that end under both.",
                base=report.rules[0].rules,
            )
        )
    yield ""
    for remark in remarks:
        yield from wrap(remark, width)
    yield say("One of these games in full:")
    yield f"  {printable(replay)} --game N"


def _won_together(figures: Figures) -> bool:
    """Whether some games had several winners."""
    once = sum(share.games for share in (*figures.wins, figures.drawn))
    endless = figures.ended.get("endless")
    return once + (endless.games if endless else 0) > figures.games


# The table


class Line(NamedTuple):
    """A line of the table, by where it stands in it."""

    section: int
    """Which of `_sections`."""
    place: int
    """Place within the section."""
    label: str


Cells = dict[Line, str]
"""A column of the table."""


def _sections() -> tuple[str, ...]:
    return (
        "",
        say("How they end"),
        say("Won by"),
        say("Rounds"),
        say("Minutes at a table"),
        say("Layers laid"),
        say("Lead changes"),
        say("Wars a game"),
    )


def _table(rules: Sequence[Figures], width: int) -> Iterator[str]:
    """The figures of all the rules, in as many blocks of columns as the width asks for."""
    columns: list[Cells] = []
    for figures in rules:
        columns.append(dict(_cells(figures)))
        if figures.change is not UNSET:
            columns.append(dict(_changes(figures.rules, figures.change)))
    lines = sorted({line: None for column in columns for line in column})
    sections = _sections()
    margin = max(len(_label(line)) for line in lines)
    space = width - margin - len(_GAP)
    widths = [min(space, max(map(len, column.values()))) for column in columns]
    for block in _blocks(widths, width - margin):
        if block.start:
            yield ""
        section = 0
        for line in lines:
            if not any(line in columns[column] for column in block):
                continue
            if line.section != section:
                section = line.section
                yield sections[section]
            cells = [wrap(columns[column].get(line, ""), widths[column]) for column in block]
            for label, *parts in zip_longest([_label(line)], *cells, fillvalue=""):
                padded = (
                    part.ljust(widths[column]) for part, column in zip(parts, block, strict=True)
                )
                yield _GAP.join((label.ljust(margin), *padded))


def _label(line: Line) -> str:
    return _INDENT * (line.section > 0) + line.label


def _blocks(widths: Sequence[int], space: int) -> Iterator[range]:
    """Runs of columns that fit side by side; at least one column each."""
    start, taken = 0, 0
    for column, width in enumerate(widths):
        if column > start and taken + len(_GAP) + width > space:
            yield range(start, column)
            start, taken = column, 0
        taken += len(_GAP) + width
    yield range(start, len(widths))


def _cells(figures: Figures) -> Iterator[tuple[Line, str]]:
    """What the table says of these rules."""
    yield Line(0, 0, say("Rules")), printable(figures.rules)
    yield Line(0, 1, say("Games")), f"{figures.games:,}"
    for reason, share in figures.ended.items():
        yield _reason_line(reason), _share(share)
    for seat, share in enumerate(figures.wins):
        yield _seat_line(seat), _share(share)
    yield _drawn_line(), _share(figures.drawn)
    if figures.rounds:
        yield from _spread(3, figures.rounds, (*PERCENTILES,))
    for place, label, extreme in (
        (20, say("shortest"), figures.shortest),
        (21, say("longest"), figures.longest),
    ):
        if extreme:
            yield Line(3, place, label), _extreme(extreme)
    for section, spread in (
        (4, figures.minutes),
        (5, figures.layers),
        (6, figures.lead_changes),
    ):
        if spread:
            yield from _spread(section, spread, ("median", "p95"))
    for depth in figures.wars[:_DEEP]:
        label = say_count("{count} step", "{count} steps", depth.steps)
        yield Line(7, depth.steps, label), _rate(depth.a_game)
    if deeper := sum(depth.a_game for depth in figures.wars[_DEEP:]):
        yield Line(7, _DEEP + 1, say("more steps")), _rate(deeper)
    if figures.deepest:
        steps = say_count(" step", " steps", figures.deepest.number)
        yield Line(7, _DEEP + 2, say("deepest")), _extreme(figures.deepest, steps)


def _changes(rules: str, change: Change) -> Iterator[tuple[Line, str]]:
    """What the table says of the difference that these rules make."""
    yield Line(0, 0, say("Rules")), say("change by {rules}", rules=rules)
    for reason, points in change.ended.items():
        yield _reason_line(reason), _points(points)
    for seat, points in enumerate(change.wins):
        yield _seat_line(seat), _points(points)
    yield _drawn_line(), _points(change.drawn)
    for section, estimate in (
        (3, change.rounds),
        (4, change.minutes),
        (5, change.layers),
        (6, change.lead_changes),
    ):
        if estimate:
            yield _mean_line(section), _change(estimate)


def _reason_line(reason: str) -> Line:
    names = {
        "collected": say("all collected"),
        "shortage": say("short in a war"),
        "repetition": say("repetition"),
        "round-limit": say("round limit"),
        "endless": say("never (endless)"),
    }
    return Line(1, REASONS.index(reason), names[reason])


def _seat_line(seat: int) -> Line:
    return Line(2, seat, "ABCDEFGH"[seat])


def _drawn_line() -> Line:
    return Line(2, 8, say("nobody (drawn)"))


def _mean_line(section: int) -> Line:
    return Line(section, 0, say("mean"))


def _spread(section: int, spread: Spread, wanted: Sequence[str]) -> Iterator[tuple[Line, str]]:
    """The mean, and these of the percentiles; the deviation with all of them."""
    yield _mean_line(section), _estimate(Estimate(spread.mean, spread.low, spread.high))
    if len(wanted) == len(PERCENTILES):
        yield Line(section, 1, say("std. deviation")), _number(spread.deviation)
    for place, name in enumerate(wanted, start=2):
        label = (
            say("median")
            if name == "median"
            else say("{percent} % up to", percent=f"{float(PERCENTILES[name]):g}")
        )
        yield Line(section, place, label), _number(getattr(spread, name))


# Cells


def _share(share: Share) -> str:
    return _estimate(Estimate(100 * share.share, 100 * share.low, 100 * share.high), unit=" %")


def _points(points: Estimate) -> str:
    assert points.low is not None
    assert points.high is not None
    return _change(Estimate(100 * points.mean, 100 * points.low, 100 * points.high))


def _change(estimate: Estimate) -> str:
    return _estimate(estimate, sign="+", to=say(" to "))


def _estimate(estimate: Estimate, *, unit: str = "", sign: str = "", to: str = "–") -> str:
    """A number with the interval that it lies in, with two digits of what is uncertain."""
    if estimate.low is None or estimate.high is None:
        return _written(estimate.mean, 1, sign) + unit
    # Where every game was the same, two digits of what is certain.
    unsure = (estimate.high - estimate.low) / 2 or abs(estimate.mean)
    places = min(4, max(0, 1 - floor(log10(unsure)))) if unsure else 0
    mean, low, high = (
        _written(number, places, sign) for number in (estimate.mean, estimate.low, estimate.high)
    )
    return f"{mean}{unit} ({low}{to}{high})"


def _written(number: float, places: int, sign: str) -> str:
    return f"{number:{sign},.{places}f}".replace("-", "−")


def _number(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:,.1f}"


def _rate(rate: float) -> str:
    """So many a game."""
    return f"{rate:.1f}" if rate >= 10 else f"{rate:.2g}" if rate >= 0.001 else f"{rate:.1e}"


def _extreme(extreme: Extreme, unit: str = "") -> str:
    return f"{extreme.number:,}{unit} (--game {extreme.game})"


# Histograms


def _histograms(rules: Sequence[Figures], width: int) -> Iterator[str]:
    """The rounds of the games that end under each of the rules, as bars."""
    for figures in rules:
        if not figures.bars:
            continue
        yield ""
        yield from wrap(
            say("Rounds of the games that end: {rules}", rules=figures.rules)
            if len(rules) > 1
            else say("Rounds of the games that end"),
            width,
        )
        labels = [_bounds(bar) for bar in figures.bars]
        margin = max(map(len, labels))
        longest = min(_LONGEST_BAR, width - margin - len("  100.0 %  "))
        highest = max(bar.share for bar in figures.bars)
        for bar, label in zip(figures.bars, labels, strict=True):
            halves = round(2 * longest * bar.share / highest)
            drawn = "█" * (halves // 2) + "▌" * (halves % 2)
            yield f"{label:>{margin}}  {100 * bar.share:5.1f} %  {drawn}"


def _bounds(bar: Bar) -> str:
    if bar.last is None:
        return say("{first} or more", first=f"{bar.first:,}")
    return f"{bar.first:,}–{bar.last:,}" if bar.last > bar.first else f"{bar.first:,}"
