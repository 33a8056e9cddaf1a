"""What was accepted at a table, step by step, so that any of it can be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from warcli.record import Entry, Flip
from warcli.referee.knowledge import Impossible
from warcli.referee.play import Moment, Play

_FAR = 16
"""Steps from one that keeps how the game stood to the next that does, where that is enough."""


class _Step(Struct, frozen=True, gc=False):
    """Something that was accepted."""

    entries: tuple[Entry, ...]
    before: Moment | None
    """How the game stood before it. A moment is a copy of whole piles, so few are kept: None is
    found from the one before it, by turning up the cards again."""
    since: int
    """How many steps ago a moment was kept."""

    @property
    def is_flip(self) -> bool:
        """Whether cards were turned up and nothing else was done, so that it can be done again."""
        return len(self.entries) == 1 and isinstance(self.entries[0], Flip)


class Steps:
    """The steps of one game, and those that were taken back."""

    undone: list[tuple[Entry, ...]]
    """What was taken back and can be played again, the next one at the end."""

    def __init__(self, play: Play) -> None:
        self.undone = []
        self._play = play
        self._steps: list[_Step] = []

    def __len__(self) -> int:
        return len(self._steps)

    def before(self) -> Moment | None:
        """How the game stands, if that must be kept for the step to come."""
        last = self._steps[-1] if self._steps else None
        is_near = last is not None and last.is_flip and last.since + 1 < _FAR
        return None if is_near else self._play.moment()

    def keep(self, entries: tuple[Entry, ...], before: Moment | None) -> None:
        """What these tell has been done; `before` that the game stood as `before()` told."""
        since = 0 if before is not None else self._steps[-1].since + 1
        self._steps.append(_Step(entries, before, since))
        self.undone = []

    def add_to_last(self, entry: Entry) -> None:
        """This, too, came of the last step."""
        last = self._steps[-1]
        self._steps[-1] = _Step((*last.entries, entry), last.before, last.since)
        self.undone = []

    def take_back(self, many: int) -> None:
        """Take back so many of the last steps, of which there are as many."""
        first = len(self._steps) - many
        self.undone += [step.entries for step in reversed(self._steps[first:])]
        self._back_to(first)

    def follow(self, entries: Sequence[Entry], start: int) -> int:
        """Have the flips of a record turned up, from the place `start` on, as long as the law
        agrees with them and they don't end the game.

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


def _agrees(play: Play, flip: Flip) -> bool:
    """Have the cards of a flip turned up, if they can be; whether the law says of them what the
    flip does, and the game goes on."""
    try:
        ruling = play.turn_up_as_written(flip)
    except Impossible:
        return False
    if ruling is None or ruling.result is not None:
        return False
    return flip.ended is None or (flip.ended, flip.winner) == (ruling.is_last, ruling.winner)
