"""What `war referee` and `war play` share: limits for tonight, saved games, the screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from warcli.cards import SUITS
from warcli.commands.options import BadInput, ascii_option, players_option
from warcli.commands.output import opened
from warcli.recordfile import BadRecord
from warcli.referee.clock import today
from warcli.referee.journal import (
    InUse,
    SavedGame,
    new_game_path,
    saved_games,
    saved_games_folder,
)
from warcli.referee.screen import Screen
from warcli.referee.session import Resumed, Session, Wishes, resume
from warcli.rules import BadRules, Rules
from warcli.transcript import Look
from warcli.words import say, say_count

LAST = ""
"""What `--resume` without a file means: of the games of its kind that aren't over, the one that
was played last."""


class Tonight(NamedTuple):
    """What the options that every sitting has were given."""

    players: str | None
    time_limit: str | None
    round_limit: int | None
    save: str | None
    resume: str | None
    ascii: bool


def _list_and_leave(ctx: click.Context, _option: click.Parameter, wished: bool) -> None:
    if wished and not ctx.resilient_parsing:
        list_games()
        ctx.exit()


_OPTIONS = (
    players_option,
    click.option(
        "--time-limit",
        metavar="TIME",
        help="Stop after the round during which this time is up, such as 30m, 1h30m or 90s.",
    ),
    click.option(
        "--round-limit",
        type=click.IntRange(1, 1_000_000),
        metavar="N",
        help="Stop after so many rounds.",
    ),
    click.option(
        "--save",
        metavar="FILE",
        type=click.Path(),
        help="Save the game in this file, instead of the system's own place for such files.",
    ),
    click.option(
        "--resume",
        metavar="[FILE]",
        type=click.Path(),
        is_flag=False,
        flag_value=LAST,
        help="Go on with a saved game; without a file, with the last of its kind that isn't over.",
    ),
    click.option(
        "--list",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_list_and_leave,
        help="List the saved games of both kinds, the newest first.",
    ),
    ascii_option,
)


def sitting_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that every sitting has; it gets them together, as `tonight`."""

    @wraps(command)
    def with_tonight(*args: Any, **options: Any) -> None:
        tonight = Tonight(**{field: options.pop(field) for field in Tonight._fields})
        command(*args, tonight=tonight, **options)

    for option in reversed(_OPTIONS):
        option(with_tonight)
    return with_tonight


def at_keyboard() -> bool:
    """Whether somebody sits in front of this who can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def with_limits(rules: Rules, time_limit: str | None, round_limit: int | None) -> Rules:
    """The rules with limits for tonight. Raises BadInput."""
    tonight = {"time_limit": time_limit, "round_limit": round_limit}
    changed = {key: value for key, value in tonight.items() if value is not None}
    if not changed:
        return rules
    try:
        return msgspec.convert({**msgspec.to_builtins(rules), **changed}, Rules)
    except msgspec.ValidationError as problem:
        if isinstance(problem.__cause__, BadRules):
            raise BadInput(str(problem.__cause__)) from None
        raise BadInput(
            say(
                "{limit} is no time limit; write such as 30m, 1h30m or 90s",
                limit=repr(time_limit),
            )
        ) from None


def saving_path(save: str | None, players: Sequence[str]) -> Path:
    """Where a new game is saved. Raises BadInput when it can't be meant."""
    if save is None:
        return new_game_path(players, today())
    path = Path(save)
    if path.exists():
        raise BadInput(
            say(
                "{file} is there already, and no game is written over; go on with it by --resume, "
                "or give another name",
                file=save,
            )
        )
    if not path.parent.is_dir():
        raise BadInput(
            say("{file}: there is no folder {folder}", file=save, folder=str(path.parent))
        )
    return path


def refuse_settings(ctx: click.Context) -> None:
    """Raises UsageError when `--resume` comes with something that a saved game has already."""
    settings = ("rules", "players", "seed", "game", "time_limit", "round_limit", "save")
    for name in settings:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = "--" + name.replace("_", "-")
            raise click.UsageError(
                say("leave out {option}: a game that goes on has it already", option=option)
            )


def resumed_game(file: str, wishes: Wishes, *, dealt: bool) -> Resumed:
    """The saved game that goes on: one that the program dealt, or one with real cards.

    Raises BadInput, also when it is of the other kind.
    """
    path = Path(file) if file != LAST else _last_unfinished(dealt=dealt)
    resumed = _resumed(path, wishes)
    if resumed.dealt == dealt:
        return resumed
    resumed.session.leave()
    raise BadInput(
        say(
            "{file} is a game with real cards, and the program doesn't know where they are; go on "
            "with it by war referee --resume",
            file=str(path),
        )
        if dealt
        else say(
            "{file} is a game that the program dealt, so it would show what the players hold; go "
            "on with it by war play --resume",
            file=str(path),
        )
    )


def _resumed(path: Path, wishes: Wishes) -> Resumed:
    """Raises BadInput."""
    try:
        return resume(path, wishes)
    except (BadRecord, InUse) as problem:
        raise BadInput(str(problem)) from None
    except FileNotFoundError:
        raise BadInput(say("{file}: there is no such file", file=str(path))) from None
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise BadInput(
            say("{file} cannot be gone on with: {why}", file=str(path), why=why)
        ) from None


def _last_unfinished(*, dealt: bool) -> Path:
    for game in saved_games():
        if game.record is not None and game.dealt == dealt and not game.is_over:
            return game.path
    raise BadInput(
        say("no game that could go on is saved in {folder}", folder=str(saved_games_folder()))
    )


def list_games() -> None:
    """Print what is known of each saved game."""
    none = True
    for game in saved_games():
        none = False
        click.echo(say("{file}", file=str(game.path)))
        click.echo(say("  {what}", what=_in_short(game)))
    if none:
        click.echo(say("No games are saved in {folder}.", folder=str(saved_games_folder())))


def _in_short(game: SavedGame) -> str:
    if game.record is None:
        return say("cannot be read")
    head = game.record.head
    return say(
        "{players}; {rules}, {kind}; {started}; {rounds}, {state}",
        players=", ".join(head.players),
        rules=head.rules.name,
        kind=say("dealt by the program") if game.dealt else say("real cards"),
        started=say("no date") if head.started is None else f"{head.started:%Y-%m-%d %H:%M}",
        rounds=say_count("{count} round", "{count} rounds", game.rounds),
        state=say("over") if game.is_over else say("not over"),
    )


def screen_for(session: Session, *, ascii: bool, plain: bool) -> Screen:
    """The screen that fits where the program runs."""
    with opened(None) as out:
        look = Look(ascii=ascii or not out.can_show(SUITS + "█░"), colour=out.colour)
    if plain or not at_keyboard() or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return Screen(look)
    from warcli.referee.terminal import Terminal  # prompt_toolkit, which takes its time

    return Terminal(look, session)


def fail_if_unsaved(session: Session) -> None:
    """Raises BadInput when the game could not be saved to its end."""
    if session.journal.unsaved():
        raise BadInput(say("the game could not be saved: {why}", why=session.journal.trouble))
