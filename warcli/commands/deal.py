"""`war deal`: the deal of a seed as a deal file."""

from __future__ import annotations

import click

from warcli.cards import SUITS, ascii_form
from warcli.commands.options import (
    ascii_option,
    drawn_seed,
    game_option,
    names_of_players,
    note,
    output_option,
    players_option,
    quiet_option,
    rules_option,
    seed_option,
)
from warcli.commands.output import opened
from warcli.deal import deal as deal_cards
from warcli.dealfile import deal_yaml
from warcli.generator import Generator
from warcli.rules import Rules
from warcli.words import say


@click.command()
@rules_option
@seed_option
@game_option
@players_option
@ascii_option
@output_option
@quiet_option
def deal(  # noqa: PLR0913, PLR0917 (an argument an option)
    rules: Rules,
    seed: int | None,
    game: int,
    players: str | None,
    ascii: bool,
    output: str | None,
    quiet: bool,
) -> None:
    """Print the deal of a seed as a deal file.

    It lists each player's pile, top card first. Edit it as you like, or lay the cards out by it,
    and give it back to war simulate.

    \b
    Example:
      war deal --seed 42 --players Ana,Luis --output tonight.yaml
      war simulate --deal tonight.yaml
    """
    names = names_of_players(players, rules)
    if seed is None:
        seed = drawn_seed()
        if not quiet:
            note(say("a seed was drawn; --seed {seed} deals these cards again", seed=seed))
    dealt = deal_cards(rules, Generator(seed, game))
    with opened(output, utf8=True) as out:
        letters = ascii or not out.can_show(SUITS)
        shown = say(", game {game}", game=game) if game else ""
        comments = [
            say(
                "The deal of seed {seed}{game}, by the rules {rules}.",
                seed=seed,
                game=shown,
                rules=rules.name,
            )
        ]
        if rules.shuffles:
            comments.append(
                say(
                    "Cards are shuffled during the game: with --seed {seed}{game} it goes on as "
                    "this seed's game.",
                    seed=seed,
                    game=f" --game {game}" if game else "",
                )
            )
        if dealt.leftover:
            aside = " ".join(map(ascii_form, dealt.leftover) if letters else dealt.leftover)
            comments.append(say("Set aside for the whole game: {cards}", cards=aside))
        for comment in comments:
            out.write(f"# {comment}\n")
        out.write(deal_yaml(names, dealt.piles, letters=letters))
