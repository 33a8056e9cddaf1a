"""`war play`: no cards in the house; the program deals."""

from __future__ import annotations

import click

from warcli.commands.options import (
    drawn_seed,
    game_option,
    names_of_players,
    rules_option,
    seed_option,
)
from warcli.commands.sitting import (
    Tonight,
    fail_if_unsaved,
    refuse_settings,
    resumed_game,
    saving_path,
    screen_for,
    sitting_options,
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
@sitting_options
@click.pass_context
def play(ctx: click.Context, rules: Rules, seed: int | None, game: int, tonight: Tonight) -> None:
    """Play without cards: the program deals, and the players press a key when they are ready.

    Each player has a key of their own. Only when everybody who turns up a card has pressed theirs
    are the cards shown. Ctrl-D saves the game and leaves.

    \b
    Examples:
      war play --players Ana,Luis
      war play --rules three-players --seed 42
      war play --resume
    """
    if tonight.resume is not None:
        refuse_settings(ctx)
        resumed = resumed_game(tonight.resume, NO_WISHES, dealt=True)
        session, greeting = resumed.session, reopening(resumed)
    else:
        limited = with_limits(rules, tonight.time_limit, tonight.round_limit)
        names = names_of_players(tonight.players, limited)
        seed = drawn_seed() if seed is None else seed
        session = begin_dealt(limited, names, saving_path(tonight.save, names), seed, game)
        greeting = opening(session)
    screen = screen_for(session, ascii=tonight.ascii, plain=True)
    screen.show_before_prompt(session, list(greeting))
    with pressed_keys() as keys:
        run(session, screen, keys)
    fail_if_unsaved(session)
