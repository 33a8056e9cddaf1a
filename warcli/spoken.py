"""Ranks, names and lists as they are said aloud."""

from __future__ import annotations

from collections.abc import Sequence

from warcli.words import say

_RANK_NAMES = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "10": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
    "Joker": "joker",
}


def rank_name(rank: str) -> str:
    """The rank as it is said, `queen` for `Q`; a rank of no known name is said as it is written."""
    name = _RANK_NAMES.get(rank)
    return rank if name is None else say(name)


def listed(things: Sequence[str]) -> str:
    """The things, of which there is at least one, as a list in a sentence: `Ana, Luis and Mia`."""
    if len(things) == 1:
        return things[0]
    return say("{first} and {last}", first=", ".join(things[:-1]), last=things[-1])


def as_sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
