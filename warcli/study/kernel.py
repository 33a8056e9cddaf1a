"""Games of one seed after another, or from any point on, on the law that is compiled.

It plays the very games of `war simulate` (same seed, same number, same cards) and keeps nothing of
them but what `Games` records. `by_law` is the same on the law itself, and a differential test
holds this module to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np
from msgspec import UNSET
from numpy import int64, uint16, uint64

from warcli.cards import JOKER, Card
from warcli.events import Reason, Result
from warcli.generator import MAX_SEED
from warcli.rules import CAPTURE_ORDERS, SHORTAGES, Rules
from warcli.study.compiled_law import (
    ENDLESS,
    NO_CARD,
    NO_LIMIT,
    ROUND_LIMIT,
    WON_CARDS,
    Cards,
    Game,
    RulesInNumbers,
    Turned,
    begin_stream,
    first_return,
    five_games,
    play_games,
    play_out,
    record,
    winners,
)
from warcli.study.compiling import is_at_hand
from warcli.study.games import REASONS, Games


def play(rules: Rules, seed: int, first: int, count: int) -> Games:
    """Play the games `first` … `first` + `count` − 1 of a seed, in one thread, without holding the
    interpreter's lock.

    Raises ValueError when the seed or a game is out of range.
    """
    _check_range(seed, first, count)
    numbers, turned, pack = _numbers_of(rules)
    games = five_games(rules.players, len(pack))
    columns = np.zeros((9, count), int64)
    sizes = np.zeros((count, rules.players), int64)
    depths = np.zeros(len(pack) + 2, int64)
    play_games(
        numbers,
        turned,
        pack,
        pack.copy(),
        games,
        uint64(seed),
        uint64(first),
        columns,
        sizes,
        depths,
    )
    reason, won_by, rounds, layers, wars, steps, deepest, lead_changes, first_seen = columns
    return Games(
        reason=reason,
        winners=won_by,
        rounds=rounds,
        layers=layers,
        wars=wars,
        steps=steps,
        deepest=deepest,
        lead_changes=lead_changes,
        first_seen=first_seen,
        sizes=sizes,
        war_depths=np.trim_zeros(depths[1:], "b"),
    )


class Point(NamedTuple):
    """Where a game stands between two rounds, to be played on from there."""

    piles: Sequence[Sequence[Card]]
    """One a seat, its top card first. Who has no card, there or aside, is out."""
    asides: Sequence[Sequence[Card]]
    """One a seat likewise; all empty unless won cards lie aside."""
    carried: Sequence[Sequence[Card | None]]
    """Layers that nobody captured, oldest first: an entry a seat."""
    rounds: int
    """Rounds played so far."""
    game: int
    """Which game of a seed it is from here on: what is shuffled in play is that game's stream of
    random numbers, from its beginning."""


def play_on(rules: Rules, points: Sequence[Point], seed: int, longest: int) -> list[Result]:
    """How each of these games ends by the law, played on from where it stands.

    Rounds, and so a round limit and `first_seen`, count from the deal. But positions are watched
    from the point on: if one from before it comes back, that is noticed a lap later than by the
    law, or not at all when a round limit comes first. A game that `longest` more rounds don't end
    counts as endless.

    Raises ValueError when a card isn't one of the pack or nobody has one, and when the seed or
    a game is out of range.
    """
    numbers, turned, pack = _numbers_of(rules)
    number = dict(zip(rules.pack.cards, map(int, pack), strict=True))
    limit = numbers.limit
    most = max((sum(map(len, (*point.piles, *point.asides))) for point in points), default=0)
    carried = max((len(point.carried) for point in points), default=0) * rules.players
    games = five_games(rules.players, max(len(pack), most + carried))
    game, earlier, ahead, earlier_before, ahead_before = games
    results = []
    for point in points:
        _check_range(seed, point.game, 1)
        numbers.limit = min(limit, point.rounds + longest)
        numbers.dealt = _set_up(game, point, number)
        begin_stream(game.state.stream, uint64(seed), uint64(point.game))
        reason, period = play_out(numbers, turned, game, earlier, ahead)
        first_seen = 0
        if period:
            _set_up(earlier, point, number)
            _set_up(ahead, point, number)
            reason, first_seen = first_return(
                numbers, turned, game, earlier, ahead, earlier_before, ahead_before, period
            )
        if reason == ROUND_LIMIT and numbers.limit < limit:
            reason = ENDLESS
        winning = winners(numbers, game.state, reason)
        sizes = (game.state.tail - game.state.head)[: rules.players]
        results.append(
            Result(
                reason=cast(Reason, REASONS[reason]),
                winners=tuple(seat for seat in range(rules.players) if winning >> seat & 1),
                rounds=int(game.state.rounds),
                sizes=tuple(map(int, sizes)),
                first_seen=first_seen or UNSET,
            )
        )
    return results


def _set_up(game: Game, point: Point, number: Mapping[Card, int]) -> int:
    """Make the game as it stands at this point. Returns how many cards are in play."""
    state = game.state
    seats = len(point.piles)
    playing = in_play = 0
    try:
        for seat in range(seats):
            held = [number[card] for card in (*point.piles[seat], *point.asides[seat])]
            game.cards[seat, : len(held)] = held
            state.head[seat] = 0
            state.settled[seat] = len(point.piles[seat])
            state.tail[seat] = len(held)
            playing |= bool(held) << seat
            in_play += len(held)
        for layer, cards in enumerate(point.carried):
            laid = [NO_CARD if card is None else number[card] for card in cards]
            game.cards[seats : 2 * seats, layer] = laid
            in_play += len(cards) - cards.count(None)
    except KeyError as unknown:
        raise ValueError(f"{unknown.args[0]} is not in this pack") from None
    if not playing:
        raise ValueError("nobody has a card")
    game.depths[:] = 0
    state.playing = playing
    state.carried = len(point.carried)
    state.leader = -1
    state.rounds = point.rounds
    state.layers = state.lead_changes = 0
    return in_play


def _check_range(seed: int, first: int, count: int) -> None:
    """Raises ValueError unless there is such a seed and there are so many games from `first` on."""
    for number in (seed, first, first + max(count - 1, 0)):
        if not 0 <= number <= MAX_SEED:
            raise ValueError(f"{number} is not between 0 and {MAX_SEED}")


def ready() -> bool:
    """Whether the kernel can play at once. If not, the first `play` compiles it, which takes about
    a quarter of a minute, once on a machine: the result is kept on disk (in the package's own
    folder, in the user's cache where that can't be written, or in NUMBA_CACHE_DIR)."""
    return is_at_hand(play_games)


def _numbers_of(rules: Rules) -> tuple[RulesInNumbers, Turned, Cards]:
    """The rules in numbers, their exceptions, and the pack before the shuffle."""
    ranks = rules.rank_order
    height = {rank: len(ranks) - 1 - place for place, rank in enumerate(ranks)}
    suits = {mark: number for number, mark in enumerate(rules.pack.suits)}
    pack = [
        4 * height[rank] + (0 if card == JOKER else suits.get(card[len(rank) :], 0))
        for card in rules.pack.cards
        for rank in [rules.pack.rank[card]]
    ]
    turned = [
        (height[winner] << 16) + height[loser]
        for winner, loser in rules.exceptions
        if height[winner] < height[loser]
    ]
    numbers = record(RulesInNumbers)
    numbers.seats = rules.players
    numbers.down = rules.war_face_down
    numbers.shortage = SHORTAGES.index(rules.shortage)
    numbers.order = CAPTURE_ORDERS.index(rules.capture_order)
    numbers.won = WON_CARDS.index(rules.won_cards)
    numbers.limit = NO_LIMIT if rules.last_round is None else rules.last_round
    numbers.watched = (
        rules.repetition == "draw" or rules.last_round is None
    ) and not rules.shuffles
    numbers.drawn = rules.repetition == "draw"
    numbers.shed = rules.goal == "shed"
    numbers.most_cards = rules.limit_result == "most-cards"
    numbers.everyone = rules.war_between == "everyone"
    numbers.dealt = len(pack) - (0 if rules.leftover == "dealt" else len(pack) % rules.players)
    return numbers, np.array(turned, int64), np.array(pack, uint16)
