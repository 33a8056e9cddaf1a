"""Dealing: a shuffled pack to the seats."""

from __future__ import annotations

from typing import NamedTuple

from warcli.cards import Card
from warcli.generator import Generator
from warcli.rules import Rules


class Dealt(NamedTuple):
    """A dealt pack."""

    piles: tuple[tuple[Card, ...], ...]
    """A pile a seat, top card first."""
    leftover: tuple[Card, ...]
    """Cards that didn't divide evenly and lie aside for the whole game."""


def deal(rules: Rules, generator: Generator) -> Dealt:
    """Shuffle the pack and deal it (rules.md, "Shuffling and dealing").

    One card at a time, seat 0 first, each face down onto the ones before it: the last card that
    a seat gets is the top of its pile. The pack before the shuffle is `rules.pack.cards`.
    """
    pack = generator.shuffle(rules.pack.cards)
    seats = rules.players
    shared = len(pack) if rules.leftover == "dealt" else len(pack) - len(pack) % seats
    dealt = pack[:shared]
    return Dealt(
        piles=tuple(dealt[seat::seats][::-1] for seat in range(seats)), leftover=pack[shared:]
    )
