"""Watching a study while it is played: how far it is, what it waits for, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

import click

from warcli.study.run import Part, Study, compiling
from warcli.words import say

_NOTICED = 1.5
"""Seconds after which people ask themselves what is going on."""

_LEFT_ALONE = (signal.SIG_IGN, None)
"""Handlers of signals that stay in place while a study is watched."""


@contextmanager
def watching(
    study: Study, games: int, until: float | None, tell: Callable[[str], None], *, quiet: bool
) -> Iterator[Callable[[Part | None], bool]]:
    """What looks at a study after each part, and now and then while the next is awaited (None);
    it says whether to play on: Ctrl-C was not pressed.

    Unless `quiet`, a terminal shows how much of so many games is played, and the time left."""
    wait = _first_wait(tell)
    with _interrupts() as interrupted, _progress(study, games, until, quiet=quiet) as show:

        def look(part: Part | None) -> bool:
            if part is None:
                wait()
            show()
            return not interrupted()

        yield look


def _first_wait(tell: Callable[[str], None]) -> Callable[[], None]:
    """What says why nothing is played yet, once, when that takes long enough to be noticed."""
    begun = perf_counter()
    told = False

    def wait() -> None:
        nonlocal told
        if not told and perf_counter() - begun > _NOTICED and compiling():
            tell(say("the kernel is being compiled for this machine; that happens only once"))
            told = True

    return wait


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed. It waits for the part in hand; pressed again, it breaks off.

    Where it is ignored, as by what a shell runs in the background, it stays so."""
    keys = [signal.SIGINT]
    if sys.platform == "win32":
        keys.append(signal.SIGBREAK)
    before = {key: signal.getsignal(key) for key in keys}
    # None: a handler that Python doesn't know, and couldn't put back.
    handlers = {key: handler for key, handler in before.items() if handler not in _LEFT_ALONE}
    pressed: list[int] = []

    def restore() -> None:
        for key, handler in handlers.items():
            signal.signal(key, handler)

    def press(key: int, _: object) -> None:
        pressed.append(key)
        restore()

    for key in handlers:
        signal.signal(key, press)
    try:
        yield lambda: bool(pressed)
    finally:
        restore()


@contextmanager
def _progress(
    study: Study, games: int, until: float | None, *, quiet: bool
) -> Iterator[Callable[[], None]]:
    """What shows on a terminal how much of a study is played, and the time left."""
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=games, width=0, show_pos=True, file=sys.stderr) as bar:

        def show() -> None:
            width = study.width() if until is not None else None
            if width is not None and until is not None:
                # An interval narrows with the square root of the number of games.
                bar.length = min(games, max(study.games, int(study.games * (width / until) ** 2)))
            bar.update(study.games - bar.pos)

        yield show
