"""Reading a typed line as cards: every reading there is, so that none is guessed."""

from __future__ import annotations

import re

from warcli.cards import SUITS, Card, Pack
from warcli.spoken import rank_name
from warcli.words import say

_BETWEEN = re.compile(r"[\s,;/]+")
_LONGEST_LINE = 400
_LONGEST_CARD = 24
"""A rank has at most 20 characters; a suit and what phones add to it come on top."""
_ENOUGH = 30
"""Readings of one line; whoever typed a line that has more must put spaces into it anyway."""


def readings(pack: Pack, line: str, count: int) -> list[tuple[Card, ...]]:
    """Every way (up to 30) to read `line` as exactly `count` cards of this pack, in seat order.

    Cards are written as `Pack.readings` has them, with spaces or commas between them or with
    nothing at all, or as they are said (`king queen`, `ace of spades`). What stands apart is read
    apart; only where that can't be read, spaces count for nothing (`9 ♣ k ♦`).

    >>> pack = Pack(("A", "K", "10", "9"), suits=4, packs=1, jokers=0)
    >>> readings(pack, "k9", 2), readings(pack, "1010", 2), readings(pack, "10 h ks", 2)
    ([('K', '9')], [('10', '10')], [('10♥', 'K♠')])
    >>> readings(Pack(("11", "1"), suits=1, packs=4, jokers=0), "111", 2)
    [('1', '11'), ('11', '1')]
    """
    if len(line) > _LONGEST_LINE:
        return []
    words = [word for word in _BETWEEN.split(line) if word]
    return (
        _Reader(pack, words).read(count)
        or _Reader(pack, _as_written(pack, words)).read(count)
        or _Reader(pack, ["".join(words)]).read(count)
    )


def _as_written(pack: Pack, words: list[str]) -> list[str]:
    """The same words, with cards that are named as they are said (`king`, `ace of spades`) as they
    are written."""
    ranks = {rank_name(rank): rank for rank in pack.ranks}
    names = (say("clubs"), say("diamonds"), say("hearts"), say("spades"))
    suits = dict(zip(names, SUITS, strict=True))
    written: list[str] = []
    for word in words:
        plain = word.casefold()
        if written[-1:] == [say("of")] and len(written) > 1 and plain in suits:
            written[-2:] = [written[-2] + suits[plain]]
        else:
            written.append(ranks.get(plain, plain))
    return written


def lengths(pack: Pack, line: str, most: int) -> list[int]:
    """The numbers of cards, up to `most`, as which `line` can be read."""
    return [count for count in range(1, most + 1) if readings(pack, line, count)]


class _Reader:
    """Reads words, each as one card or several."""

    def __init__(self, pack: Pack, words: list[str]) -> None:
        self._pack = pack
        self._text = "".join(words)
        self._ends: list[int] = []
        """For each character of the text, where its word ends."""
        for word in words:
            self._ends += [len(self._ends) + len(word)] * len(word)
        self._known: dict[tuple[int, int], list[tuple[Card, ...]]] = {}

    def read(self, count: int, start: int = 0) -> list[tuple[Card, ...]]:
        """The readings of the text from `start` on as `count` cards."""
        if count == 0 or start == len(self._text):
            return [()] if count == 0 and start == len(self._text) else []
        if (start, count) not in self._known:
            found: dict[tuple[Card, ...], None] = {}
            for end in range(start + 1, min(self._ends[start], start + _LONGEST_CARD) + 1):
                for card in self._pack.readings(self._text[start:end]):
                    for rest in self.read(count - 1, end):
                        found[(card, *rest)] = None
            self._known[start, count] = list(found)[:_ENOUGH]
        return self._known[start, count]
