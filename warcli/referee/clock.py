"""The time: read here, and nowhere else at the table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from time import monotonic

Tick = Callable[[], float]
"""Tells seconds since some moment, always the same one."""


class Clock:
    """How long a game has been played, in seconds, the pauses left out.

    Nobody who sets the system's clock in the middle of a game changes it.
    """

    def __init__(self, seconds: float = 0, tick: Tick = monotonic) -> None:
        """A stopped clock that shows these seconds; `tick` is where it takes the time from."""
        self._before = seconds
        self._tick = tick
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """What it shows now."""
        running = 0 if self._since is None else self._tick() - self._since
        return self._before + running

    def go(self) -> None:
        """Let it run; it may run already."""
        if self._since is None:
            self._since = self._tick()

    def stop(self) -> None:
        """Halt it; it may stand already."""
        self._before = self.seconds
        self._since = None


def today() -> datetime:
    """The date and time on the wall, with the zone that it is in."""
    return datetime.now().astimezone()
