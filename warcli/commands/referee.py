"""`war referee`: people flip real cards, someone types them, the program rules."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress

import click

from warcli.commands.options import (
    BadInput,
    RulesType,
    ascii_option,
    names_of_players,
    players_option,
)
from warcli.commands.sitting import (
    at_keyboard,
    fail_if_unsaved,
    list_games,
    refuse_settings,
    resume_option,
    resumed_game,
    round_limit_option,
    save_option,
    saving_path,
    screen_for,
    time_limit_option,
    with_limits,
)
from warcli.referee.screen import opening, reopening, run
from warcli.referee.session import Wishes, begin
from warcli.rules import Rules
from warcli.rulesfile import RulesFileError, load, profiles
from warcli.simulation import default_players
from warcli.words import say


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
@time_limit_option
@round_limit_option
@save_option
@resume_option
@click.option("--list", "listing", is_flag=True, help="List the saved games, the newest first.")
@click.option(
    "--hints", is_flag=True, help="Show the next cards where they are known; Enter takes them."
)
@click.option("--odds", is_flag=True, help="Tell everybody's chances after every round.")
@ascii_option
@click.option(
    "--plain",
    is_flag=True,
    help="A plain line without a toolbar, for screen readers and simple terminals.",
)
@click.pass_context
def referee(  # noqa: PLR0913, PLR0917 (an argument an option)
    ctx: click.Context,
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
    if listing:
        list_games()
        return
    wishes = Wishes(hints=hints, odds=odds)
    if resume_file is not None:
        refuse_settings(ctx)
        resumed = resumed_game(resume_file, wishes, dealt=False)
        session, greeting = resumed.session, reopening(resumed)
    else:
        _check_before_asking(time_limit, round_limit, save)
        if at_keyboard() and not plain:
            _edit_lines()
        tonight = with_limits(rules or _asked_rules(), time_limit, round_limit)
        names = names_of_players(players, tonight) if players else _asked_names(tonight)
        session = begin(tonight, names, saving_path(save, names), wishes)
        greeting = opening(session)
    screen = screen_for(session, ascii=ascii, plain=plain)
    screen.show(list(greeting))
    run(session, screen)
    fail_if_unsaved(session)


def _check_before_asking(time_limit: str | None, round_limit: int | None, save: str | None) -> None:
    """Raises BadInput for what is wrong whatever the rules and the names will be."""
    with_limits(load("english"), time_limit, round_limit)
    saving_path(save, ())


def _edit_lines() -> None:
    """Have arrow keys work in the questions, where the system has a way to."""
    with suppress(ImportError):
        import readline  # noqa: F401


def _asked_rules() -> Rules:
    """The rules that somebody at the keyboard names; through a pipe, the default ones."""
    if not at_keyboard():
        return load("english")
    choice = say("Rules: {profiles}, or a rules file.", profiles=", ".join(profiles()))
    click.echo(click.wrap_text(choice, shutil.get_terminal_size().columns - 1))
    while True:
        name = click.prompt(say("Which"), default="english").strip()
        try:
            return load(name)
        except RulesFileError as problem:
            BadInput(str(problem)).show()


def _asked_names(rules: Rules) -> Sequence[str]:
    """The names that somebody at the keyboard gives; through a pipe, the default ones."""
    default = default_players(rules)
    if not at_keyboard():
        return default
    question = say("The names of the {count} players, parted by commas", count=rules.players)
    while True:
        given = click.prompt(question, default=",".join(default))
        try:
            return names_of_players(given, rules)
        except BadInput as problem:
            problem.show()
