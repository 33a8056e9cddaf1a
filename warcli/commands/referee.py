"""`war referee`: people flip real cards, someone types them, the program rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warcli.commands.options import (
    BadInput,
    RulesType,
    ascii_option,
    names_of_players,
    players_option,
)
from warcli.words import say, say_count

if TYPE_CHECKING:
    from warcli.referee.journal import SavedGame
    from warcli.referee.screen import Screen
    from warcli.referee.session import Resumed, Session, Wishes
    from warcli.rules import Rules

LAST = ""
"""What `--resume` without a file means: the game that was played last and isn't over."""

plain_option = click.option(
    "--plain",
    is_flag=True,
    help="A plain line without a toolbar, for screen readers and simple terminals.",
)

save_option = click.option(
    "--save",
    "save",
    metavar="FILE",
    type=click.Path(),
    help="Save the game in this file, instead of the system's own place for such files.",
)

resume_option = click.option(
    "--resume",
    "resume_file",
    metavar="[FILE]",
    type=click.Path(),
    is_flag=False,
    flag_value=LAST,
    help="Go on with a saved game; without a file, with the last one that isn't over.",
)


@click.command()
@click.option(
    "-r",
    "--rules",
    type=RulesType(),
    metavar="NAME|FILE",
    help="A built-in profile (war rules lists them) or a rules file. Default: asked for on a "
    "terminal, else english.",
)
@players_option
@click.option(
    "--time-limit",
    metavar="TIME",
    help="Stop after the round during which this time is up, such as 30m, 1h30m or 90s.",
)
@click.option(
    "--round-limit",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Stop after so many rounds.",
)
@save_option
@resume_option
@click.option("--list", "listing", is_flag=True, help="List the saved games, the newest first.")
@click.option(
    "--hints", is_flag=True, help="Show the next cards where they are known; Enter takes them."
)
@click.option("--odds", is_flag=True, help="Tell everybody's chances after every round.")
@ascii_option
@plain_option
def referee(  # noqa: PLR0913, PLR0917 (an argument an option)
    rules: Rules | None,
    players: str | None,
    time_limit: str | None,
    round_limit: int | None,
    save: str | None,
    resume_file: str | None,
    listing: bool,
    hints: bool,
    odds: bool,
    ascii: bool,
    plain: bool,
) -> None:
    """Referee a game with real cards, as the players type in what they flip.

    One line a flip: the cards in the order of the players, as short as can be. What is typed wrong
    costs nothing but a new prompt; undo takes anything back. Every line is on disk before it is
    ruled on.

    \b
    Examples:
      war referee --rules krig --players Ana,Luis
      war referee --time-limit 30m --hints
      war referee --resume
      war referee < typed-before.txt
    """
    from warcli.referee.screen import opening, reopening, run
    from warcli.referee.session import Wishes

    if listing:
        return list_games()
    wishes = Wishes(hints=hints, odds=odds)
    if resume_file is not None:
        if (rules, players, time_limit, round_limit, save) != (None,) * 5:
            raise click.UsageError(
                say("a game that goes on has its rules and players, and its file, already")
            )
        resumed = resumed_game(resume_file, wishes)
        session, greeting = resumed.session, list(reopening(resumed))
    else:
        rules = with_limits(rules or _asked_rules(), time_limit, round_limit)
        names = names_of_players(players, rules) if players else _asked_names(rules)
        session = _begun(rules, names, save, wishes)
        greeting = list(opening(session))
    screen = screen_for(session, ascii=ascii, plain=plain)
    screen.show(greeting)
    run(session, screen)
    fail_if_unsaved(session)
    return None


# Beginning


def _at_keyboard() -> bool:
    import sys

    return sys.stdin is not None and sys.stdin.isatty()


def _asked_rules() -> Rules:
    """The rules that somebody at the keyboard names; through a pipe, the default ones."""
    from warcli.rulesfile import RulesFileError, load, profiles

    if not _at_keyboard():
        return load("english")
    click.echo(say("Rules: {profiles}, or a rules file.", profiles=", ".join(profiles())))
    while True:
        name = click.prompt(say("Which"), default="english").strip()
        try:
            return load(name)
        except RulesFileError as problem:
            BadInput(str(problem)).show()


def _asked_names(rules: Rules) -> tuple[str, ...]:
    """The names that somebody at the keyboard gives; through a pipe, the default ones."""
    from warcli.simulation import default_players

    default = default_players(rules)
    if not _at_keyboard():
        return default
    question = say("The names of the {count} players, parted by commas", count=rules.players)
    while True:
        given = click.prompt(question, default=",".join(default))
        try:
            return tuple(names_of_players(given, rules))
        except BadInput as problem:
            problem.show()


def with_limits(rules: Rules, time_limit: str | None, round_limit: int | None) -> Rules:
    """The rules with limits for tonight. Raises BadInput."""
    import msgspec

    from warcli.rules import BadRules
    from warcli.rules import Rules as Model

    tonight = {"time_limit": time_limit, "round_limit": round_limit}
    changed = {key: value for key, value in tonight.items() if value is not None}
    if not changed:
        return rules
    try:
        return msgspec.convert({**msgspec.to_builtins(rules), **changed}, Model)
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
    from warcli.referee.clock import today
    from warcli.referee.journal import new_game_path

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


def _begun(rules: Rules, names: Sequence[str], save: str | None, wishes: Wishes) -> Session:
    from warcli.referee.session import begin

    return begin(rules, names, saving_path(save, names), wishes)


def screen_for(session: Session, *, ascii: bool, plain: bool) -> Screen:
    """The screen that fits where the program runs."""
    import os
    import sys

    from warcli.cards import SUITS
    from warcli.commands.output import opened
    from warcli.referee.screen import Screen
    from warcli.transcript import Look

    with opened(None) as out:
        look = Look(ascii=ascii or not out.can_show(SUITS + "█░"), colour=out.colour)
    if plain or not _at_keyboard() or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return Screen(look)
    from warcli.referee.terminal import Terminal

    return Terminal(look, session)


# Going on


def resumed_game(file: str, wishes: Wishes) -> Resumed:
    """The saved game that goes on. Raises BadInput."""
    from warcli.recordfile import BadRecord
    from warcli.referee.journal import InUse
    from warcli.referee.session import resume

    path = Path(file) if file != LAST else _last_unfinished()
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


def _last_unfinished() -> Path:
    from warcli.referee.journal import saved_games, saved_games_folder

    for game in saved_games():
        if game.record is not None and not game.is_over:
            return game.path
    raise BadInput(
        say("no game that could go on is saved in {folder}", folder=str(saved_games_folder()))
    )


def list_games() -> None:
    """Print a line for each saved game."""
    from warcli.referee.journal import saved_games, saved_games_folder

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
        "{players}; {rules}; {started}; {rounds}, {state}",
        players=", ".join(head.players),
        rules=head.rules.name,
        started="" if head.started is None else f"{head.started:%Y-%m-%d %H:%M}",
        rounds=say_count("{count} round", "{count} rounds", game.rounds),
        state=say("over") if game.is_over else say("not over"),
    )


def fail_if_unsaved(session: Session) -> None:
    """Raises BadInput when the game could not be saved to its end."""
    if session.journal.unsaved():
        raise BadInput(say("the game could not be saved: {why}", why=session.journal.trouble))
