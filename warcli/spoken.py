"""Ranks, names and lists as they are said aloud."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from warcli.words import say


def rank_name(rank: str) -> str:
    """The rank as it is said, `queen` for `Q`; a rank of no known name is said as it is written."""
    return _rank_names().get(rank, rank)


def rank_first(rank: str) -> str:
    """The rank as it is said at the beginning of a sentence; one of no known name stays as it is
    written."""
    name = _rank_names().get(rank)
    return rank if name is None else name[:1].upper() + name[1:]


def listed(things: Sequence[str]) -> str:
    """The things, of which there is at least one, as a list in a sentence: `Ana, Luis and Mia`."""
    if len(things) == 1:
        return things[0]
    return say("{first} and {last}", first=", ".join(things[:-1]), last=things[-1])


def either(things: Sequence[str]) -> str:
    """The things, of which there is at least one, as a choice: `Ana, Luis or Mia`."""
    if len(things) == 1:
        return things[0]
    return say("{first} or {last}", first=", ".join(things[:-1]), last=things[-1])


@cache
def _rank_names() -> dict[str, str]:
    return {
        "A": say("ace"),
        "K": say("king"),
        "Q": say("queen"),
        "J": say("jack"),
        "10": say("ten"),
        "9": say("nine"),
        "8": say("eight"),
        "7": say("seven"),
        "6": say("six"),
        "5": say("five"),
        "4": say("four"),
        "3": say("three"),
        "2": say("two"),
        "Joker": say("joker"),
    }
