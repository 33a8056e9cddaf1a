"""One whole game, from a seed or a supplied deal, as a stream of events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from warcli.cards import Card
from warcli.deal import deal
from warcli.events import Deal, Event
from warcli.game import Game, Position, Shuffle
from warcli.generator import Generator
from warcli.rules import Rules


def default_players(rules: Rules) -> tuple[str, ...]:
    """The names of the seats when nobody gave any: A, B, C …"""
    return tuple("ABCDEFGH"[: rules.players])


def simulate(
    rules: Rules, seed: int, game: int = 0, players: Sequence[str] | None = None
) -> Iterator[Event]:
    """Play game number `game` of a seed: its deal, its rounds and its result.

    Raises ValueError when the seed or the game is out of range.
    """
    generator = Generator(seed, game)
    dealt = deal(rules, generator)
    yield Deal(
        rules=rules.name,
        seed=seed,
        game=game,
        players=tuple(players or default_players(rules)),
        piles=dealt.piles,
        leftover=dealt.leftover or UNSET,
    )
    yield from play(rules, dealt.piles, generator.shuffle)


def simulate_from(
    rules: Rules,
    piles: Sequence[Sequence[Card]],
    seed: int | None = None,
    game: int = 0,
    players: Sequence[str] | None = None,
) -> Iterator[Event]:
    """Play on from these piles, one a seat, the top card first.

    The seed is for shuffles during the game; it isn't needed where the rules have none. Raises
    ValueError when the number of piles is wrong, or when a seed is needed and none is given.
    """
    yield Deal(
        rules=rules.name,
        seed=seed,
        game=game,
        players=tuple(players or default_players(rules)),
        piles=tuple(map(tuple, piles)),
    )
    yield from play(rules, piles, None if seed is None else Generator(seed, game).shuffle)


def play(rules: Rules, piles: Sequence[Sequence[Card]], shuffle: Shuffle | None) -> Iterator[Event]:
    """The rounds and the result of a game whose cards are all known.

    A game that comes back to a position when nothing would ever end it is stopped as endless."""
    game = Game(rules, piles, shuffle)
    may_never_end = (
        rules.repetition == "play-on" and rules.last_round is None and not rules.shuffles
    )
    seen: dict[Position, int] = {}
    while game.due is not None:
        if may_never_end and not game.laid and not game.carried:
            coming = game.rounds + 1
            first = seen.setdefault(game.position(), coming)
            if first != coming:
                game.stop("endless", first)
                break
        ended = game.turn_up(game.due.slots)
        if ended is not None:
            yield ended
    assert game.result is not None
    yield game.result
