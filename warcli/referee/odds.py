"""Looking ahead: each player's chances, and how a game must end when every card is known.

Nothing here rules: games are played on by the law from what is known, with the cards that nobody
knows drawn at random among all that could be; or by the study's compiled kernel, where it is
installed, which plays the same games faster. A time limit isn't looked at: how fast people play,
nobody knows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET, Struct

from warcli.cards import Card, Pack
from warcli.events import Result
from warcli.game import Game, Position, Shuffle, Slot
from warcli.generator import Generator
from warcli.referee.knowledge import Knowledge
from warcli.rulesfile import load

if TYPE_CHECKING:
    from concurrent.futures import Future

_LONGEST = 20_000
"""Rounds after which a game that is played on counts as one that never ends."""

_MOST_GAMES = 2_000

_TOGETHER = 25
"""Games that the kernel is given at once: the clock is looked at in between."""


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

    The same seed draws the same games, whoever plays them; a slower player plays fewer. The law
    plays until the kernel is there, which is loaded when this is first asked for.

    Raises ValueError when the game is over.
    """
    if game.result is not None:
        raise ValueError("the game is over")
    kernel = load_kernel()
    random = Random(seed)
    until = monotonic() + seconds
    results: list[Result] = []
    while not results or (monotonic() < until and len(results) < _MOST_GAMES):
        number = len(results)
        if kernel.done() and kernel.result():
            next_ones = range(number, min(number + _TOGETHER, _MOST_GAMES))
            results += _by_kernel([_drawn(game, known, random, one) for one in next_ones], seed)
        else:
            results.append(_by_law(_drawn(game, known, random, number), seed))
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

    It can when the rank of every card in play is certain, nothing is shuffled any more, and the
    game ends or comes back to a position within 20,000 rounds.
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
    result = _played_on(_round_over(game, certain, Random(0)), certain)
    goes_on = result.reason == "endless" and result.first_seen is UNSET
    return None if goes_on else result


@cache
def load_kernel() -> Future[bool]:
    """Load the kernel in the background, once; tells whether it can play then.

    It can't where the extra `study` isn't installed, nor before it was compiled, which `war study`
    does: at a table nobody should wait for that.
    """
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1).submit(_load_kernel)


def _load_kernel() -> bool:
    if find_spec("numba") is None:
        return False
    try:
        from warcli.study import kernel
    except (ImportError, OSError):  # it is there, but not fit for this Python or this machine
        return False
    if not kernel.ready():
        return False
    point = kernel.Point(piles=[["A♣"], ["K♣"]], asides=[[], []], carried=[], rounds=0, game=0)
    kernel.play_on(load("krig"), [point], seed=0, longest=1)  # this gets its code from the disk
    return True


class _Future(NamedTuple):
    """A way in which the round in progress may end."""

    game: Game
    cards: Mapping[Slot, Card]
    number: int
    """Which of those that are drawn it is, from 0."""


def _drawn(game: Game, known: Knowledge, random: Random, number: int) -> _Future:
    cards = _with_suits(known.layout(random), game.rules.pack)
    return _Future(_round_over(game, cards, random), cards, number)


def _by_law(future: _Future, seed: int) -> Result:
    """How this goes on, where cards are shuffled in play as in that game of the seed."""
    game, cards, number = future
    return _played_on(game.copy(Generator(seed, number).shuffle), cards)


def _by_kernel(futures: Sequence[_Future], seed: int) -> list[Result]:
    """The same of several; those that are over come first."""
    from warcli.study.kernel import Point, play_on

    over = [game.result for game, _, _ in futures if game.result is not None]
    points = [
        Point(
            piles=[[cards[slot] for slot in pile] for pile in game.piles],
            asides=[[cards[slot] for slot in pile] for pile in game.asides],
            carried=[
                [None if slot is None else cards[slot] for slot in layer.cards]
                for layer in game.carried
            ],
            rounds=game.rounds,
            game=number,
        )
        for game, cards, number in futures
        if game.result is None
    ]
    return over + play_on(futures[0].game.rules, points, seed, _LONGEST)


def _with_suits(cards: Mapping[Slot, Card], pack: Pack) -> Mapping[Slot, Card]:
    """The same cards, with suits where they are known by rank alone: any that are left do."""
    whole = [card for card in cards.values() if card in pack.kinds]
    if len(whole) == len(cards):
        return cards
    left = Counter(pack.cards)
    left.subtract(whole)
    of_rank = defaultdict(list)
    for card in left.elements():
        of_rank[pack.rank[card]].append(card)
    return {
        slot: card if card in pack.kinds else of_rank[card].pop() for slot, card in cards.items()
    }


def _round_over(game: Game, cards: Mapping[Slot, Card], random: Random) -> Game:
    """This game once the round in progress, if any, is over, if these are the cards."""

    def shuffle(block: tuple[Slot, ...]) -> tuple[Slot, ...]:
        return tuple(random.sample(block, len(block)))

    future = game.copy(shuffle)
    copies = game.rules.pack.copies
    if any(count > 1 for card in game.rules.pack.kinds if (count := copies[card])):
        future.name({slot: card for slot, card in cards.items() if card in game.rules.pack.kinds})
    while future.laid and future.due is not None:
        future.turn_up([cards[slot] for slot in future.due.slots])
    return future


def _played_on(game: Game, cards: Mapping[Slot, Card], shuffle: Shuffle | None = None) -> Result:
    """How this game, which isn't in the middle of a round, ends by the law if these are the
    cards. It is endless, too, if it is not over by the longest that games are played on; then no
    position was seen before."""
    future = game.copy(shuffle)
    last = game.rounds + _LONGEST
    stood: dict[Position, int] = {}
    watched = not game.rules.shuffles and game.rules.last_round is None
    while future.due is not None:
        if watched and not future.laid and not future.carried:
            position = future.position()
            first = stood.setdefault(position, future.rounds + 1)
            if first <= future.rounds:
                return future.stop("endless", first)
        if future.rounds >= last and not future.laid:
            return future.stop("endless")
        future.turn_up([cards[slot] for slot in future.due.slots])
    assert future.result is not None
    return future.result


def _tenths(lengths: list[int]) -> tuple[int, int, int]:
    """The first, the fifth and the ninth tenth of numbers in order."""
    last = len(lengths) - 1
    return lengths[last // 10], lengths[last // 2], lengths[last * 9 // 10]
