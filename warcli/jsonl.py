"""Events as JSON Lines, one object a line, both ways; always UTF-8.

The fields are those of the classes in `events`, in their order and under their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import DecodeError
from msgspec.json import Decoder, Encoder

from warcli.events import Event
from warcli.words import say

_encode = Encoder().encode
_decode: Callable[[str | bytes], Event] = Decoder(Event).decode


class BadLine(ValueError):
    """A line that is no event; `str()` says which line, and what is wrong with it."""


def jsonl(events: Iterable[Event]) -> Iterator[str]:
    """Each event as a line, its line end included."""
    for event in events:
        yield _encode(event).decode() + "\n"


def read_jsonl(lines: Iterable[str | bytes]) -> Iterator[Event]:
    """The events that were written so; empty lines are passed over, unknown fields left out.

    Raises BadLine at a line that is no event.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _decode(line)
        except (DecodeError, UnicodeDecodeError) as problem:
            raise BadLine(say("line {number}: {why}", number=number, why=str(problem))) from None
