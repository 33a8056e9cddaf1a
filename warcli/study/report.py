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

from warcli.spoken import listed
from warcli.study.figures import PERCENTILES, Bar, Estimate, Figures, Report, Share, Spread
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
            writer.writerow((name, path, str(value).lower() if isinstance(value, bool) else value))
    return lines.getvalue()


def _leaves(tree: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every single value in a tree of mappings and lists, with its path; `None` is no value."""
    if isinstance(tree, dict | list):
        branches = tree.items() if isinstance(tree, dict) else enumerate(tree)
        for name, branch in branches:
            yield from _leaves(branch, f"{path}.{name}" if path else str(name))
    elif tree is not None:
        yield path, tree


def as_text(report: Report, replays: Sequence[str], width: int = 80, *, ascii: bool = False) -> str:
    """The report in so many columns of a terminal, 40 or more.

    `replays` are the commands that play one of the games again under each of the rules, but for
    the `--game`."""
    lines = [
        *_head(report, width),
        "",
        *_table(report.rules, width),
        *_remarks(report, replays, width),
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
    width = None
    if report.width is not None:
        percent = 100 * report.width
        width = f"{percent:.{max(2, _places(percent))}f} %"
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


def _remarks(report: Report, replays: Sequence[str], width: int) -> Iterator[str]:
    """What must be known to read the table."""
    remarks = [say("In brackets: 95 % intervals; none where too few games tell.")]
    if any("endless" in figures.ended for figures in report.rules):
        remarks.append(
            say(
                "Endless games have no length: rounds, minutes, layers and lead changes are those "
                "of the games that end, wars those of all games as far as they were played."
            )
        )
    if timed := [figures.rules for figures in report.rules if figures.time_limit is not None]:
        remarks.append(
            say(
                "A study has no clock, so a time limit is left out: that of {rules}.",
                rules=listed(timed),
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
    remarks += _compared(report.rules)
    yield ""
    for remark in remarks:
        yield from wrap(remark, width, break_on_hyphens=False)
    yield say("One of these games in full:")
    for replay in replays:
        yield f"  {printable(replay)} --game N"


def _compared(rules: Sequence[Figures]) -> Iterator[str]:
    """What the changes are compared with, and on which deals."""
    changes = {figures.rules: figures.change for figures in rules if figures.change is not UNSET}
    if not changes:
        return
    own = [name for name, change in changes.items() if not change.same_deals]
    base = rules[0].rules
    if not own:
        yield say("A change compares with {base} game by game, on the same deals.", base=base)
    elif len(own) == len(changes):
        yield say(
            "A change compares with {base}, but not on the same deals, as the pack, the players "
            "or the leftover cards differ.",
            base=base,
        )
    else:
        yield say(
            "A change compares with {base} game by game, on the same deals; but not under "
            "{others}, where the pack, the players or the leftover cards differ.",
            base=base,
            others=say(", ").join(own),
        )
    yield say(
        "Changes of shares are in percentage points, those of lengths over the games that end "
        "under both."
    )


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
    change: bool
    """Whether it tells how the line before it differs from that of the first rules."""
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
    """The figures of all the rules, a column each, in as many blocks as the width asks for. What
    rules change stands under what they change, so no block parts the two."""
    columns: list[Cells] = [{**dict(_cells(one)), **dict(_changes(one))} for one in rules]
    names = [printable(figures.rules) for figures in rules]
    lines = sorted({line: None for column in columns for line in column})
    sections = _sections()
    margin = max(len(_label(line)) for line in lines)
    space = width - margin - len(_GAP)
    widths = [min(space, max(map(len, column.values()))) for column in columns]
    for block in _blocks(widths, width - margin):
        if block.start:
            yield ""
        yield from _row(say("Rules"), margin, [(names[at], widths[at]) for at in block])
        section = 0
        for line in lines:
            if not any(line in columns[column] for column in block):
                continue
            if line.section != section:
                section = line.section
                yield sections[section]
            cells = [(columns[column].get(line, ""), widths[column]) for column in block]
            yield from _row(_label(line), margin, cells)


def _row(label: str, margin: int, cells: Sequence[tuple[str, int]]) -> Iterator[str]:
    """The lines of a row: its label, and each cell broken to its width."""
    broken = [wrap(text, width) for text, width in cells]
    for first, *parts in zip_longest([label], *broken, fillvalue=""):
        padded = (part.ljust(width) for part, (_, width) in zip(parts, cells, strict=True))
        yield _GAP.join((first.ljust(margin), *padded))


def _label(line: Line) -> str:
    return _INDENT * ((line.section > 0) + line.change) + line.label


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
    yield Line(0, 0, False, say("Games")), f"{figures.games:,}"
    shares = Shares(figures)
    for reason, share in figures.ended.items():
        yield _reason_line(reason), shares.written(share, shares.ended[reason])
    for seat, share in enumerate(figures.wins):
        yield _seat_line(seat), shares.written(share, shares.won[seat])
    yield _drawn_line(), shares.written(figures.drawn, shares.won[-1])
    if endless := figures.ended.get("endless"):
        unwon = shares.written(endless, shares.ended["endless"])
        yield Line(2, 9, False, say("nobody (endless)")), unwon
    if figures.rounds:
        yield from _spread(3, figures.rounds, (*PERCENTILES,))
    for place, label, extreme in (
        (20, say("shortest"), figures.shortest),
        (21, say("longest"), figures.longest),
    ):
        if extreme:
            yield Line(3, place, False, label), _extreme(extreme)
    for section, spread in (
        (4, figures.minutes),
        (5, figures.layers),
        (6, figures.lead_changes),
    ):
        if spread:
            yield from _spread(section, spread, ("median", "p95"))
    for depth in figures.wars[:_DEEP]:
        label = say_count("{count} step", "{count} steps", depth.steps)
        yield Line(7, depth.steps, False, label), _rate(depth.a_game)
    if deeper := sum(depth.a_game for depth in figures.wars[_DEEP:]):
        yield Line(7, _DEEP + 1, False, say("more steps")), _rate(deeper)
    if figures.deepest:
        steps = say_count(" step", " steps", figures.deepest.number)
        yield Line(7, _DEEP + 2, False, say("deepest")), _extreme(figures.deepest, steps)


def _changes(figures: Figures) -> Iterator[tuple[Line, str]]:
    """What the table says of the difference that these rules make."""
    change = figures.change
    if change is UNSET:
        return
    places = _share_places(figures.games)
    for reason, points in change.ended.items():
        yield _changed(_reason_line(reason)), _points(points, places)
    for seat, points in enumerate(change.wins):
        yield _changed(_seat_line(seat)), _points(points, places)
    yield _changed(_drawn_line()), _points(change.drawn, places)
    for section, estimate in (
        (3, change.rounds),
        (4, change.minutes),
        (5, change.layers),
        (6, change.lead_changes),
    ):
        if estimate:
            yield _changed(_mean_line(section)), _estimate(estimate, sign="+", to=say(" to "))


def _changed(line: Line) -> Line:
    """The line under this one, for how it changes."""
    return line._replace(change=True, label=say("change"))


def _reason_line(reason: str) -> Line:
    names = {
        "collected": say("all collected"),
        "shortage": say("short in a war"),
        "repetition": say("repetition"),
        "round-limit": say("round limit"),
        "endless": say("never (endless)"),
    }
    return Line(1, REASONS.index(reason), False, names[reason])


def _seat_line(seat: int) -> Line:
    return Line(2, seat, False, "ABCDEFGH"[seat])


def _drawn_line() -> Line:
    return Line(2, 8, False, say("nobody (drawn)"))


def _mean_line(section: int) -> Line:
    return Line(section, 0, False, say("mean"))


def _spread(section: int, spread: Spread, wanted: Sequence[str]) -> Iterator[tuple[Line, str]]:
    """The mean, and these of the percentiles; the deviation with all of them."""
    yield _mean_line(section), _estimate(Estimate(spread.mean, spread.low, spread.high))
    if len(wanted) == len(PERCENTILES) and spread.deviation is not None:
        yield Line(section, 1, False, say("std. deviation")), _number(spread.deviation)
    for place, name in enumerate(wanted, start=2):
        label = (
            say("median")
            if name == "median"
            else say("{percent} % up to", percent=f"{float(PERCENTILES[name]):g}")
        )
        yield Line(section, place, False, label), _number(getattr(spread, name))


# Cells


class Shares:
    """The shares of the games in per cent, written so that they add up.

    A share of the games that were played is known exactly, only what it says of others is not; so
    it is written with as many decimals as make a single game show, and mostly that is all of it.
    Where it has to be rounded, the largest share takes what the others leave of 100 %: less than
    a few games. Winners who win together overlap, and are rounded each by itself.
    """

    def __init__(self, figures: Figures) -> None:
        self.places = _share_places(figures.games)
        self.ended: dict[str, int]
        """By reason, in units of the last decimal."""
        self.won: list[int]
        """By seat, and last those that are drawn; in units of the last decimal."""
        whole = 100 * 10**self.places
        games = figures.games
        reasons = figures.ended
        shown = _adding_up([share.games for share in reasons.values()], games, whole, whole)
        self.ended = dict(zip(reasons, shown, strict=True))
        decided = whole - self.ended.get("endless", 0)
        counts = [share.games for share in (*figures.wins, figures.drawn)]
        self.won = _adding_up(counts, games, whole, None if _won_together(figures) else decided)

    def written(self, share: Share, units: int) -> str:
        number = f"{units / 10**self.places:{self.places + 3}.{self.places}f}"
        low, high = 100 * share.low, 100 * share.high
        places = min(self.places, _places((high - low) / 2))
        return f"{number} % ({_written(low, places)}–{_written(high, places)})"


def _share_places(games: int) -> int:
    """Decimals of a percentage, at least one, of which the last is no more than a single game."""
    return max(1, len(str(games - 1)) - 2)


def _adding_up(counts: Sequence[int], games: int, whole: int, total: int | None) -> list[int]:
    """Each count as a part of all games, in whole numbers of which `whole` are all games; the
    largest such that their sum is `total`, where there is one."""
    rounded = [(2 * whole * count + games) // (2 * games) for count in counts]
    if total is not None:
        rounded[counts.index(max(counts))] += total - sum(rounded)
    return rounded


def _points(points: Estimate, places: int) -> str:
    """Percentage points, with as many decimals as the shares have."""
    assert points.low is not None
    assert points.high is not None
    low, high = 100 * points.low, 100 * points.high
    unsure = min(places, _places((high - low) / 2))
    bounds = say(" to ").join(_written(bound, unsure, "+") for bound in (low, high))
    return f"{_written(100 * points.mean, places, '+')} ({bounds})"


def _estimate(estimate: Estimate, *, sign: str = "", to: str = "–") -> str:
    """A number with the interval that it lies in, with two digits of what is uncertain."""
    if estimate.low is None or estimate.high is None:
        return _written(estimate.mean, max(1, _places(abs(estimate.mean))), sign)
    # Where every game was the same, two digits of what is certain.
    places = _places((estimate.high - estimate.low) / 2 or abs(estimate.mean))
    mean, low, high = (
        _written(number, places, sign) for number in (estimate.mean, estimate.low, estimate.high)
    )
    return f"{mean} ({low}{to}{high})"


def _places(unsure: float) -> int:
    """Decimals that show two digits of this number."""
    return max(0, 1 - floor(log10(unsure))) if unsure else 0


def _written(number: float, places: int, sign: str = "") -> str:
    return f"{number:{sign},.{places}f}".replace("-", "−")


def _number(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:,.1f}"


def _rate(rate: float) -> str:
    """So many a game, with two digits."""
    return f"{rate:,.{max(1, _places(rate))}f}"


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
