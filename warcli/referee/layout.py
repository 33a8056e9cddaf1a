"""Looking for a way to lay out the pack that fits all that is known of it (see `knowledge`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from warcli.cards import Card, Pack
from warcli.game import Slot

if TYPE_CHECKING:
    from random import Random

    from warcli.referee.knowledge import Knowledge

_PATIENCE = 8_000
"""Steps of search after which a layout that wasn't found yet counts as possible: refusing what
is truly there would be worse than believing what can't be."""


class Passage(NamedTuple):
    """Slots that went unseen from one mixing into a later one, all alike."""

    source: int
    into: int
    rank: str | None
    """Their rank, if that was seen."""


class _Want(NamedTuple):
    """A card that must have gone into a mixing, because it is known to have come out."""

    place: int
    card: Card
    """The card, or its rank alone."""


class OutOfPatience(Exception):
    """The search took too many steps."""


class Search:
    """Looks for one way to lay out the pack that fits all that is known.

    Within one mixing that is a count: each card, and each rank, must have gone in as often as it
    is known to have come out. What is wanted and isn't there must have come unseen from an earlier
    mixing, and only between the ways by which it came is there a choice. Cards that nobody wants
    fill the places that are left, always.
    """

    def __init__(self, known: Knowledge) -> None:
        pack = known.pack
        self._pack = pack
        self._there = [
            Counter(filter(pack.kinds.__contains__, heap.went_in)) for heap in known.mixings
        ]
        """What went into each mixing and nobody has claimed yet."""
        self._free = known.passing.copy()
        """How many slots of each passage carry nothing in particular yet."""
        self._carried: dict[Passage, list[Card]] = {passage: [] for passage in self._free}
        """What slots of each passage must have carried: a card, or any of a rank."""
        self._ways: dict[int, list[Passage]] = {}
        for passage in self._free:
            self._ways.setdefault(passage.into, []).append(passage)
        seen = known.seen
        wants = [
            _Want(place, seen[slot])
            for place, heap in enumerate(known.mixings)
            for slot in heap.came_out
            if slot in seen and (seen[slot] in pack.kinds or slot not in known.into)
        ]
        # The last is met first: whole cards, since after them the cards of a rank are all alike.
        self._wanted: list[_Want | Passage] = [
            *(passage for passage in self._free if passage.rank is not None),
            *sorted(wants, key=lambda want: want.card in pack.kinds),
        ]
        self._done: list[tuple[Counter[Card], Card] | tuple[None, Passage]] = []
        """What was claimed (a card) or carried (by a passage), the last at the end."""
        self._steps = count()

    def finds_a_layout(self) -> bool:
        """Whether there is one; True if the search runs out of patience."""
        try:
            return self._is_enough() and self._meet(self._wanted)
        except OutOfPatience:
            return True

    def layout(self, known: Knowledge, random: Random) -> dict[Slot, Card]:
        """A card for every slot, drawn at random. Raises OutOfPatience."""
        found = self._meet(self._wanted)
        assert found
        pack = self._pack
        laid = {slot: card for slot, card in known.seen.items() if card in pack.kinds}
        pools = [[card for card in heap.went_in if card in pack.kinds] for heap in known.mixings]
        for place, heap in enumerate(known.mixings):
            pool = pools[place]
            random.shuffle(pool)
            leaving = [passage for passage in self._free if passage.source == place]
            live = [slot for slot in heap.came_out if slot not in known.into]
            for slot in heap.came_out:
                if slot in laid:
                    pool.remove(laid[slot])
            carried = [(card, passage) for passage in leaving for card in self._carried[passage]]
            carried.sort(key=lambda one: one[0] not in pack.kinds)  # whole cards first
            for wanted, passage in carried:
                pools[passage.into].append(_drawn(pool, wanted, pack))
            for slot in live:
                if slot in known.seen and slot not in laid:
                    laid[slot] = _drawn(pool, known.seen[slot], pack)
            random.shuffle(pool)  # again: the first of a rank was taken out, not any
            for passage in leaving:
                for _ in range(self._free[passage]):
                    pools[passage.into].append(pool.pop())
            laid.update(zip((slot for slot in live if slot not in laid), pool, strict=True))
        return laid

    def _is_enough(self) -> bool:
        """Whether there are as many cards as are wanted, wherever they are: a first look that
        spares most long searches."""
        rank = self._pack.rank
        there = Counter[Card]()
        for cards in self._there:
            there.update(cards)
            for card, many in cards.items():
                if rank[card] != card:
                    there[rank[card]] += many
        wanted = Counter[Card]()
        for want in self._wanted:
            if isinstance(want, _Want):
                wanted.update({want.card, rank[want.card]})
        return wanted <= there

    def _meet(self, wanted: Iterable[_Want | Passage]) -> bool:
        """Find where all of these came from, the last first."""
        wants: _Wants = None
        for want in wanted:
            wants = (want, wants)
        choices: list[tuple[int, Card, list[Passage], _Wants]] = []
        while wants is not None:
            if next(self._steps) > _PATIENCE:
                raise OutOfPatience
            want, wants = wants
            if isinstance(want, Passage):  # what it carries is of its rank, wanted or not
                if self._free[want] and want.rank is not None:
                    self._carry(want.rank, want)
                    wants = (_Want(want.source, want.rank), (want, wants))
                continue
            if self._claim(want):
                continue
            choices.append((len(self._done), want.card, self._ways_of(want), wants))
            while choices and not choices[-1][2]:
                choices.pop()
            if not choices:
                return False
            done, card, ways, wants = choices[-1]
            self._take_back(done)
            way = ways.pop()
            self._carry(card, way)
            wants = (_Want(way.source, card), wants)
        return True

    def _ways_of(self, want: _Want) -> list[Passage]:
        """The passages by which a wanted card may have come, the likeliest last."""
        rank = self._pack.rank[want.card]
        ways: dict[int, Passage] = {}
        for way in self._ways.get(want.place, ()):
            # Slots that must carry this rank anyway are as good as any others from there.
            if self._free[way] and (
                way.rank == rank or (way.rank is None and way.source not in ways)
            ):
                ways[way.source] = way
        return sorted(
            ways.values(), key=lambda way: (self._there[way.source][want.card], way.rank == rank)
        )

    def _claim(self, want: _Want) -> bool:
        """Take a wanted card from those that are there. Equal cards are as good."""
        there = self._there[want.place]
        pack = self._pack
        cards = [want.card]
        if want.card not in pack.kinds:
            cards = [want.card + suit for suit in pack.suits]
        for card in cards:
            if there[card] > 0:
                there[card] -= 1
                self._done.append((there, card))
                return True
        return False

    def _carry(self, card: Card, way: Passage) -> None:
        self._free[way] -= 1
        self._carried[way].append(card)
        self._done.append((None, way))

    def _take_back(self, done: int) -> None:
        """Undo all but the first `done` things that were done."""
        while len(self._done) > done:
            match self._done.pop():
                case None, way:
                    self._free[way] += 1
                    self._carried[way].pop()
                case there, card:
                    there[card] += 1


_Wants = tuple[_Want | Passage, "_Wants"] | None
"""What is still to be found: the next, and those after it."""


def _drawn(pool: list[Card], wanted: Card, pack: Pack) -> Card:
    """Take this card, or the first of this rank, from the pool."""
    drawn = next(card for card in pool if wanted in (card, pack.rank[card]))
    pool.remove(drawn)
    return drawn
