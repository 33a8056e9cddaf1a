"""`war study`: very many games, and what they say about the rules."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from decimal import Decimal, InvalidOperation
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

import click

from warcli.commands.numbers import WholeNumber
from warcli.commands.options import (
    BadInput,
    FileType,
    RulesType,
    drawn_seed,
    note,
    output_option,
    quiet_option,
    seed_option,
)
from warcli.commands.output import Output, opened, whole_file
from warcli.commands.pictures import apart, plot_option, save
from warcli.generator import MAX_SEED
from warcli.words import printable, say, say_count

if TYPE_CHECKING:
    from warcli.rules import Rules
    from warcli.study.figures import Report, Stopped
    from warcli.study.pace import Pace
    from warcli.study.run import Crew, Part, Player, Study

Look: TypeAlias = "Callable[[Part | None], bool]"
"""What looks at a study after each part, and now and then while the next is awaited (None), and
says whether to play on."""

_GAMES: dict[Player, int] = {"kernel": 100_000, "law": 1_000}
"""How many games are played when nobody says, by who plays: a matter of seconds."""

_LIMIT: dict[Player, int] = {"kernel": 100_000_000, "law": 100_000}
"""How many games `--until` plays at most when nobody says."""

_SMALL = 5_000
"""As many games as the law plays without being asked to, where the kernel isn't installed."""

FORMATS = ("text", "json", "csv")
"""What `--format` offers."""

_PIP = "pip install 'warcli[study]'"
_CLUSTER_PIP = "pip install 'warcli[study,cluster]'"


class Given(NamedTuple):
    """Rules and the way in which they were named on the command line."""

    source: str
    rules: Rules


class GivenRules(RulesType):
    """A built-in profile's name or the path of a rules file."""

    def convert(  # type: ignore[override]
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Given:
        return Given(value, super().convert(value, param, ctx))


class PaceType(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """Seconds for a round and for a war step."""

    name = "pace"

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> Pace:
        from warcli.study.pace import Pace

        try:
            return Pace.read(value)
        except ValueError as problem:
            raise BadInput(str(problem)) from None


class Percent(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """A percentage above 0, as a part of 1."""

    name = "percent"

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> float:
        try:
            percent = Decimal(value.removesuffix("%").strip())
        except InvalidOperation:
            percent = Decimal(0)
        if not (percent.is_finite() and 0 < percent <= 100):
            raise BadInput(
                say("--until takes a percentage such as 0.1%, not {text}", text=repr(value))
            )
        return float(percent / 100)


@click.command()
@click.option(
    "-r",
    "--rules",
    "given",
    type=GivenRules(),
    multiple=True,
    default=["english"],
    show_default=True,
    metavar="NAME|FILE",
    help="A built-in profile (war rules lists them) or a rules file. Given several times, the "
    "others are compared with the first, on the same deals where packs and players are the same.",
)
@click.option(
    "-n",
    "--games",
    type=WholeNumber(1, MAX_SEED + 1),
    metavar="N",
    help="How many games, from game 0 of the seed: 1000000, 1,000,000 or 1e6. [default: 100,000]",
)
@seed_option
@click.option(
    "--until",
    type=Percent(),
    metavar="P%",
    help="Play until the 95 % interval of the mean number of rounds is no wider than this part of "
    "the mean, which is looked at from 1,000 games on; --games is then the most to play. "
    "[at most: 100,000,000]",
)
@click.option(
    "--pace",
    type=PaceType(),
    default="4,6",
    show_default=True,
    metavar="R,W",
    help="How fast people play: seconds for a round, and seconds more for a war step.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="text: a table for people; json and csv: the same figures for other programs.",
)
@output_option
@click.option(
    "--games-csv",
    metavar="FILE",
    type=FileType(),
    help="Write a line of CSV a game: its number, reason, winner (a seat from 0; several with "
    "spaces between them), rounds, layers, wars and deepest war.",
)
@plot_option(
    "Draw how long games last, and the chance that one still goes on after so many rounds or "
    "minutes, into this file."
)
@click.option(
    "--threads",
    type=WholeNumber(1, 1024),
    metavar="N",
    help="How many games to play at once, at most one a core; the figures stay the same. "
    "[default: one a core]",
)
@click.option(
    "--cluster",
    metavar="tcp://HOST:PORT",
    help="Have the games played by the workers of this Dask scheduler; the figures stay the same.",
)
@click.option(
    "--on-the-law",
    is_flag=True,
    help="Play on the referee's own law instead of the compiled kernel: needs nothing installed, "
    "and is some hundred times slower.",
)
@click.option("--ascii", is_flag=True, help="Plain signs only.")
@quiet_option
def study(  # noqa: PLR0913, PLR0917 (an argument an option)
    given: Sequence[Given],
    games: int | None,
    seed: int | None,
    until: float | None,
    pace: Pace,
    format_: str,
    output: str | None,
    games_csv: str | None,
    plot: str | None,
    threads: int | None,
    cluster: str | None,
    on_the_law: bool,
    ascii: bool,
    quiet: bool,
) -> None:
    """Play very many games and report how long they last and how they end.

    How long will it take, does it end, is it fair? Ctrl-C stops early and reports what was played.

    \b
    Examples:
      war study --rules krig --games 1000000
      war study -r english -r house.yaml --plot lengths.png
      war study --until 0.1% --format json --output figures.json
    """
    if ascii and format_ != "text":
        raise click.UsageError(say("--ascii goes with --format text"))
    if games_csv is not None and len(given) > 1:
        raise click.UsageError(say("--games-csv writes the games of one --rules only"))
    _check_files(output, games_csv, plot)
    if cluster is not None and (threads is not None or on_the_law):
        raise click.UsageError(say("--cluster goes without --threads and --on-the-law"))
    from warcli.study.figures import report_of
    from warcli.study.report import as_csv, as_json
    from warcli.study.run import Plan, Study
    from warcli.study.watching import watching

    tell = _untold if quiet else note
    names = _names(given)
    player = _player(on_the_law, cluster, games, tell)
    if seed is None:
        seed = drawn_seed()
        tell(say("a seed was drawn; --seed {seed} plays these games again", seed=seed))
    played = Study(
        Plan(
            rules=tuple(rules for _, rules in given),
            seed=seed,
            pace=pace,
            player=player,
            keeps_games=games_csv is not None,
        )
    )
    most = games or (_GAMES if until is None else _LIMIT)[player]
    crew = _crew(cluster, threads, player, tell)
    looking = _looking(_rows(games_csv), watching(played, most, until, tell, quiet=quiet))
    try:
        with _picture(plot, tell) as draw:
            with opened(output, utf8=format_ != "text") as out:
                stopped, problem = _play(played, most, until, crew, looking)
                report = report_of(played, names, stopped, until)
                if format_ == "text":
                    out.write(_table(report, given, output, out, ascii=ascii))
                else:
                    out.write(as_json(report) if format_ == "json" else as_csv(report))
            draw(played, names)
    except NothingPlayed:  # older files stay as they are
        note(say("interrupted before the first games were over: nothing to report"))
        _end(130)
    if problem is not None:
        raise problem
    if stopped == "interrupted":
        note(
            say(
                "interrupted; this is the report of the first {played} of {most} games",
                played=f"{played.games:,}",
                most=f"{most:,}",
            )
        )
        _end(130)


class NothingPlayed(Exception):
    """A study was interrupted before its first game was over."""


def _play(
    played: Study,
    most: int,
    until: float | None,
    crew: AbstractContextManager[Crew],
    looking: AbstractContextManager[Look],
) -> tuple[Stopped, BadInput | None]:
    """Play the study, so that at least one game is over. Why no more were played, and what broke it
    off, if anything did.

    Raises BadInput when it was broken off before, NothingPlayed when it was interrupted before."""
    from warcli.study.run import run

    try:
        with crew as players, looking as look:
            stopped = run(played, most, players, look, until)
            if not played.games:
                raise NothingPlayed
    except BadInput as problem:
        if not played.games:
            raise
        return "failed", problem
    return stopped, None


def _end(status: int) -> NoReturn:
    """End the process as it is, with threads that still play or compile. Python would first clear
    away the compiler, and one time in ten crash those that are using it."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    os._exit(status)


@contextmanager
def _looking(
    rows: AbstractContextManager[Callable[[Part], None]], watch: AbstractContextManager[Look]
) -> Iterator[Look]:
    """What writes the games of each part, and says whether to play on."""
    with rows as write, watch as playing_on:

        def look(part: Part | None) -> bool:
            if part is not None:
                write(part)
            return playing_on(part)

        yield look


def _check_files(output: str | None, games_csv: str | None, plot: str | None) -> None:
    """Raises UsageError when these can't all be written."""
    if games_csv == "-":
        raise click.UsageError(
            say("--games-csv takes a file's name; standard output is for the report")
        )
    apart(output, games_csv, plot)


def _untold(message: str) -> None:
    """What `--quiet` leaves unsaid."""


def _names(given: Sequence[Given]) -> list[str]:
    """What the rules are called in the report: by their names, or as they were named on the
    command line where those don't tell them apart. Raises BadInput for the same rules twice."""
    for source, times in Counter(source for source, _ in given).items():
        if times > 1:
            raise BadInput(say("--rules {rules} is given twice", rules=source))
    names = [rules.name for _, rules in given]
    return names if len(set(names)) == len(names) else [printable(source) for source, _ in given]


def _player(
    on_the_law: bool, cluster: str | None, games: int | None, tell: Callable[[str], None]
) -> Player:
    """Who plays. Raises BadInput when what that takes isn't installed."""
    if on_the_law:
        return "law"
    if cluster is not None:
        if find_spec("distributed") is None:
            raise BadInput(say("--cluster needs more; install it with: {pip}", pip=_CLUSTER_PIP))
        return "kernel"
    if find_spec("numba") is not None:
        return "kernel"
    if games is not None and games > _SMALL:
        raise BadInput(
            say(
                "so many games need the compiled kernel; install it with: {pip}\n"
                "Without it, --games {small} plays a few on the referee's own law, and "
                "--on-the-law any number, slowly.",
                pip=_PIP,
                small=_SMALL,
            )
        )
    tell(
        say(
            "the compiled kernel isn't installed, so a few games are played on the referee's own "
            "law; for millions: {pip}",
            pip=_PIP,
        )
    )
    return "law"


@contextmanager
def _crew(
    cluster: str | None, threads: int | None, player: Player, tell: Callable[[str], None]
) -> Iterator[Crew]:
    """Whoever is to play. Raises BadInput when they are not there, go away, or can't play."""
    from warcli.study.run import CrewLost, thread_crew, unkept

    try:
        if cluster is None:
            with thread_crew(_threads(threads, player, tell)) as crew:
                yield crew
            if why := unkept():
                tell(say("the kernel could not be kept for the next time: {why}", why=why))
            return
        from warcli.study.cluster import ClusterUnreachable, cluster_crew

        try:
            with cluster_crew(cluster) as workers:
                if not workers.threads():
                    tell(say("the cluster has no workers yet; waiting for some"))
                yield workers
        except ClusterUnreachable as problem:
            raise BadInput(str(problem)) from None
    except CrewLost as problem:
        raise BadInput(str(problem)) from None
    except ImportError as problem:
        raise BadInput(
            say(
                "the kernel cannot be loaded ({why}); try {pip}, or --on-the-law",
                why=str(problem),
                pip=_PIP,
            )
        ) from None


def _threads(wanted: int | None, player: Player, tell: Callable[[str], None]) -> int:
    """How many threads play. More than there are cores would only wait for each other, and each
    takes up memory."""
    from warcli.study.run import cores

    most = cores()
    if wanted is None:
        return most if player == "kernel" else 1  # on the law, even two wait for each other
    if wanted > most:
        tell(
            say_count(
                "this machine plays one game at once, as it has {count} core to play on",
                "this machine plays {count} games at once, as it has so many cores to play on",
                most,
            )
        )
    return min(wanted, most)


@contextmanager
def _rows(target: str | None) -> Iterator[Callable[[Part], None]]:
    """What writes the games of a part into the file of `--games-csv`."""
    if target is None:
        yield lambda _: None
        return
    from warcli.study.rows import HEAD, rows

    try:
        with whole_file(target) as file:
            file.write(HEAD.encode())

            def write(part: Part) -> None:
                assert part.kept is not None
                file.write(rows(part.kept, part.first).encode())

            yield write
    except (
        BrokenPipeError
    ) as problem:  # whoever read the games is gone, but not who reads the report
        raise BadInput(
            say("cannot write {file}: {why}", file=target, why=problem.strerror or str(problem))
        ) from None


@contextmanager
def _picture(
    target: str | None, tell: Callable[[str], None]
) -> Iterator[Callable[[Study, Sequence[str]], None]]:
    """What draws a study into the file of `--plot`."""
    if target is None:
        yield lambda *_: None
        return

    with whole_file(target) as file:

        def draw(played: Study, names: Sequence[str]) -> None:
            from warcli.study.plots import draw_lengths

            figure = draw_lengths(names, played.tallies, played.plan.seed, played.plan.pace)
            save(figure, file, target, tell)

        yield draw


def _table(
    report: Report, given: Sequence[Given], target: str | None, out: Output, *, ascii: bool
) -> str:
    """The report for people, as wide as the terminal unless its target is a file."""
    from warcli.study.report import SIGNS, as_text

    return as_text(
        report,
        replays=[f"war simulate -r {shlex.quote(one.source)} -s {report.seed}" for one in given],
        width=max(40, get_terminal_size().columns) if target in (None, "-") else 80,
        ascii=ascii or not out.can_show(SIGNS),
    )
