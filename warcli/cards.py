"""Ranks, suits, cards and the pack: what is in it, and how a card is written and read.

A card is written rank first, then suit: `9♣`, `10♥`, `K♠`. Where suits don't matter or
aren't known the rank stands alone: `9`. In the program a card *is* that text, in this one
standard form, so that whatever is printed, compared or stored is what a player would write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from difflib import get_close_matches

from warcli.spoken import either
from warcli.words import say

Card = str
"""A card in its standard form: `9♣`, or its rank alone."""

SUITS = "♣♦♥♠"
"""The suits in the order of the pack; a pack of fewer suits uses the first of them."""

JOKER = "Joker"
"""The rank, and the written form, of a joker: it has no suit."""

USUAL_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
"""The ranks that everybody knows, the highest first."""

_SUIT_SPELLINGS = {
    **dict(zip("cdhs", SUITS, strict=True)),
    **dict(zip("♧♢♡♤", SUITS, strict=True)),
    **dict(zip(SUITS, SUITS, strict=True)),
}
_VARIATION_SELECTORS = str.maketrans("", "", "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}")
"""Phones add these to suit characters; they choose between a picture and a plain sign."""


_NEAR = 0.6
"""How alike, from 0 to 1, a slip and the card that was meant must be."""


class UnknownCard(ValueError):
    """A text that names no card of the pack, or more than one; `str()` of it tells a player why."""


class Pack:
    """Every card of a game, and the ways to write them.

    >>> pack = Pack(("A", "K", "10"), suits=4, packs=1, jokers=0)
    >>> pack.read("10h"), pack.read("Ts"), pack.read("k♤"), pack.read("a")
    ('10♥', '10♠', 'K♠', 'A')
    """

    def __init__(self, ranks: tuple[str, ...], suits: int, packs: int, jokers: int) -> None:
        """`ranks` highest first; `suits` 1 to 4 a pack (1: by rank alone); `jokers` in all."""
        marks = SUITS[:suits] if suits > 1 else ("",)
        self.ranks = ranks
        self.suits: tuple[str, ...] = tuple(mark for mark in marks if mark)
        self.cards: tuple[Card, ...] = tuple(
            card
            for rank in ranks
            for card in (
                (JOKER,) * jokers if rank == JOKER else tuple(rank + mark for mark in marks) * packs
            )
        )
        """Every card, copies included, ranks in order; this is the order before the shuffle."""
        kinds = dict.fromkeys(self.cards)
        self.kinds: Set[Card] = kinds.keys()
        """Each card once, in the order of the pack."""
        rank_of = {
            card: card.rstrip(SUITS) if self.suits and card != JOKER else card for card in kinds
        }
        self.rank: Mapping[Card, str] = {**rank_of, **{rank: rank for rank in ranks}}
        """The rank of every card of the pack, and of every rank written alone."""
        self.copies: Mapping[Card, int] = {
            **Counter(self.cards),
            **Counter(rank_of[card] for card in self.cards),
        }
        """How often the pack has a card; for a rank alone, how many cards have that rank."""
        self._rank_spellings: dict[str, str] = {rank.casefold(): rank for rank in ranks}
        if "10" in ranks:
            self._rank_spellings.setdefault("t", "10")
        if JOKER in ranks:
            self._rank_spellings.setdefault("*", JOKER)

    def readings(self, text: str) -> tuple[Card, ...]:
        """Every card of this pack that `text` can mean, in upper or lower case; perhaps none."""
        plain = text.strip().translate(_VARIATION_SELECTORS).casefold()
        found: list[Card] = []
        if plain in self._rank_spellings:
            found.append(self._rank_spellings[plain])
        if plain and (suit := _SUIT_SPELLINGS.get(plain[-1])) is not None:
            rank = self._rank_spellings.get(plain[:-1])
            if rank is not None and rank + suit in self.copies:
                found.append(rank + suit)
        return tuple(found)

    def read(self, text: str) -> Card:
        """The card that `text` means.

        Raises UnknownCard when it means none, naming the nearest, or more than one.
        """
        found = self.readings(text)
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownCard(
                say("{text} can be read as {readings}", text=text, readings=either(found))
            )
        raise UnknownCard(
            say(
                "{text} is not a card of this pack{hint} (ranks {ranks}{suits})",
                text=repr(text),
                hint=self._hint(text.strip().translate(_VARIATION_SELECTORS).casefold()),
                ranks=" ".join(self.ranks),
                suits=say("; suits {suits}", suits=" ".join(self.suits)) if self.suits else "",
            )
        )

    def _hint(self, plain: str) -> str:
        """What was probably meant by a text that is no card of the pack, or why it is none."""
        rank = plain[:-1] if plain[-1:] in _SUIT_SPELLINGS else plain
        if rank in _USUAL_SPELLINGS and rank not in self._rank_spellings:
            return say("; it has no {rank}", rank=_USUAL_SPELLINGS[rank])
        for meant in (plain[1:] + plain[:1], plain.replace("o", "0")):  # c9, 1o
            if found := self.readings(meant):
                return say("; did you mean {card}?", card=found[0])
        if not rank or plain[:-1] in self._rank_spellings:  # a suit alone, or 9x
            return ""
        known = {ascii_form(card).casefold(): card for card in (JOKER, *self.copies)}
        near = get_close_matches(ascii_form(plain), known, n=1, cutoff=_NEAR)
        if not near or len(plain) == 1:
            return ""
        if known[near[0]] not in self.copies:
            return say("; it has no {rank}", rank=JOKER)
        return say("; did you mean {card}?", card=known[near[0]])


_USUAL_SPELLINGS = {rank.casefold(): rank for rank in (*USUAL_RANKS, JOKER)}

_ASCII_SUITS = str.maketrans(SUITS, "cdhs")


def ascii_form(card: Card) -> str:
    """The card in plain ASCII suits, `9c` for `9♣`: every reader of cards reads it back."""
    return card.translate(_ASCII_SUITS)
