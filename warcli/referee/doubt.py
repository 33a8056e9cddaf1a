"""Cards that are there, and by all that is known can't be: what is forgotten to explain them.

Somebody picked cards up in the wrong order, or a slip was typed long ago; nobody knows. The game
goes on with as little forgotten as makes the cards possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from warcli.cards import Card
from warcli.referee.play import Play
from warcli.spoken import listed
from warcli.words import say, say_count


class Explanation(NamedTuple):
    """A way to explain cards that can't be there."""

    piles: str
    """Whose piles it concerns, for the record."""
    sentence: str
    """What is forgotten, in words."""
    forget: Callable[[], None]


def explanations(
    play: Play, players: Sequence[str], cards: Sequence[Card]
) -> Iterator[Explanation]:
    """The ways to explain that the seats which are due turn up these cards, the one that forgets
    least first. After one that doesn't help the game must stand as before it again."""
    due = play.due
    pairs = zip(due.seats, due.slots, cards, strict=True)
    alone = [seat for seat, slot, card in pairs if not play.knowledge.fits({slot: card})]
    at_fault = alone or list(due.seats)
    names = [players[seat] for seat in at_fault]

    def forget_orders() -> None:
        for seat in at_fault:
            play.forget_order(seat)

    orders = say_count(
        "Accepted: the order of {players}'s pile is forgotten.",
        "Accepted: the order of these piles is forgotten: {players}.",
        len(at_fault),
        players=listed(names),
    )
    yield Explanation(", ".join(names), orders, forget_orders)
    owners = say("Accepted: who holds which card is forgotten.")
    yield Explanation("all piles", owners, play.forget_owners)
    everything = say("Accepted: all that was known of the cards is forgotten.")
    yield Explanation("all cards", everything, lambda: play.forget_all_but(play.shown))
    yield Explanation("all cards", everything, lambda: play.forget_all_but({}))
