"""Whether a game has come back to a position, in little memory however long it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warcli.cards import Card

if TYPE_CHECKING:
    from warcli.game import Game, Position, Slot


class Positions:
    """The positions that a game has had at the start of its rounds.

    Of each only a hash and the round are kept: a long game has very many, and each is a whole
    pack. What has the same hash is compared by playing up to it again, so nothing is taken for a
    repetition that isn't one. It serves where nothing is shuffled during the game.
    """

    def __init__(self) -> None:
        self._start: Game | None = None
        self._faces: dict[Slot, Card] = {}
        self._round_of: dict[int, int] = {}
        self._others: dict[int, list[int]] = {}  # further rounds of a hash, for other positions

    def copy(self) -> Positions:
        """The same positions; what comes to be known of one isn't known of the other."""
        twin = Positions()
        twin._start = self._start
        twin._faces = self._faces.copy()
        twin._round_of = self._round_of.copy()
        twin._others = {found: [*rounds] for found, rounds in self._others.items()}
        return twin

    def turned_up(self, slots: Sequence[Slot], faces: Sequence[Card]) -> None:
        """These slots show these faces; without this a slot is the card that it is named by."""
        self._faces.update(zip(slots, faces, strict=True))

    def first_seen(self, game: Game) -> int | None:
        """The earlier round at whose start every pile lay as now, before the coming round.

        None if there is none; the position is noted. It must be asked before every round from
        the first on, save those before which something is carried, when no position comes back.
        """
        if self._start is None:
            self._start = game.without_positions()
        position = game.position()
        coming = game.rounds + 1
        found = hash(position)
        first = self._round_of.setdefault(found, coming)
        if first == coming:
            return None
        for number in (first, *self._others.get(found, [])):
            if self._position_before(number) == position:
                return number
        self._others.setdefault(found, []).append(coming)
        return None

    def _position_before(self, number: int) -> Position:
        assert self._start is not None
        game = self._start.copy()
        while game.laid or game.rounds + 1 < number:
            assert game.due is not None
            game.turn_up([self._faces.get(slot, slot) for slot in game.due.slots])
        return game.position()
