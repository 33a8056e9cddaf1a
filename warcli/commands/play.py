"""`war play`: no cards in the house; the program deals."""

from __future__ import annotations

import click

from warcli.commands.options import (
    BadInput,
    ascii_option,
    drawn_seed,
    game_option,
    names_of_players,
    players_option,
    rules_option,
    seed_option,
)
from warcli.commands.referee import (
    fail_if_unsaved,
    resume_option,
    resumed_game,
    save_option,
    saving_path,
    screen_for,
    with_limits,
)
from warcli.rules import Rules
from warcli.words import say


@click.command()
@rules_option
@seed_option
@game_option
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
@ascii_option
@click.pass_context
def play(  # noqa: PLR0913, PLR0917 (an argument an option)
    ctx: click.Context,
    rules: Rules,
    seed: int | None,
    game: int,
    players: str | None,
    time_limit: str | None,
    round_limit: int | None,
    save: str | None,
    resume_file: str | None,
    ascii: bool,
) -> None:
    """Play without cards: the program deals, and the players press a key when they are ready.

    Each player has a key of their own. Only when everybody who turns up a card has pressed theirs
    are the cards shown. Ctrl-D saves the game and leaves.

    \b
    Examples:
      war play --players Ana,Luis
      war play --rules three-players --seed 42
      war play --resume
    """
    from warcli.referee.ready import opening, pressed_keys, run
    from warcli.referee.screen import reopening
    from warcli.referee.session import Wishes, begin_dealt

    if resume_file is not None:
        given = {
            name
            for name in ("rules", "seed", "game", "players", "time_limit", "round_limit", "save")
            if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
        }
        if given:
            raise click.UsageError(
                say("a game that goes on has its rules and players, and its file, already")
            )
        resumed = resumed_game(resume_file, Wishes())
        session, greeting = resumed.session, list(reopening(resumed))
        if not resumed.dealt:
            session.leave()
            raise BadInput(
                say(
                    "{file} is a game with real cards; go on with it by war referee --resume",
                    file=str(session.journal.path),
                )
            )
    else:
        tonight = with_limits(rules, time_limit, round_limit)
        names = names_of_players(players, tonight)
        seed = drawn_seed() if seed is None else seed
        session = begin_dealt(tonight, names, saving_path(save, names), seed, game)
        greeting = list(opening(session))
    screen = screen_for(session, ascii=ascii, plain=True)
    screen.show(greeting)
    with pressed_keys() as keys:
        run(session, screen, keys)
    fail_if_unsaved(session)
