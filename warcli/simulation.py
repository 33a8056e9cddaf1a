"""One whole game, from a seed or a supplied deal, as a stream of events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from warcli.cards import Card
from warcli.deal import deal
from warcli.events import Deal, Event
from warcli.game import Game, Shuffle
from warcli.generator import Generator
from warcli.repetition import Positions
from warcli.rules import Rules


def default_players(rules: Rules) -> tuple[str, ...]:
    """The names of the seats when nobody gave any: A, B, C …"""
    return tuple("ABCDEFGH"[: rules.players])


class Simulation(Iterator[Event]):
    """One whole game while it is played: an iterator over its deal, its rounds and its result.

    After each event `game` stands as the event left it, for whoever wants to look at the piles.
    """

    rules: Rules
    deal: Deal
    supplied: bool
    """Whether the deal was supplied, and isn't the one that its seed deals."""
    game: Game

    def __init__(
        self, rules: Rules, deal: Deal, shuffle: Shuffle | None, *, supplied: bool = False
    ) -> None:
        """Begin the game of this deal; `shuffle` is for shuffles during play.

        Raises ValueError when the number of piles is wrong, or when the rules shuffle in play and
        no `shuffle` is given.
        """
        self.rules = rules
        self.deal = deal
        self.supplied = supplied
        self.game = Game(rules, deal.piles, shuffle)
        self._events = self._play()

    def __next__(self) -> Event:
        return next(self._events)

    def _play(self) -> Iterator[Event]:
        yield self.deal
        yield from play(self.game)


def simulate(
    rules: Rules, seed: int, game: int = 0, players: Sequence[str] | None = None
) -> Simulation:
    """Play game number `game` of a seed: its deal, its rounds and its result.

    Raises ValueError when the seed or the game is out of range.
    """
    generator = Generator(seed, game)
    dealt = deal(rules, generator)
    begin = Deal(
        rules=rules.name,
        seed=seed,
        game=game,
        players=tuple(players or default_players(rules)),
        piles=dealt.piles,
        leftover=dealt.leftover or UNSET,
    )
    return Simulation(rules, begin, generator.shuffle)


def simulate_from(
    rules: Rules,
    piles: Sequence[Sequence[Card]],
    seed: int | None = None,
    game: int = 0,
    players: Sequence[str] | None = None,
) -> Simulation:
    """Play on from these piles, one a seat, the top card first.

    The seed is for shuffles during the game, and not needed where the rules have none. They are
    the ones that come after the seed's own deal, so from that very deal the game is the same as
    `simulate` plays it. A seed that has no part in the game isn't in its events, nor is the
    game's number. Raises ValueError
    when the number of piles is wrong, when the seed or the game is out of range, or when a seed is
    needed and none is given.
    """
    given = tuple(map(tuple, piles))
    supplied = True
    shuffle: Shuffle | None = None
    if seed is not None:
        generator = Generator(seed, game)
        supplied = deal(rules, generator).piles != given
        shuffle = generator.shuffle
    if supplied and not rules.shuffles:
        seed = None
    begin = Deal(
        rules=rules.name,
        seed=seed,
        game=0 if seed is None else game,
        players=tuple(players or default_players(rules)),
        piles=given,
    )
    return Simulation(rules, begin, shuffle, supplied=supplied)


def play(game: Game) -> Iterator[Event]:
    """Play a game whose slots are its cards to its end: its rounds and its result.

    A game that comes back to a position when nothing would ever end it is stopped as endless.
    """
    positions = Positions() if game.rules.can_run_for_ever else None
    while game.turning_up:
        if (
            positions is not None
            and not game.laid
            and not game.carried
            and (first := positions.first_seen(game))
        ):
            game.stop("endless", first)
            break
        ended = game.turn_up_named()
        if ended is not None:
            yield ended
    assert game.result is not None
    yield game.result
