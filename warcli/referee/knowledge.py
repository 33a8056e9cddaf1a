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
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from warcli.cards import JOKER, Card, Pack
from warcli.game import Slot

if TYPE_CHECKING:
    from random import Random

MARK = "#"
"""Every slot begins with it; no card does."""

_PATIENCE = 8_000
"""Steps of search after which a layout that wasn't found yet counts as possible: refusing what
is truly there would be worse than believing what can't be."""

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
        if self._passing and len({self.pack.rank[card] for card in self._examples(slot)}) > 1:
            return None
        possible = self.possible(slot)
        if len(possible) == 1:
            return next(iter(possible))
        ranks = {self.pack.rank[card] for card in possible}
        return ranks.pop() if len(ranks) == 1 else None

    def fits(self, shown: Mapping[Slot, Card]) -> bool:
        """Whether these slots can show these cards."""
        if self._names_suits(shown):
            return self._with_suits().fits(shown)
        return (told := self._told(shown)) is not None and _Search(told).finds_a_layout()

    def layout(self, random: Random) -> dict[Slot, Card]:
        """A card for every slot, drawn at random among all that could be.

        Each layout is as likely as any other, except where cards went unseen from one heap into
        another, after shuffles in play: then it is only sure that each could be.
        """
        try:
            laid = _Search(self).layout(self, random)
        except _OutOfPatience:
            return self.forget(self.seen).layout(random)
        return {slot: laid[slot] for slot in self.slots}

    # What follows from what

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
        return told._settled() if told is not None and _Search(told).finds_a_layout() else None

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
    def _into(self) -> dict[Card | Slot, int]:
        """Which mixing a slot went into, if that still leaves something open."""
        return {thing: place for place, heap in enumerate(self.mixings) for thing in heap.went_in}

    @cached_property
    def _passing(self) -> Counter[_Passage]:
        """The slots that went, not known to the last, from one mixing into another."""
        into = self._into
        return Counter(
            _Passage(source, into[slot], seen)
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
        if self._passing:
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


class _Passage(NamedTuple):
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


class _OutOfPatience(Exception):
    """The search took too many steps."""


class _Search:
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
        self._free = known._passing.copy()
        """How many slots of each passage carry nothing in particular yet."""
        self._carried: dict[_Passage, list[Card]] = {passage: [] for passage in self._free}
        """What slots of each passage must have carried: a card, or any of a rank."""
        self._ways: dict[int, list[_Passage]] = {}
        for passage in self._free:
            self._ways.setdefault(passage.into, []).append(passage)
        seen = known.seen
        wants = [
            _Want(place, seen[slot])
            for place, heap in enumerate(known.mixings)
            for slot in heap.came_out
            if slot in seen and (seen[slot] in pack.kinds or slot not in known._into)
        ]
        # The last is met first: whole cards, since after them the cards of a rank are all alike.
        self._wanted: list[_Want | _Passage] = [
            *(passage for passage in self._free if passage.rank is not None),
            *sorted(wants, key=lambda want: want.card in pack.kinds),
        ]
        self._done: list[tuple[Counter[Card], Card] | tuple[None, _Passage]] = []
        """What was claimed (a card) or carried (by a passage), the last at the end."""
        self._steps = count()

    def finds_a_layout(self) -> bool:
        """Whether there is one; True if the search runs out of patience."""
        try:
            return self._is_enough() and self._meet(self._wanted)
        except _OutOfPatience:
            return True

    def layout(self, known: Knowledge, random: Random) -> dict[Slot, Card]:
        """A card for every slot, drawn at random. Raises _OutOfPatience."""
        found = self._meet(self._wanted)
        assert found
        pack = self._pack
        laid = {slot: card for slot, card in known.seen.items() if card in pack.kinds}
        pools = [[card for card in heap.went_in if card in pack.kinds] for heap in known.mixings]
        for place, heap in enumerate(known.mixings):
            pool = pools[place]
            random.shuffle(pool)
            leaving = [passage for passage in self._free if passage.source == place]
            live = [slot for slot in heap.came_out if slot not in known._into]
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

    def _meet(self, wanted: Iterable[_Want | _Passage]) -> bool:
        """Find where all of these came from, the last first."""
        wants: _Wants = None
        for want in wanted:
            wants = (want, wants)
        choices: list[tuple[int, Card, list[_Passage], _Wants]] = []
        while wants is not None:
            if next(self._steps) > _PATIENCE:
                raise _OutOfPatience
            want, wants = wants
            if isinstance(want, _Passage):  # what it carries is of its rank, wanted or not
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

    def _ways_of(self, want: _Want) -> list[_Passage]:
        """The passages by which a wanted card may have come, the likeliest last."""
        rank = self._pack.rank[want.card]
        ways: dict[int, _Passage] = {}
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

    def _carry(self, card: Card, way: _Passage) -> None:
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


_Wants = tuple[_Want | _Passage, "_Wants"] | None
"""What is still to be found: the next, and those after it."""


def _drawn(pool: list[Card], wanted: Card, pack: Pack) -> Card:
    """Take this card, or the first of this rank, from the pool."""
    drawn = next(card for card in pool if wanted in (card, pack.rank[card]))
    pool.remove(drawn)
    return drawn
