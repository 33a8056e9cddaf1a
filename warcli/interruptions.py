"""What ends the program from outside: Ctrl-C, a terminal that is closed, a system that shuts down.

Python makes an exception of Ctrl-C only; the others would end the process on the spot, with files
half-written.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_ENDS = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
]
"""What asks a program to end, as far as this system knows it; SIGBREAK is Windows' Ctrl-Break."""


def end_in_order() -> None:
    """From now on, whatever asks the program to end makes it tidy up first, as Ctrl-C does; its
    exit status is 128 and the signal's number, as a shell has it. For the main thread."""
    for number in _ENDS:
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup, say, has it ignored
            signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # a shell may send it again; that ends nothing sooner
    raise SystemExit(128 + number)


@contextmanager
def held_back() -> Iterator[None]:
    """What must not be done by halves: Ctrl-C and its like take effect after it. For the main
    thread."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, *_ENDS)}
    handled = {number: handler for number, handler in handlers.items() if callable(handler)}
    came: list[int] = []
    for number in handled:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])
