"""What was accepted at a table, step by step, so that any of it can be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from warcli.record import Entry, Flip, alike
from warcli.referee.knowledge import Impossible
from warcli.referee.play import Moment, Play
from warcli.referee.ruling import down_at_end

_FAR = 16
"""Steps that can follow one that keeps how the game stood, before another has to."""


class _Step(Struct, frozen=True, gc=False):
    """Something that was accepted."""

    entries: tuple[Entry, ...]
    before: Moment | None
    """How the game stood before it. A moment is a copy of whole piles, so few are kept: None is
    found from the one before it, by turning up the cards again."""


class Steps:
    """The steps of one game, and those that were taken back."""

    undone: list[tuple[Entry, ...]]
    """What was taken back and can be played again, the next one at the end."""

    def __init__(self, play: Play) -> None:
        self.undone = []
        self._play = play
        self._steps: list[_Step] = []
        self._far = _FAR  # steps since a moment was kept; all of them flips, or else `_FAR`

    def __len__(self) -> int:
        return len(self._steps)

    def before(self) -> Moment | None:
        """How the game stands, if that must be kept for the step to come."""
        return None if self._far < _FAR else self._play.moment()

    def keep(self, entries: tuple[Entry, ...], before: Moment | None) -> None:
        """What these tell has been done; `before` that the game stood as `before()` told."""
        if before is not None:
            self._far = 0
        is_flip = len(entries) == 1 and isinstance(entries[0], Flip)
        self._far = self._far + 1 if is_flip else _FAR
        self._steps.append(_Step(entries, before))
        self.undone = []

    def add_to_last(self, entry: Entry) -> None:
        """This, too, came of the last step."""
        last = self._steps[-1]
        self._steps[-1] = _Step((*last.entries, entry), last.before)
        self._far = _FAR
        self.undone = []

    def take_back(self, many: int) -> None:
        """Take back so many of the last steps, of which there are as many."""
        first = len(self._steps) - many
        self.undone += [step.entries for step in reversed(self._steps[first:])]
        self._back_to(first)

    def follow(self, entries: Sequence[Entry], start: int) -> int:
        """Have the flips of a record turned up, from the place `start` on, as long as the law
        agrees with all that they say and they don't end the game.

        Returns the place of the first entry of which that isn't so, or their number.
        """
        for place in range(start, len(entries)):
            flip = entries[place]
            if not isinstance(flip, Flip):
                return place
            undone = self.undone
            self.keep((flip,), self.before())
            if not _agrees(self._play, flip):
                self._back_to(len(self._steps) - 1)
                self.undone = undone
                return place
        return len(entries)

    def _back_to(self, first: int) -> None:
        """Stand as before the step of this number, and forget it and those after it."""
        kept = first
        while (before := self._steps[kept].before) is None:
            kept -= 1
        self._play.back_to(before)
        for step in self._steps[kept:first]:
            (flip,) = step.entries
            assert isinstance(flip, Flip)
            self._play.turn_up_as_written(flip)
        del self._steps[first:]
        self._far = _FAR


def _agrees(play: Play, flip: Flip) -> bool:
    """Have the cards of a flip turned up, if they can be; whether the law says of them all that the
    flip does, and the game goes on. Cards that shortage had laid last are not looked at: of a flip
    with such this is never said."""
    laid = play.game.laid
    if flip.begins is bool(laid) or flip.layers[-1].face == "down":
        return False
    try:
        ruling = play.turn_up_as_written(flip)
    except Impossible:
        return False
    if ruling is None or ruling.result is not None:
        return False
    ends_alike = (flip.ended, flip.winner) == (ruling.is_last, ruling.winner)
    if flip.round not in (None, ruling.number) or not (ends_alike or flip.ended is None):
        return False
    if len(ruling.laid) == len(flip.layers):
        return len(flip.layers) == 1 or alike(flip.layers, ruling.laid)
    first = ruling.before - down_at_end(laid)
    return alike(flip.layers, ruling.laid[first : None if ruling.is_last else ruling.before + 1])
