"""A round told step by step: who was compared with whom, who stood, who went out when.

An event says what was laid and who took it. Whoever wants to tell why (a transcript, the
referee's `why`) needs the comparisons between; here they are read out of the layers. Which cards
are unbeaten is asked of the law and never decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from warcli.cards import Card
from warcli.events import Layer, Round
from warcli.game import unbeaten_by
from warcli.rules import Rules


class Step(NamedTuple):
    """What was laid up to one comparison, and how that came out."""

    fighters: tuple[int, ...]
    """The seats that this step is among, in order."""
    down: tuple[Layer, ...]
    """The face-down layers, oldest first; none in the first step of a round."""
    out: tuple[int, ...]
    """Those of the fighters whom shortage put out in this step."""
    up: Layer | None
    """The cards turned up; None: shortage left nobody to compare."""
    standing: tuple[int, ...]
    """Fighters with no card to turn up whose newest one counts again (`last-card-stands`)."""
    shown: Mapping[int, Card]
    """The card by which each fighter is compared; empty without a comparison."""
    unbeaten: tuple[int, ...]
    """The seats whose card no other beats: one captures, several have a war."""


def steps(rules: Rules, round_: Round) -> list[Step]:
    """The steps of a round, at least one; each but the last was a tie that led to a war.

    >>> [step.unbeaten for step in steps(rules, round_)]    # 9♣ 9♥, then Q♦ against 7♣
    [(0, 1), (0,)]
    """
    first, *rest = round_.layers
    entered = _laying(first)
    shown = {seat: card for seat, card in enumerate(first.cards) if card is not None}
    told = [Step(entered, (), (), first, (), shown, _unbeaten(rules, shown))]
    while len(told[-1].unbeaten) > 1:
        before = told[-1]
        still_in = [seat for seat in entered if not any(seat in step.out for step in told)]
        fighters = before.unbeaten if rules.war_between == "tied" else tuple(still_in)
        ups = [place for place, layer in enumerate(rest) if layer.face == "up"]
        down, up = (rest[: ups[0]], rest[ups[0]]) if ups else (rest, None)
        rest = rest[ups[0] + 1 :] if ups else []
        turning = _laying(up) if up else ()
        idle = [seat for seat in fighters if seat not in turning]
        stands = up is not None and rules.shortage == "last-card-stands"
        shown = (
            {**shown, **{seat: card for seat, card in enumerate(up.cards) if card}} if up else {}
        )
        compared = {seat: shown[seat] for seat in fighters if up and (stands or seat in turning)}
        told.append(
            Step(
                fighters=fighters,
                down=tuple(down),
                out=() if stands else tuple(seat for seat in round_.out if seat in idle),
                up=up,
                standing=tuple(idle) if stands else (),
                shown=compared,
                unbeaten=_unbeaten(rules, compared) if compared else (),
            )
        )
    return told


def _laying(layer: Layer) -> tuple[int, ...]:
    return tuple(seat for seat, card in enumerate(layer.cards) if card is not None)


def _unbeaten(rules: Rules, shown: Mapping[int, Card]) -> tuple[int, ...]:
    seats = tuple(shown)
    return tuple(seats[place] for place in unbeaten_by(rules)(tuple(shown.values())))
