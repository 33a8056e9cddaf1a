"""Whether a game has come back to a position, in little memory however long it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
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
        self._start: Game | None = None  # as it stood when it was first asked for
        self._faces: dict[Slot, Card] = {}
        self._names: Mapping[Slot, Card] = {}
        self._round_of: dict[int, int] = {}  # by hash, in the order of the rounds
        self._others: dict[int, list[int]] = {}  # further rounds of a hash, for other positions

    def copy(self) -> Positions:
        """The same positions; what comes to be known of one isn't known of the other."""
        twin = Positions()
        twin._start = self._start
        twin._faces = self._faces.copy()
        twin._names = self._names
        twin._round_of = self._round_of.copy()
        twin._others = {found: [*rounds] for found, rounds in self._others.items()}
        return twin

    def anew(self) -> Positions:
        """No positions yet, of slots that go by the same names."""
        begun = Positions()
        begun._names = self._names
        return begun

    def turned_up(self, slots: Sequence[Slot], faces: Sequence[Card]) -> None:
        """These slots show these faces; without this a slot is the card that it is named by.

        A slot is one card: whenever it is turned up it shows that card, or its rank.
        """
        self._faces.update(zip(slots, faces, strict=True))

    def first_seen(self, game: Game) -> int | None:
        """The earlier round at whose start every pile lay as now, before the coming round.

        None if there is none; the position is noted. It must be asked before every round from
        the first on, save those before which something is carried, when no position comes back.
        """
        if self._start is None:
            self._start = game.without_positions()
        position = self._named(game.position()) if self._names else game.position()
        coming = game.rounds + 1
        found = hash(position)
        first = self._round_of.setdefault(found, coming)
        if first == coming:
            return None
        others = self._others.setdefault(found, [])
        for number in (first, *others):
            if self._named(self._played_up_to(number).position()) == position:
                return number
        others.append(coming)
        return None

    def cut_back(self, coming: int) -> None:
        """Forget what was noted before rounds later than this one, which were taken back."""
        while self._round_of and next(reversed(self._round_of.values())) > coming:
            self._round_of.popitem()
        self._others = {
            found: [number for number in rounds if number <= coming]
            for found, rounds in self._others.items()
        }
        if not self._round_of:
            self._start = None

    def name(self, names: Mapping[Slot, Card]) -> None:
        """These slots hold these cards, which others hold too, in all positions so far and to
        come. Replaces what was named before."""
        self._names = names
        noted = sorted(chain(self._round_of.values(), *self._others.values()))
        self._round_of, self._others = {}, {}
        game = self._start
        for number in noted:
            game = self._played_up_to(number, game)
            found = hash(self._named(game.position()))
            if self._round_of.setdefault(found, number) != number:
                self._others.setdefault(found, []).append(number)

    def _named(self, position: Position) -> Position:
        names = self._names
        return tuple([tuple([names.get(slot, slot) for slot in pile]) for pile in position])

    def _played_up_to(self, number: int, begun: Game | None = None) -> Game:
        """The game before a round, played from the start or from where it was `begun`."""
        begun = begun or self._start
        assert begun is not None
        game = begun.copy()
        while game.laid or game.rounds + 1 < number:
            assert game.due is not None
            game.turn_up([self._faces.get(slot, slot) for slot in game.due.slots])
        return game
