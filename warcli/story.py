"""A round told step by step: who was compared with whom, who stood, who went out when.

An event says what was laid and who took it. Whoever wants to tell why needs what was between: here
the law plays the round once more, with the cards that were laid, and is asked as it goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from warcli.cards import Card
from warcli.events import Layer, Round
from warcli.game import Block, Game, unbeaten_by, who_fights
from warcli.rules import Rules

_NOT_LAID = "?"
"""Any card that a seat holds and doesn't lay in the round: nobody asks for its face."""


class Step(NamedTuple):
    """What was laid up to one comparison, and how that came out."""

    fighters: tuple[int, ...]
    """The seats that this step is among, in order."""
    down: tuple[Layer, ...]
    """The face-down layers, oldest first; none in the first step of a round."""
    out: tuple[int, ...]
    """Those of the fighters whom shortage put out in this step, in the order in which they went."""
    keeping: tuple[int, ...]
    """Fighters who lay fewer cards face down than the rules want, so as to turn up their last."""
    up: Layer | None
    """The cards turned up; None: shortage left nobody to compare."""
    standing: tuple[int, ...]
    """Fighters with no card to turn up whose newest one counts again."""
    shown: Mapping[int, Card]
    """The card by which each fighter is compared; empty without a comparison."""
    unbeaten: tuple[int, ...]
    """The seats whose card no other beats: one captures, several have a war."""


def steps(rules: Rules, held: Sequence[int], round_: Round) -> list[Step]:
    """The steps of a round, at least one; each but the last was a tie that led to a war.

    `held`: how many cards each seat had, pile and aside together, when the round began.

    >>> [step.unbeaten for step in steps(rules, (3, 3), round_)]    # 9♣ 9♥, then Q♦ against 7♣
    [(0, 1), (0,)]
    """
    first = round_.layers[0]
    shown = {seat: card for seat, card in enumerate(first.cards) if card is not None}
    told = [Step(tuple(shown), (), (), (), first, (), shown, _unbeaten(rules, shown))]
    if len(told[0].unbeaten) > 1:
        game = Game(rules, _piles(held, round_), shuffle=_as_it_lies)
        while len(told[-1].unbeaten) > 1:
            told.append(_next_step(game, told[-1]))
    return told


def taker(round_: Round, in_play: int) -> int | None:
    """The seat that has the table now: whoever captured it, or the only one left in the game.

    `in_play`: the cards that all seats hold, with those on the table. None: the table is carried,
    or nobody is left.
    """
    if round_.winner is not None or sum(round_.sizes) != in_play:
        return round_.winner
    return max(range(len(round_.sizes)), key=round_.sizes.__getitem__)


def held_before(round_: Round, carried: int, in_play: int) -> tuple[int, ...]:
    """How many cards each seat had when the round began, read out of how it ended: at a table the
    piles may have been counted again after the round before.

    `carried`: cards that lay on the table by then; `in_play` as for `taker`.
    """
    table = carried + cards_in(round_.layers)
    took = taker(round_, in_play)
    return tuple(
        size + laid_by(seat, round_.layers) - (table if seat == took else 0)
        for seat, size in enumerate(round_.sizes)
    )


def laid_by(seat: int, layers: Sequence[Layer]) -> int:
    """How many cards this seat laid in these layers."""
    return sum(layer.cards[seat] is not None for layer in layers)


def cards_in(layers: Iterable[Layer]) -> int:
    """How many cards these layers are."""
    return sum(card is not None for layer in layers for card in layer.cards)


def _next_step(game: Game, tied: Step) -> Step:
    """The step that this tie leads to, once its cards are turned up."""
    rules = game.rules
    laid_before, out_before, playing = len(game.laid) + 1, len(game.out), game.playing
    assert game.due is not None
    ended = game.turn_up(game.due.slots)
    laid, out = (game.laid, game.out) if ended is None else (ended.layers, ended.out)
    down = laid[laid_before:]
    fighters = who_fights(rules, playing, tied.unbeaten)
    if ended is not None:
        return Step(fighters, down, out[out_before:], (), None, (), {}, ())
    turned = dict(zip(game.due.seats, game.due.slots, strict=True))
    shown = {
        seat: turned[seat] if seat in turned else tied.shown[seat]
        for seat in sorted({*turned, *game.standing})
    }
    return Step(
        fighters=fighters,
        down=down,
        out=out[out_before:],
        keeping=tuple(
            seat
            for seat in turned
            if len(game.piles[seat]) == 1 and laid_by(seat, down) < rules.war_face_down
        ),
        up=Layer("up", tuple(map(turned.get, range(rules.players)))),
        standing=game.standing,
        shown=shown,
        unbeaten=_unbeaten(rules, shown),
    )


def _piles(held: Sequence[int], round_: Round) -> list[list[Card]]:
    """What each seat held when the round began: the cards that it lays, and any others."""
    piles = []
    for seat, size in enumerate(held):
        laid = [card for layer in round_.layers if (card := layer.cards[seat]) is not None]
        piles.append(laid + [_NOT_LAID] * (size - len(laid)))
    return piles


def _as_it_lies(block: Block) -> Block:
    """No shuffle: the order of a block that is captured is told by the event."""
    return block


def _unbeaten(rules: Rules, shown: Mapping[int, Card]) -> tuple[int, ...]:
    seats = tuple(shown)
    return tuple(seats[place] for place in unbeaten_by(rules)(tuple(shown.values())))
