"""What happened in a game, as data: a deal, then the rounds, then the result.

These are the whole story. Text, JSON Lines, record and screen are renderings of them, and none
of them rules again. Seats are numbers from 0; sizes are cards held (pile and aside) by seat.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from warcli.cards import Card

Face = Literal["up", "down"]

Reason = Literal[
    "collected", "shortage", "repetition", "round-limit", "time-limit", "endless", "abandoned"
]


class Layer(Struct, frozen=True, gc=False):
    """The cards that several seats lay at the same moment."""

    face: Face
    cards: tuple[Card | None, ...]
    """One entry a seat; None: that seat laid nothing."""


class Deal(Struct, frozen=True, tag_field="event", tag="deal"):
    """How a game begins."""

    rules: str
    """What the rules are called."""
    seed: int | None
    """None: the deal was supplied and nothing is shuffled in play."""
    game: int
    """Which game of that seed, from 0."""
    players: tuple[str, ...]
    piles: tuple[tuple[Card, ...], ...]
    """One pile a seat, top card first."""
    leftover: tuple[Card, ...] | UnsetType = UNSET
    """Cards that didn't divide evenly and lie aside for the whole game, if any."""


class TakenUp(Struct, frozen=True, gc=False):
    """An aside pile became the pile of its seat, when that was empty."""

    seat: int
    cards: tuple[Card, ...]
    """As they lie now, the top card first."""


class Round(Struct, frozen=True, gc=False, tag_field="event", tag="round"):
    """One round, from everybody turning up a card to the capture of the table."""

    round: int
    """Its number, from 1."""
    layers: tuple[Layer, ...]
    """What was laid in this round, oldest first."""
    out: tuple[int, ...]
    """Seats that shortage put out in this round, in the order in which they went."""
    winner: int | None
    """Who captured the table; None: it is carried, or the game ended without a capture."""
    captured: tuple[Card, ...]
    """The captured block, carried cards included, in the order it went under the pile."""
    sizes: tuple[int, ...]
    """What each seat holds once the round is over."""
    taken_up: tuple[TakenUp, ...] | UnsetType = UNSET
    """Aside piles taken up before or during this round, if any, in the order in which they were."""


class Result(Struct, frozen=True, tag_field="event", tag="result"):
    """How a game ended."""

    reason: Reason
    winners: tuple[int, ...]
    """Seats in order; empty: drawn (or, when endless or abandoned, nobody's)."""
    rounds: int
    """How many rounds there were; one that was abandoned in its middle is none."""
    sizes: tuple[int, ...]
    first_seen: int | UnsetType = UNSET
    """For a repetition or an endless game: the round (1 = the deal) at whose start every pile
    was as it is now."""


Event = Deal | Round | Result
