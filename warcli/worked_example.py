"""A war small enough to follow, made for a set of rules and ruled by the law."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from warcli.cards import Card
from warcli.events import Round
from warcli.game import Game, unbeaten_by
from warcli.rules import Rules

_FAVOURITES = ("9♣", "9♥", "Q♦", "7♣", "3♦", "K♠")
"""The cards of seeds/000, section 05. A pack that lacks them does with what it has."""

_LARGEST_TABLE = 24
"""Cards on the table beyond which an example explains nothing."""


class _NoSuchCard(LookupError):
    """The pack has no card that an example needs."""


def worked_example(rules: Rules, winner: int) -> Round | None:
    """A first round in which seats 0 and 1 tie and `winner`, one of these two, wins the war.

    Where the pack has no such war, or the table would be too large to follow, `winner` just wins
    a round; None where no card beats another. For winner 0 and 1 only the last layer differs.
    """
    for deal in (_war, _plain_round):
        try:
            piles = deal(rules, winner)
        except _NoSuchCard:
            continue
        return _first_round(Game(rules, piles, shuffle=lambda block: block))
    return None


def _first_round(game: Game) -> Round:
    while True:
        assert game.due is not None
        if (played := game.turn_up(game.due.slots)) is not None:
            return played


def _war(rules: Rules, winner: int) -> list[list[Card]]:
    """Piles with which seats 0 and 1 tie and `winner` wins the war."""
    down, others = rules.war_face_down, rules.players - 2
    fighting = rules.players if rules.war_between == "everyone" else 2
    if rules.players + fighting * (down + 1) > _LARGEST_TABLE:
        raise _NoSuchCard
    stock = _stock(rules)
    tied = _take_tied(rules, stock, beaten=others)
    last = _take_decided(rules, stock, winner, fighting)
    waiting = [_take_beaten_by(tied[0], rules, stock) for _ in range(others)]
    hidden = [[_take(stock, bool) for _ in range(fighting)] for _ in range(down)]
    piles = [[card] for card in (*tied, *waiting)]
    for layer in (*hidden, last):
        for pile, card in zip(piles, layer, strict=False):  # who isn't in the war lays no more
            pile.append(card)
    return piles


def _plain_round(rules: Rules, winner: int) -> list[list[Card]]:
    """One card a seat, of which `winner`'s beats all the others."""
    return [[card] for card in _take_decided(rules, _stock(rules), winner, rules.players)]


def _stock(rules: Rules) -> list[Card]:
    """The pack, with the favourites first, by rank alone in a pack without suits."""
    favourites = _FAVOURITES if rules.pack.suits else tuple(card[:-1] for card in _FAVOURITES)
    stock = list(rules.pack.cards)
    for card in reversed(favourites):
        if card in stock:
            stock.remove(card)
            stock.insert(0, card)
    return stock


def _take(stock: list[Card], wanted: Callable[[Card], bool]) -> Card:
    """The first card in the stock that is wanted, taken out of it."""
    for card in stock:
        if wanted(card):
            stock.remove(card)
            return card
    raise _NoSuchCard


def _take_beaten_by(card: Card, rules: Rules, stock: list[Card]) -> Card:
    return _take(stock, lambda other: _beats(rules, card, other))


def _take_tied(rules: Rules, stock: list[Card], beaten: int) -> tuple[Card, Card]:
    """Two cards of one rank, one that beats at least `beaten` other cards."""
    rank = rules.pack.rank
    one = _take(
        stock,
        lambda card: (
            rules.pack.copies[rank[card]] > 1 and _beats_enough(rules, card, stock, beaten)
        ),
    )
    return one, _take(stock, lambda other: rank[other] == rank[one])


def _take_decided(rules: Rules, stock: list[Card], winner: int, seats: int) -> list[Card]:
    """A card for each of the first `seats` seats, of which `winner`'s beats all the others."""
    best = _take(stock, lambda card: _beats_enough(rules, card, stock, seats - 1))
    others = [_take_beaten_by(best, rules, stock) for _ in range(seats - 1)]
    return [*others[:winner], best, *others[winner:]]


def _beats(rules: Rules, one: Card, other: Card) -> bool:
    return unbeaten_by(rules)((one, other)) == (0,)


def _beats_enough(rules: Rules, one: Card, stock: list[Card], enough: int) -> bool:
    beaten = (other for other in stock if _beats(rules, one, other))
    return len(list(islice(beaten, enough))) == enough
