"""A whole game as a file that people can read and write at the table, both ways."""

from __future__ import annotations

from msgspec import Struct

from warcli.events import Layer, Reason

UNKNOWN = "?"
"""Stands for a card that nobody saw; in a layer it is written where the card would be."""


class Flip(Struct, frozen=True, gc=False):
    """One turning up of cards, with what was laid face down since the one before.

    A round is one flip, and one more for each war step; all stand in one line of the record. The
    entry is complete with its face-up layer: so a line that was torn in half can be told.
    """

    round: int | None
    """The number of the round it belongs to, from 1; None: the record doesn't say."""
    layers: tuple[Layer, ...]
    """The face-down layers laid before it (in a war), its face-up layer and, where shortage
    ended the round, what was laid after it. A card is written in its standard form, `?` if nobody
    saw it."""
    ended: bool | None
    """Whether the round is over with it; if not, the war goes on with another flip. None: the
    record doesn't say."""
    winner: int | None = None
    """Who captured the table, once the round is over; None: nobody did."""
    line: int = 0
    """The line of the file it was read from, from 1; 0: it wasn't read from a file."""


class Outcome(Struct, frozen=True, gc=False):
    """How the game ended: `result: Ana, collected, 213 rounds`."""

    reason: Reason
    winners: tuple[int, ...]
    """Seats in order; empty: nobody."""
    rounds: int
    line: int = 0
    """The line of the file it was read from, from 1; 0: it wasn't read from a file."""


class Note(Struct, frozen=True, gc=False):
    """An entry that is not a round: `undo: 2`, `unordered: Luis`, `pause: 12:31`."""

    word: str
    """What happened, in lower case: a word of the referee's."""
    value: str
    """The rest of the line, perhaps empty."""
    line: int = 0
    """The line of the file it was read from, from 1; 0: it wasn't read from a file."""


Entry = Flip | Note | Outcome
