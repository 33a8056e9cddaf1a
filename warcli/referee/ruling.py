"""A ruling, as data: what the law made of one turning up of cards.

It is taken down at the moment, and put together only when somebody asks: most of a long record is
ruled on and never told. `voice` puts it into words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from warcli.cards import Card
from warcli.events import Layer, Result, Round, TakenUp
from warcli.game import Slot
from warcli.record import UNKNOWN, Flip


class Ruling(Struct, frozen=True, kw_only=True, gc=False):
    """What the law made of one turning up of cards."""

    number: int
    """The round it belongs to."""
    seats: tuple[int, ...]
    """Who turned up a card."""
    cards: tuple[Card, ...]
    """What each of them turned up, as it was typed."""
    stood: tuple[int, ...]
    """Whose card turned up earlier counted again, for want of others."""
    laid: tuple[Layer, ...]
    """The layers (of slots) of the round so far: those laid because of this ruling, too."""
    before: int
    """How many of `laid` lay there before these cards were turned up."""
    taken: Round | None
    """The round, with slots for cards, if it is over."""
    carried: tuple[Layer, ...]
    """The layers (of slots) that lay on the table from earlier rounds."""
    faces: Mapping[Slot, Card]
    """The slots that lie, or lay, face up on the table."""
    seen: Mapping[Slot, Card]
    """What was known of any slots, whether or not they were shown."""
    due: tuple[int, ...]
    """If a war goes on: who turns up a card next."""
    still_standing: tuple[int, ...]
    """Who has no card left to turn up, so that an earlier one counts again."""
    out: tuple[int, ...]
    """Seats that shortage put out just now."""
    taken_up: Mapping[int, int]
    """Seats whose won cards became their pile just now, and how many those are."""
    sizes: tuple[int, ...]
    result: Result | None

    @property
    def is_last(self) -> bool:
        """Whether the round is over with it."""
        return self.taken is not None

    @property
    def winner(self) -> int | None:
        """Who captured the table, if the round is over and anybody did."""
        return None if self.taken is None else self.taken.winner

    @property
    def shown(self) -> dict[int, Card]:
        """What each seat turned up, as it was typed."""
        return dict(zip(self.seats, self.cards, strict=True))

    @property
    def standing(self) -> dict[int, Card]:
        """Cards turned up earlier that counted again, by seat."""
        return {
            seat: next(
                self.faces[slot]
                for layer in reversed(self.laid[: self.before])
                if layer.face == "up" and (slot := layer.cards[seat]) is not None
            )
            for seat in self.stood
        }

    @property
    def compared(self) -> dict[int, Card]:
        """The card by which each seat was compared, by seat."""
        return dict(sorted({**self.standing, **self.shown}.items()))

    @property
    def laid_down(self) -> tuple[Layer, ...]:
        """What is laid face down now, before the next card is turned up."""
        return self.laid[self.before + 1 :]

    @property
    def block(self) -> list[tuple[int, Card | None]]:
        """The captured block as it goes under the pile, each card with the seat that laid it;
        None: it lay face down. Empty if nobody captured, or if it is shuffled."""
        if self.taken is None:
            return []
        laid_by = {
            slot: seat
            for layer in (*self.carried, *self.taken.layers)
            for seat, slot in enumerate(layer.cards)
            if slot is not None
        }
        return [
            (laid_by[slot], self.faces.get(slot)) for slot in self.taken.captured if slot in laid_by
        ]

    @property
    def ended(self) -> Round | None:
        """The round, if it is over, with its cards as they were shown, or else as they are known;
        `?` for a card that isn't."""
        taken = self.taken
        if taken is None:
            return None
        name = _Names(self.faces, self.seen)
        return Round(
            taken.round,
            name.layers(taken.layers),
            taken.out,
            taken.winner,
            name.block(taken.captured),
            taken.sizes,
            taken.taken_up
            and tuple([TakenUp(each.seat, name.block(each.cards)) for each in taken.taken_up]),
        )

    @property
    def flip(self) -> Flip:
        """The same as an entry of a record."""
        down = down_at_end(self.laid[: self.before])
        end = None if self.taken is not None else self.before + 1
        return Flip(
            round=self.number,
            layers=_Names(self.faces, {}).layers(self.laid[self.before - down : end]),
            begins=self.before == 0,
            ended=self.is_last,
            winner=self.winner,
        )


class _Names(NamedTuple):
    """What slots are called to people."""

    faces: Mapping[Slot, Card]
    seen: Mapping[Slot, Card]

    def card(self, slot: Slot) -> Card:
        """As it was shown, or else as it is known; `?` if it isn't."""
        return self.faces.get(slot) or self.seen.get(slot, UNKNOWN)

    def block(self, slots: Sequence[Slot]) -> tuple[Card, ...]:
        return tuple(map(self.card, slots))

    def layers(self, layers: Sequence[Layer]) -> tuple[Layer, ...]:
        return tuple(
            [
                Layer(layer.face, tuple([slot and self.card(slot) for slot in layer.cards]))
                for layer in layers
            ]
        )


def down_at_end(layers: Sequence[Layer]) -> int:
    """How many face-down layers lie on the last face-up one."""
    return next(
        (place for place, layer in enumerate(reversed(layers)) if layer.face == "up"), len(layers)
    )
