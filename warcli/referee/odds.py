"""Looking ahead: each player's chances, and how a game must end when every card is known.

Nothing here rules: games are played on by the law from what is known, with the cards that nobody
knows drawn at random among all that could be. A time limit isn't looked at: how fast people play,
nobody knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from time import monotonic

from msgspec import Struct

from warcli.cards import Card
from warcli.events import Result
from warcli.game import Game, Position, Slot
from warcli.referee.knowledge import Knowledge

_LONGEST = 20_000
"""Rounds after which a game that is played on counts as one that never ends."""

_MOST_GAMES = 2_000


class Odds(Struct, frozen=True):
    """What became of the games that were played on from here; shares are from 0 to 1."""

    games: int
    """How many there were."""
    wins: tuple[float, ...]
    """Each seat's share of them; a game that several seats win counts for each."""
    drawn: float
    """The share that ends without a winner."""
    endless: float
    """The share that never ends."""
    rounds: tuple[int, int, int] | None
    """Rounds still to go in those that end: a tenth of them takes at most the first number, half
    of them the second, nine tenths the third. None: none of them ends."""


def estimate(game: Game, known: Knowledge, seed: int, seconds: float = 0.5) -> Odds:
    """Play on from here for about this long, at least once and at most 2,000 times.

    The same seed draws the same games; a slower machine plays fewer of them. Raises ValueError
    when the game is over.
    """
    if game.result is not None:
        raise ValueError("the game is over")
    random = Random(seed)
    until = monotonic() + seconds
    results: list[Result] = []
    while not results or (monotonic() < until and len(results) < _MOST_GAMES):
        results.append(_played_on(game, known.layout(random), random))
    ended = [result for result in results if result.reason != "endless"]
    lengths = sorted(result.rounds - game.rounds for result in ended)
    return Odds(
        games=len(results),
        wins=tuple(
            sum(seat in result.winners for result in ended) / len(results)
            for seat in range(game.rules.players)
        ),
        drawn=sum(not result.winners for result in ended) / len(results),
        endless=1 - len(ended) / len(results),
        rounds=_tenths(lengths) if lengths else None,
    )


def foretell(game: Game, known: Knowledge) -> Result | None:
    """How the game ends, whatever else happens; None if that can't be known yet.

    It can when the rank of every card in play is certain and nothing is shuffled any more.
    Raises ValueError when the game is over.
    """
    if game.result is not None:
        raise ValueError("the game is over")
    on_table = [layer.cards for layer in (*game.carried, *game.laid)]
    in_play = [
        slot
        for cards in (*game.piles, *game.asides, *on_table)
        for slot in cards
        if slot is not None
    ]
    certain = {slot: card for slot in in_play if (card := known.certain(slot)) is not None}
    if len(certain) < len(in_play) or game.rules.shuffles:
        return None
    return _played_on(game, certain, Random(0))


def _played_on(game: Game, cards: Mapping[Slot, Card], random: Random) -> Result:
    """The result of this game if these are the cards, its shuffles drawn from `random`."""

    def shuffle(block: tuple[Slot, ...]) -> tuple[Slot, ...]:
        return tuple(random.sample(block, len(block)))

    future = game.copy(shuffle)
    copies = game.rules.pack.copies
    if any(count > 1 for card in game.rules.pack.kinds if (count := copies[card])):
        future.name({slot: card for slot, card in cards.items() if card in game.rules.pack.kinds})
    last = game.rounds + _LONGEST
    stood: set[Position] = set()
    watched = not game.rules.shuffles and game.rules.last_round is None
    while future.due is not None:
        if watched and not future.laid and not future.carried:
            position = future.position()
            if position in stood:
                return future.stop("endless")
            stood.add(position)
        if future.rounds > last:
            return future.stop("endless")
        future.turn_up([cards[slot] for slot in future.due.slots])
    assert future.result is not None
    return future.result


def _tenths(lengths: list[int]) -> tuple[int, int, int]:
    """The first, the fifth and the ninth tenth of numbers in order."""
    last = len(lengths) - 1
    return lengths[last // 10], lengths[last // 2], lengths[last * 9 // 10]
