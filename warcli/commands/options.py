"""The options that several commands share, and how a command refuses bad input."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from warcli.generator import MAX_SEED
from warcli.words import printable, say

if TYPE_CHECKING:
    from warcli.rules import Rules


class BadInput(click.ClickException):
    """What the user gave can't be used: shown as one clear message, and exit status 2.

    The message may have several lines (a file's line with a caret under it); control characters
    in it are escaped.
    """

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__("\n".join(map(printable, message.split("\n"))))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it; on a terminal, sentences too long for it are broken between words."""
        stream = sys.stderr if file is None else file
        if stream is None or not stream.isatty():
            super().show(file)
            return
        from warcli.transcript import Look, dressed

        look = Look(width=get_terminal_size().columns - 1)
        for line in self._lines():
            shown = line + "\n" if _EXCERPT.match(line) else dressed([line], look)
            click.echo(shown, file=stream, nl=False)

    def _lines(self) -> list[str]:
        first, *rest = self.message.split("\n")
        return [say("Error: {message}", message=first), *rest]


_EXCERPT = re.compile(r" *[0-9]* \|")
"""How a line begins that shows a file's own line, or has carets under it."""


def note(message: str) -> None:
    """Tell the user something on standard error; the output itself stays as it is."""
    click.echo(say("Note: {message}", message=message), err=True)


_READ = "warcli.files_read"


def reading(file: str) -> None:
    """Remember a file that the running command reads, so that its output doesn't overwrite it."""
    if (context := click.get_current_context(silent=True)) is not None and Path(file).is_file():
        context.meta.setdefault(_READ, []).append(Path(file))


def files_read() -> Sequence[Path]:
    """The files that the running command reads."""
    context = click.get_current_context(silent=True)
    return context.meta.get(_READ, ()) if context is not None else ()


class FileType(click.Path):
    """The path of a file; whether it can be read or written is told by whoever opens it."""

    def __init__(self) -> None:
        super().__init__(readable=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail(say("an empty name is no file"), param, ctx)
        return super().convert(value, param, ctx)


def offer_rules(
    ctx: click.Context,  # noqa: ARG001
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """What the shell offers where rules are named: files, and the names of built-in profiles."""
    from warcli.rulesfile import profiles

    named = [CompletionItem(name) for name in profiles() if name.startswith(incomplete)]
    # Files first: in bash they are offered when none of the names after them fits.
    return [CompletionItem(incomplete, type="file"), *named]


class RulesType(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """A built-in profile's name or the path of a rules file, as the rules that it holds."""

    name = "rules"

    def convert(
        self,
        value: str | Rules,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> Rules:
        if not isinstance(value, str):
            return value
        from warcli.rulesfile import RulesFileError, load

        try:
            rules = load(value)
        except RulesFileError as problem:
            raise BadInput(str(problem)) from None
        reading(value)
        return rules

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        return offer_rules(ctx, param, incomplete)


class SeedType(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """A seed, or the number of a game of a seed."""

    name = "number"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        if isinstance(value, int):
            return value
        digits = value.strip().lstrip("0") or value.strip()[-1:]
        whole = digits.isascii() and digits.isdigit()
        if not whole or len(digits) > len(str(MAX_SEED)) or int(digits) > MAX_SEED:
            message = say(
                "{value} is no whole number from 0 to {most}",
                value=repr(value[:40]),
                most=MAX_SEED,
            )
            self.fail(message, param, ctx)
        return int(digits)


rules_option = click.option(
    "-r",
    "--rules",
    type=RulesType(),
    default="english",
    show_default=True,
    metavar="NAME|FILE",
    help="A built-in profile (war rules lists them) or a rules file; -: standard input.",
)

seed_option = click.option(
    "-s",
    "--seed",
    type=SeedType(),
    metavar="N",
    help="Shuffle by this number, 0 to 2^64 - 1; the same number gives the same game, always. "
    "Without it one is drawn, and told.",
)

game_option = click.option(
    "--game",
    type=SeedType(),
    default=0,
    metavar="K",
    help="Which game of that seed, from 0.",
)

players_option = click.option(
    "-p",
    "--players",
    metavar="NAMES",
    help="The players in order, parted by commas: Ana,Luis. Without it: A,B,...",
)

ascii_option = click.option(
    "--ascii", is_flag=True, help="Only plain letters and signs: 9c for the nine of clubs."
)

output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=FileType(),
    help="Write to this file, whole or not at all, instead of standard output.",
)

quiet_option = click.option("-q", "--quiet", is_flag=True, help="No notes on standard error.")


def names_of_players(given: str | None, rules: Rules) -> Sequence[str]:
    """The names that `--players` gave, or the default ones. Raises BadInput."""
    from warcli.players import BadName, WrongNumber, check_names
    from warcli.simulation import default_players

    if given is None:
        return default_players(rules)
    try:
        return check_names(given.split(","), rules)
    except WrongNumber as problem:
        raise BadInput(f"{problem}\n{_as_many(given.count(',') + 1)}") from None
    except BadName as problem:
        raise BadInput(str(problem)) from None


def _as_many(players: int) -> str:
    """How to have rules for this number of players."""
    if players == 3:
        return say("For {count}: --rules three-players, or players: 3 in a rules file.", count=3)
    if 2 <= players <= 8:
        return say("For {count}: players: {count} in a rules file.", count=players)
    return say("From 2 to 8 can play: players: 4 in a rules file makes it 4.")


def options_of_seed(seed: int, game: int) -> str:
    """What to type for this game of this seed."""
    return f"--seed {seed} --game {game}" if game else f"--seed {seed}"


def drawn_seed() -> int:
    """A seed that nobody chose, short enough to be told on the telephone."""
    import os

    return int.from_bytes(os.urandom(8), "big") % 1_000_000_000
