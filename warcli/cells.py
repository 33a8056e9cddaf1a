"""How much room a text takes on a terminal, in *cells*: East Asian characters and emoji take two
each, accents that stand on another character none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_FILLER = "\N{NULL}"
"""Stands for the second cell of a wide character; nothing that is shown has it."""


def cells(text: str) -> int:
    """How many cells a text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def fitted(text: str, room: int) -> str:
    """The text in exactly so many cells: cut, or with spaces after it."""
    kept = "".join(_beginning(text, room))
    return kept + " " * (room - cells(kept))


def _beginning(text: str, room: int) -> Iterator[str]:
    for character in text:
        room -= _cells(character)
        if room < 0:
            return
        yield character


def filled(text: str) -> str:
    """The text with as many characters as it takes cells, for what counts characters; `unfilled`
    gives it back."""
    if text.isascii():
        return text
    return "".join(each + _FILLER if _cells(each) > 1 else each for each in text)


def unfilled(text: str) -> str:
    """What was given to `filled`."""
    return text.replace(_FILLER, "")


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
