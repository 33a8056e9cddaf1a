"""`war play`: no cards in the house; the program deals."""

from __future__ import annotations

import click

from warcli.commands.options import (
    ascii_option,
    drawn_seed,
    game_option,
    names_of_players,
    players_option,
    rules_option,
    seed_option,
)
from warcli.commands.sitting import (
    fail_if_unsaved,
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
from warcli.referee.ready import opening, pressed_keys, run
from warcli.referee.screen import reopening
from warcli.referee.session import NO_WISHES, begin_dealt
from warcli.rules import Rules


@click.command()
@rules_option
@seed_option
@game_option
@players_option
@time_limit_option
@round_limit_option
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
    if resume_file is not None:
        refuse_settings(ctx)
        resumed = resumed_game(resume_file, NO_WISHES, dealt=True)
        session, greeting = resumed.session, reopening(resumed)
    else:
        tonight = with_limits(rules, time_limit, round_limit)
        names = names_of_players(players, tonight)
        seed = drawn_seed() if seed is None else seed
        session = begin_dealt(tonight, names, saving_path(save, names), seed, game)
        greeting = opening(session)
    screen = screen_for(session, ascii=ascii, plain=True)
    screen.show(list(greeting))
    with pressed_keys() as keys:
        run(session, screen, keys)
    fail_if_unsaved(session)
