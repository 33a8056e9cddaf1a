"""A whole game as a file that people can read and write at the table, both ways."""

from __future__ import annotations

from msgspec import Struct

from warcli.events import Layer

UNKNOWN = "?"
"""Stands for a card that nobody saw; in a layer it is written where the card would be."""


class Flip(Struct, frozen=True, gc=False):
    """What one turning up of cards put on the table.

    A round is one flip, and one more for each war step; they stand in one line of the record.
    """

    round: int
    """The number of the round it belongs to, from 1."""
    layers: tuple[Layer, ...]
    """The face-up layer, then the face-down layers that the law laid after it for a war (or for
    a seat that shortage put out). A card is written in its standard form, `?` if nobody saw it."""
    ended: bool
    """Whether the round is over; if not, the war goes on with another flip."""
    winner: int | None = None
    """Who captured the table, once the round is over; None: nobody did."""
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


Entry = Flip | Note
