"""`war simulate`: one whole game and its transcript."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from time import perf_counter
from typing import NamedTuple

import click

from warcli.commands.options import (
    BadInput,
    FileType,
    ascii_option,
    drawn_seed,
    game_option,
    names_of_players,
    note,
    options_of_seed,
    output_option,
    players_option,
    quiet_option,
    reading,
    rules_option,
    seed_option,
)
from warcli.commands.output import Output, opened
from warcli.commands.pictures import apart, plot_option, save_game
from warcli.events import Event, Round
from warcli.rules import Rules
from warcli.simulation import Simulation, simulate_from
from warcli.simulation import simulate as simulate_seed
from warcli.words import say, say_count

_PATIENCE = 10.0
"""Seconds that anybody waits for a game without a word."""


class Wanted(NamedTuple):
    """What of a game is to be printed, and how."""

    summary: bool
    piles: bool
    ascii: bool


Renderer = Callable[[Simulation, Wanted, Output], Iterator[str]]


def _text(simulation: Simulation, wanted: Wanted, out: Output) -> Iterator[str]:
    from warcli.transcript import SIGNS, Look, Transcript

    look = Look(wanted.ascii or not out.can_show(SIGNS), out.colour, out.width)
    transcript = Transcript(simulation.rules, look, supplied=simulation.supplied)
    for event in _wanted(simulation, wanted):
        yield transcript.tell(event)
        if wanted.piles and isinstance(event, Round):
            yield transcript.piles(simulation.game)


def _jsonl(simulation: Simulation, wanted: Wanted, _: Output) -> Iterator[str]:
    from warcli.jsonl import jsonl

    return jsonl(_wanted(simulation, wanted))


def _wanted(events: Iterable[Event], wanted: Wanted) -> Iterable[Event]:
    if not wanted.summary:
        return events
    return (event for event in events if not isinstance(event, Round))


def _record(simulation: Simulation, wanted: Wanted, _: Output) -> Iterator[str]:
    from warcli.record import write

    return write(simulation.rules, _wanted(simulation, wanted))


FORMATS: dict[str, Renderer] = {"text": _text, "jsonl": _jsonl, "record": _record}
"""What `--format` offers, and what makes it of a game."""


@click.command()
@rules_option
@seed_option
@click.option(
    "--deal",
    "deal_file",
    metavar="FILE",
    type=FileType(),
    help="Play this deal (-: from standard input), with the players whom it names, instead of "
    "shuffling (see war deal). A seed is then only for shuffles during the game.",
)
@game_option
@players_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="text to read aloud; jsonl: JSON Lines for other programs; record: for war replay.",
)
@click.option("--summary", is_flag=True, help="Only how the game begins and ends.")
@click.option("--piles", is_flag=True, help="Show every pile after each round.")
@ascii_option
@plot_option(
    "Draw how many cards each player held after each round, with the wars marked, into this file."
)
@output_option
@quiet_option
@click.option("-v", "--verbose", is_flag=True, help="Say how long it took.")
def simulate(  # noqa: PLR0913, PLR0917 (an argument an option)
    rules: Rules,
    seed: int | None,
    deal_file: str | None,
    game: int,
    players: str | None,
    format_: str,
    summary: bool,
    piles: bool,
    ascii: bool,
    plot: str | None,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Play one whole game and print its transcript.

    The game comes from a seed, or from a deal that you supply, and from the rules; nobody has
    anything to choose.

    \b
    Examples:
      war simulate --seed 42 --players Ana,Luis
      war simulate --rules krig --deal tonight.yaml --summary
      war simulate --seed 42 --format jsonl --output game.jsonl
    """
    if piles and summary:
        raise click.UsageError(say("--summary leaves out the rounds that --piles would follow"))
    if format_ == "record" and summary:
        raise click.UsageError(say("a record without its rounds would be of no use"))
    if format_ != "text" and (piles or ascii):
        raise click.UsageError(say("--piles and --ascii go with --format text"))
    apart(output, plot)
    begun = perf_counter()
    if deal_file is None:
        simulation, notes = _from_seed(rules, seed, game, players)
    else:
        simulation, notes = _from_deal(rules, deal_file, seed, game, players)
    if rules.seconds is not None:
        notes.append(
            say("a simulation has no clock: time_limit {limit} is left out", limit=rules.time_limit)
        )
    if not quiet:
        for message in notes:
            note(message)
    if plot is not None:
        save_game(simulation, plot, _untold if quiet else note)
    with opened(output, utf8=format_ != "text") as out, _patience(_untold if quiet else note):
        for piece in FORMATS[format_](simulation, Wanted(summary, piles, ascii), out):
            out.write(piece)
    if verbose:
        note(
            say_count(
                "{count} round in {seconds} seconds",
                "{count} rounds in {seconds} seconds",
                simulation.game.rounds,
                seconds=f"{perf_counter() - begun:.3f}",
            )
        )


@contextmanager
def _patience(tell: Callable[[str], None]) -> Iterator[None]:
    """There are rules whose games take many million rounds; who waits for one is told so."""
    message = say("this game is long; it is still being played (Ctrl-C breaks it off)")
    timer = Timer(_PATIENCE, tell, [message])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _untold(message: str) -> None:
    """What `--quiet` leaves unsaid."""


def _from_seed(
    rules: Rules, seed: int | None, game: int, players: str | None
) -> tuple[Simulation, list[str]]:
    names = names_of_players(players, rules)
    notes: list[str] = []
    if seed is None:
        seed, notes = _draw(game)
    return simulate_seed(rules, seed, game, names), notes


def _from_deal(
    rules: Rules, file: str, seed: int | None, game: int, players: str | None
) -> tuple[Simulation, list[str]]:
    from warcli.dealfile import BadDeal, read_deal

    if players is not None:
        raise click.UsageError(say("the deal file names the players; leave out --players"))
    try:
        supplied = read_deal(Path(file), rules)
    except BadDeal as problem:
        raise BadInput(str(problem)) from None
    reading(file)
    notes = list(supplied.notes)
    if seed is None and rules.shuffles:
        seed, drawn = _draw(game)
        notes += drawn
    simulation = simulate_from(rules, supplied.piles, seed, game, supplied.players)
    if simulation.deal.seed is None and (game or seed is not None):
        notes.append(
            say("the seed makes no difference: the deal is given, and nothing is shuffled")
            if seed is not None
            else say("--game makes no difference: the deal is given, and nothing is shuffled")
        )
    return simulation, notes


def _draw(game: int) -> tuple[int, list[str]]:
    seed = drawn_seed()
    again = options_of_seed(seed, game)
    return seed, [say("a seed was drawn; {options} plays this game again", options=again)]
