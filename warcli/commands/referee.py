"""`war referee`: people flip real cards, someone types them, the program rules."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import click

from warcli.commands.options import BadInput, RulesType, names_of_players
from warcli.commands.sitting import (
    Tonight,
    at_keyboard,
    fail_if_unsaved,
    refuse_settings,
    resumed_game,
    saving_path,
    screen_for,
    sitting_options,
    with_limits,
)
from warcli.referee.screen import opening, reopening, run
from warcli.referee.session import Wishes, begin
from warcli.rules import Rules
from warcli.rulesfile import RulesFileError, load, profiles
from warcli.simulation import default_players
from warcli.transcript import Look, dressed
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
@sitting_options
@click.option(
    "--hints", is_flag=True, help="Show the next cards where they are known; Enter takes them."
)
@click.option("--odds", is_flag=True, help="Tell everybody's chances after every round.")
@click.option(
    "--plain",
    is_flag=True,
    help="A plain line without a toolbar, for screen readers and simple terminals.",
)
@click.pass_context
def referee(  # noqa: PLR0913, PLR0917 (an argument an option)
    ctx: click.Context,
    rules: Rules | None,
    tonight: Tonight,
    hints: bool,
    odds: bool,
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
    wishes = Wishes(hints=hints, odds=odds)
    if tonight.resume is not None:
        refuse_settings(ctx)
        resumed = resumed_game(tonight.resume, wishes, dealt=False)
        session, greeting = resumed.session, reopening(resumed)
    else:
        _check_before_asking(tonight)
        if at_keyboard() and not plain:
            _edit_lines()
        given = tonight.players
        with _questions():
            chosen = rules or _asked_rules()
            limited = with_limits(chosen, tonight.time_limit, tonight.round_limit)
            names = names_of_players(given, limited) if given else _asked_names(limited)
        session = begin(limited, names, saving_path(tonight.save, names), wishes)
        greeting = opening(session)
    screen = screen_for(session, ascii=tonight.ascii, plain=plain)
    screen.show_before_prompt(session, list(greeting))
    run(session, screen)
    fail_if_unsaved(session)


def _check_before_asking(tonight: Tonight) -> None:
    """Raises BadInput for what is wrong whatever the rules and the names will be."""
    with_limits(load("english"), tonight.time_limit, tonight.round_limit)
    saving_path(tonight.save, ())


def _edit_lines() -> None:
    """Have arrow keys work in the questions, where the system has a way to."""
    with suppress(ImportError):
        import readline  # noqa: F401


@contextmanager
def _questions() -> Iterator[None]:
    """Whoever leaves at a question is told that there is no game yet."""
    try:
        yield
    except click.Abort as left:
        click.echo()
        click.echo(say("No game was begun."))
        if isinstance(left.__context__, EOFError):  # Ctrl-D leaves; Ctrl-C interrupts
            raise click.exceptions.Exit(0) from None
        raise


def _asked_rules() -> Rules:
    """The rules that somebody at the keyboard names; through a pipe, the default ones."""
    if not at_keyboard():
        return load("english")
    choice = say("Rules: {profiles}, or a rules file.", profiles=", ".join(profiles()))
    look = Look(width=shutil.get_terminal_size().columns - 1)
    click.echo(dressed([choice], look), nl=False)
    while True:
        name = click.prompt(say("Which"), default="english").strip()
        try:
            return load(name)
        except RulesFileError as problem:
            names_given = say("first the rules; the names of the players are asked for next")
            BadInput(names_given if "," in name else str(problem)).show()


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
