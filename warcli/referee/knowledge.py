"""What is known of each card on the table: which it is, or which it can be.

A *slot* is one physical card under a label. All knowledge is of two sorts:

- what was **seen**: this slot is 9♣, or a nine (the suit wasn't typed);
- **mixings**: these cards went into a heap and came out as those slots, in an order nobody knows.
  The deal is the first (the whole pack went in), then every shuffled block, every dropped pile.

Whatever fits both could be so, and nothing else could. A card is impossible at a slot only when
no way to lay out the whole pack fits, so a card that is truly there is never refused. Ranks are
counted, the last unseen card is known, and a shuffled block is a set, all by the same question.

As long as nobody has named a suit the pack is looked at by its ranks alone. The suits of cards
that went through a heap before the first one was named are not followed afterwards: that forgets
something, and contradicts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from warcli.cards import JOKER, Card, Pack
from warcli.game import Slot
from warcli.referee.layout import OutOfPatience, Passage, Search

if TYPE_CHECKING:
    from random import Random

MARK = "#"
"""Every slot begins with it; no card does."""

_MUCH = 120
"""More unresolved mixings, and slots known by their rank alone where there are suits, than this
are taken as one mixing, which forgets order but never lies."""


class Impossible(ValueError):
    """A card that cannot be where it was seen; `slot` is where."""

    def __init__(self, slot: Slot, card: Card) -> None:
        super().__init__(f"{card} cannot be at {slot}")
        self.slot = slot
        self.card = card


class Mixing(NamedTuple):
    """Cards that came out in an order nobody knows. As many went in as came out."""

    went_in: tuple[Card | Slot, ...]
    """What is in it: cards, and slots whose card isn't known for certain."""
    came_out: tuple[Slot, ...]


class Lying(NamedTuple):
    """Cards of one sort that are known to lie somewhere, if not exactly where."""

    many: int
    """How many there are."""
    slots: frozenset[Slot]
    """They are at some of these, and nowhere else."""


class Knowledge:
    """All that is known of the cards of one game. It doesn't change: learning makes a new one."""

    def __init__(
        self,
        pack: Pack,
        slots: frozenset[Slot],
        seen: Mapping[Slot, Card],
        mixings: Sequence[Mixing],
        suited: Pack | None = None,
    ) -> None:
        """See `of_nothing`."""
        self.pack = pack
        """What the cards are. As long as nobody has named a suit, by their ranks alone."""
        self.slots = slots
        """Every card's present label, as many as the pack has cards."""
        self.seen = seen
        """What was seen of a slot (a card, or its rank alone), or follows at once."""
        self.mixings = tuple(mixings)
        """Those that still leave something open, in the order in which they happened."""
        self._suited = suited  # the pack with its suits, until somebody names one

    @classmethod
    def of_nothing(cls, pack: Pack, slots: Iterable[Slot]) -> Knowledge:
        """The whole pack lies at these slots, as many as it has cards, and nobody knows how."""
        slots = tuple(slots)
        ranks = _ranks_of(pack)
        return cls(ranks, frozenset(slots), {}, [Mixing(ranks.cards, slots)], pack)

    # Learning

    def see(self, shown: Mapping[Slot, Card]) -> Knowledge:
        """These slots were turned up and show these cards, or cards of these ranks.

        Raises Impossible, naming the first slot at fault, when that cannot be.
        """
        if shown.items() <= self.seen.items():
            return self
        if all(self._is_known(slot, card) for slot, card in shown.items()):
            return self
        if self._names_suits(shown):
            return self._with_suits().see(shown)
        if (told := self._with(shown)) is None:
            raise self._first_fault(shown)
        return told

    def mix(self, slots: Sequence[Slot], fresh: Sequence[Slot]) -> Knowledge:
        """The cards of `slots` lie, in an order nobody knows, under the labels `fresh` now."""
        went_in = tuple(self.card(slot) or slot for slot in slots)
        mixings = (*self.mixings, Mixing(went_in, tuple(fresh)))
        left = self.slots.difference(slots).union(fresh)
        mixed = Knowledge(self.pack, left, self.seen, mixings, self._suited)._settled()
        by_rank = sum(card not in self.pack.kinds for card in mixed.seen.values())
        if len(mixed.mixings) + by_rank > _MUCH:
            return mixed.forget(mixed.seen)
        return mixed

    def forget(self, remembered: Mapping[Slot, Card]) -> Knowledge:
        """Only that the slots hold the pack, and that these show what they show.

        Raises Impossible when not even that can be.
        """
        blank = Knowledge.of_nothing(self._suited or self.pack, sorted(self.slots))
        return blank.see({slot: card for slot, card in remembered.items() if slot in self.slots})

    def at_rest(self) -> Knowledge:
        """The same, without what was worked out to answer questions: to be kept for long."""
        if "_source" not in self.__dict__:  # all such work begins with it
            return self
        return Knowledge(self.pack, self.slots, self.seen, self.mixings, self._suited)

    # Asking

    def card(self, slot: Slot) -> Card | None:
        """The card of a slot, suit included, if it was seen or follows at once."""
        seen = self.seen.get(slot)
        return seen if seen in self.pack.kinds else None

    def possible(self, slot: Slot) -> frozenset[Card]:
        """Every card that the slot can be; ranks, as long as nobody has named a suit."""
        if (card := self.card(slot)) is not None:
            return frozenset((card,))
        alike = (self._source[slot], self.seen.get(slot))  # such slots can be the same cards
        if alike not in self._possible:
            self._possible[alike] = frozenset(self._possible_cards(slot))
        return self._possible[alike]

    def certain(self, slot: Slot) -> Card | None:
        """All that is certain of a slot: its card, or its rank alone, or None for nothing."""
        seen = self.seen.get(slot)
        if seen in self.pack.kinds:
            return seen
        if self.passing and len({self.pack.rank[card] for card in self._examples(slot)}) > 1:
            return None
        possible = self.possible(slot)
        if len(possible) == 1:
            return next(iter(possible))
        ranks = {self.pack.rank[card] for card in possible}
        return ranks.pop() if len(ranks) == 1 else None

    def lying(self, card: Card) -> Iterator[Lying]:
        """Where the cards like this one (for a rank, those of that rank) are known to lie; all of
        them, mostly. No card is told twice."""
        if card not in self.pack.copies:
            yield from self._with_suits().lying(card)
            return

        def is_like(thing: Card | Slot) -> bool:
            seen = self.seen.get(thing, thing)
            return card in (seen, self.pack.rank.get(seen))

        for slot in sorted(self.slots):
            if is_like(slot):
                yield Lying(1, frozenset((slot,)))
        sent_on = Counter[int]()
        for place, (went_in, came_out) in reversed([*enumerate(self.mixings)]):
            many = sum(map(is_like, went_in)) - sum(map(is_like, came_out)) - sent_on[place]
            if many > 0:
                yield Lying(many, frozenset(self._where_now(place, card)))
            elif many < 0:  # so many must have come unseen out of earlier mixings; it may be any
                for source in {self._source[each] for each in self._unseen(went_in, card)}:
                    sent_on[source] -= many

    def fits(self, shown: Mapping[Slot, Card]) -> bool:
        """Whether these slots can show these cards."""
        if self._names_suits(shown):
            return self._with_suits().fits(shown)
        return (told := self._told(shown)) is not None and Search(told).finds_a_layout()

    def layout(self, random: Random) -> dict[Slot, Card]:
        """A card for every slot, drawn at random among all that could be.

        Each layout is as likely as any other, except where cards went unseen from one heap into
        another, after shuffles in play: then it is only sure that each could be.
        """
        try:
            laid = Search(self).layout(self, random)
        except OutOfPatience:
            return self.forget(self.seen).layout(random)
        return {slot: laid[slot] for slot in self.slots}

    # What follows from what

    def _where_now(self, place: int, card: Card) -> Iterator[Slot]:
        """Where this card, or one of this rank, can be now that came unseen out of a mixing."""
        reached = {place}
        for number, mixing in enumerate(self.mixings):
            if number in reached:
                for slot in self._unseen(mixing.came_out, card):
                    if slot in self.into:
                        reached.add(self.into[slot])  # always a later one
                    else:
                        yield slot

    def _unseen(self, things: Iterable[Card | Slot], card: Card) -> Iterator[Slot]:
        """The slots among these of which nothing was seen that tells whether they are this card,
        or one of this rank."""
        rank = self.pack.rank[card]
        telling_nothing = (None,) if card == rank else (None, rank)
        for thing in things:
            if thing in self._source and self.seen.get(thing) in telling_nothing:
                yield thing

    def _is_known(self, slot: Slot, card: Card) -> bool:
        seen = self.seen.get(slot)
        return seen == card or (seen is not None and self.pack.rank[seen] == card)

    def _names_suits(self, shown: Mapping[Slot, Card]) -> bool:
        return any(card not in self.pack.copies for card in shown.values())

    def _with_suits(self) -> Knowledge:
        """The same with suits. Which heaps the cards went through is forgotten: that was followed
        by ranks alone."""
        suited = self._suited
        assert suited is not None, "a card of another pack"
        slots = tuple(sorted(self.slots))
        blank = Knowledge(suited, self.slots, {}, [Mixing(suited.cards, slots)])
        return blank.see({slot: card for slot, card in self.seen.items() if slot in self.slots})

    def _with(self, shown: Mapping[Slot, Card]) -> Knowledge | None:
        """This and what is shown; None if no layout of the pack fits both."""
        told = self._told(shown)
        return told._settled() if told is not None and Search(told).finds_a_layout() else None

    def _told(self, shown: Mapping[Slot, Card]) -> Knowledge | None:
        """This and what is shown, if that contradicts nothing that was seen of the same slots."""
        seen = dict(self.seen)
        for slot, card in shown.items():
            if not self._is_known(slot, card):
                if slot in seen and seen[slot] != self.pack.rank[card]:
                    return None
                seen[slot] = card
        return Knowledge(self.pack, self.slots, seen, self.mixings, self._suited)

    def _first_fault(self, shown: Mapping[Slot, Card]) -> Impossible:
        so_far: dict[Slot, Card] = {}
        for slot, card in shown.items():
            so_far[slot] = card
            if not self.fits(so_far):
                break
        return Impossible(slot, card)

    @cached_property
    def _source(self) -> dict[Slot, int]:
        """Which mixing a slot came out of, if that still leaves something open."""
        return {
            slot: place for place, mixing in enumerate(self.mixings) for slot in mixing.came_out
        }

    @cached_property
    def into(self) -> dict[Card | Slot, int]:
        """Which mixing a slot went into, if that still leaves something open."""
        return {thing: place for place, heap in enumerate(self.mixings) for thing in heap.went_in}

    @cached_property
    def passing(self) -> Counter[Passage]:
        """The slots that went, not known to the last, from one mixing into another."""
        into = self.into
        return Counter(
            Passage(source, into[slot], seen)
            for slot, source in self._source.items()
            if slot in into and (seen := self.seen.get(slot)) not in self.pack.kinds
        )

    @cached_property
    def _possible(self) -> dict[tuple[int, Card | None], frozenset[Card]]:
        return {}

    def _possible_cards(self, slot: Slot) -> Iterator[Card]:
        seen = self.seen.get(slot)
        source = self._source[slot]
        kinds = [card for card in self.pack.kinds if seen in (None, self.pack.rank[card])]
        if self.passing:
            found = self._examples(slot)
            yield from (card for card in kinds if card in found or self.fits({slot: card}))
            return
        left = self._left(source)
        of_rank = Counter[str]()
        for card, many in left.items():
            of_rank[self.pack.rank[card]] += many
        if seen is None:  # keep what slots of a known rank will want
            came_out = self.mixings[source].came_out
            of_rank.subtract(self.seen[slot] for slot in came_out if slot in self.seen)
        yield from (card for card in kinds if left[card] > 0 and of_rank[self.pack.rank[card]] > 0)

    def _examples(self, slot: Slot) -> set[Card]:
        """Some cards that the slot can be, had for less than a search for each."""
        return {layout[slot] for layout in self._layouts}

    @cached_property
    def _layouts(self) -> list[dict[Slot, Card]]:
        from random import Random

        return [self.layout(Random(number)) for number in range(8)]

    def _left(self, place: int) -> Counter[Card]:
        """The cards known to be in a mixing and not yet known where they came out."""
        went_in, came_out = self.mixings[place]
        left = Counter(went_in)
        left.subtract(card for slot in came_out if (card := self.card(slot)) is not None)
        return left

    def _settled(self) -> Knowledge:
        """The same, with all that follows at once, and nothing that leaves nothing open."""
        seen = dict(self.seen)
        mixings = list(self.mixings)
        while True:
            settled = [
                left for mixing in mixings if (left := _cancelled(mixing, seen, self.pack)).went_in
            ]
            settled = _spliced(settled, seen, frozenset(self.pack.kinds))
            if settled == mixings:
                break
            mixings = settled
        wanted = self.slots.union(*(mixing.came_out for mixing in mixings))
        kept = {slot: card for slot, card in seen.items() if slot in wanted}
        return Knowledge(self.pack, self.slots, kept, mixings, self._suited)


@lru_cache(maxsize=8)
def _ranks_of(pack: Pack) -> Pack:
    """The same pack without its suits."""
    copies = [pack.copies[rank] for rank in pack.ranks if rank != JOKER]
    return Pack(pack.ranks, 1, copies[0] if copies else 1, pack.copies.get(JOKER, 0))


def _cancelled(mixing: Mixing, seen: dict[Slot, Card], pack: Pack) -> Mixing:
    """What a mixing leaves open: cards known both to have gone in and where they came out are
    taken from it. If only one thing is left on one side, `seen` learns the other."""
    kinds = pack.kinds
    known = {slot: card for slot in mixing.came_out if (card := seen.get(slot, "")) in kinds}
    went_in = tuple(
        [card if (card := seen.get(thing, "")) in kinds else thing for thing in mixing.went_in]
    )
    common = Counter(went_in) & Counter(known.values())
    came_out = mixing.came_out
    if common:
        went_in = _without(went_in, common.copy())
        came_out = tuple(
            slot for slot in came_out if slot not in known or not _take(common, known[slot])
        )
    entered = set(went_in)
    if len(entered) == 1 and entered <= kinds:
        seen.update(dict.fromkeys(came_out, entered.pop()))
        return Mixing((), ())
    found = {known.get(slot) for slot in came_out}
    if len(found) == 1 and (only := found.pop()) is not None:
        seen.update(dict.fromkeys(went_in, only))
        return Mixing((), ())
    left = Mixing(went_in, came_out)
    return mixing if left == mixing else left  # old steps hold it, too


def _take(cards: Counter[Card], card: Card) -> bool:
    """Take this card from the heap, if it is there."""
    if not cards[card]:
        return False
    cards[card] -= 1
    return True


def _without(things: tuple[Card | Slot, ...], cards: Counter[Card]) -> tuple[Card | Slot, ...]:
    return tuple(thing for thing in things if not _take(cards, thing))


def _spliced(
    mixings: list[Mixing], seen: Mapping[Slot, Card], kinds: frozenset[Card]
) -> list[Mixing]:
    """Two mixings are one where all that came out of the first went into the second, and what was
    seen of it in between says nothing about what it was; or where all that went into the second
    came unseen out of the first."""
    for later, second in enumerate(mixings):
        entered = set(second.went_in)
        for earlier, first in enumerate(mixings[:later]):
            between = entered.intersection(first.came_out)
            if not between:
                continue
            unseen = not any(slot in seen for slot in between)
            rest = [*mixings[:earlier], *mixings[earlier + 1 : later], *mixings[later + 1 :]]
            if len(between) == len(first.came_out) and (unseen or kinds.issuperset(first.went_in)):
                left = tuple(thing for thing in second.went_in if thing not in between)
                rest.insert(later - 1, Mixing(first.went_in + left, second.came_out))
                return rest
            if len(between) == len(second.went_in) and unseen:
                left = tuple(slot for slot in first.came_out if slot not in between)
                rest.insert(earlier, Mixing(first.went_in, left + second.came_out))
                return rest
    return mixings
