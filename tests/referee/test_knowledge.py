"""Knowledge is held to the simplest model there is: every layout of a small pack, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warcli.cards import JOKER, Card, Pack
from warcli.referee.knowledge import Impossible, Knowledge

SMALL_PACKS = [
    Pack(("A", "K", "Q"), suits=2, packs=1, jokers=0),
    Pack(("A", "K"), suits=3, packs=1, jokers=0),
    Pack(("A", "K"), suits=2, packs=1, jokers=0),
    Pack((JOKER, "A"), suits=2, packs=1, jokers=3),
    Pack(("A", "K"), suits=1, packs=3, jokers=0),
    Pack(("A", "K"), suits=2, packs=2, jokers=0),
]


class EveryLayout:
    """All layouts that fit what happened, kept one by one."""

    def __init__(self, pack: Pack, slots: list[str]) -> None:
        self.pack = pack
        self.slots = slots
        self.layouts = set(permutations(pack.cards))

    def fitting(self, slot: str, shown: Card) -> set[tuple[Card, ...]]:
        place = self.slots.index(slot)
        return {
            layout
            for layout in self.layouts
            if shown in (layout[place], self.pack.rank[layout[place]])
        }

    def possible(self, slot: str) -> set[Card]:
        place = self.slots.index(slot)
        return {layout[place] for layout in self.layouts}

    def mix(self, slots: list[str], fresh: list[str]) -> None:
        places = [self.slots.index(slot) for slot in slots]
        mixed = set()
        for layout in self.layouts:
            for order in permutations(places):
                laid = list(layout)
                for place, source in zip(places, order, strict=True):
                    laid[place] = layout[source]
                mixed.add(tuple(laid))
        self.layouts = mixed
        for place, slot in zip(places, fresh, strict=True):
            self.slots[place] = slot


class Story:
    """Things that happen to the cards of a small pack, told to the knowledge and the model."""

    def __init__(self, pack: Pack, random: Random) -> None:
        slots = [f"#{number}" for number in range(len(pack.cards))]
        self.pack = pack
        self.random = random
        self.truth = dict(zip(slots, random.sample(pack.cards, len(slots)), strict=True))
        self.known = Knowledge.of_nothing(pack, slots)
        self.model = EveryLayout(pack, slots)

    def see(self, *, suit: bool) -> None:
        slot = self.random.choice(self.model.slots)
        shown = self.truth[slot] if suit else self.pack.rank[self.truth[slot]]
        self.known = self.known.see({slot: shown})
        self.model.layouts = self.model.fitting(slot, shown)

    def name_a_suit(self) -> None:
        """What happened before the first suit is named is known by ranks alone."""
        for slot, card in self.truth.items():
            if card != self.pack.rank[card]:
                self.known = self.known.see({slot: card})
                self.model.layouts = self.model.fitting(slot, card)
                return

    def mix(self) -> None:
        heap = self.random.sample(self.model.slots, self.random.randint(2, 4))
        fresh = [f"{slot}'" for slot in heap]
        cards = [self.truth.pop(slot) for slot in heap]
        shuffled = self.random.sample(cards, len(cards))
        self.truth.update(zip(fresh, shuffled, strict=True))
        self.known = self.known.mix(heap, fresh)
        self.model.mix(heap, fresh)

    def possible(self, slot: str) -> set[Card]:
        """What the knowledge thinks possible, every suit of a rank named."""
        possible = self.known.possible(slot)
        return {card for card in self.pack.kinds if possible & {card, self.pack.rank[card]}}

    def tells_where(self, sort: Card) -> bool:
        """Whether it tells truly where cards of a sort lie, and of none twice: in every layout,
        any places that it names hold as many as it says or more."""
        lying = list(self.known.lying(sort))
        told = [heaps for size in range(1, len(lying) + 1) for heaps in combinations(lying, size)]
        return all(
            sum(
                sort in (card, self.pack.rank[card])
                for slot, card in zip(self.model.slots, layout, strict=True)
                if any(slot in heap.slots for heap in heaps)
            )
            >= sum(heap.many for heap in heaps)
            for layout in self.model.layouts
            for heaps in told
        )

    def is_possible(self, layout: Mapping[str, Card]) -> bool:
        laid = [layout[slot] for slot in self.model.slots]
        return any(
            all(card in (one, self.pack.rank[one]) for card, one in zip(laid, cards, strict=True))
            for cards in self.model.layouts
        )


stories = st.builds(Story, st.sampled_from(SMALL_PACKS), st.builds(Random, st.integers(0, 2**32)))


@settings(max_examples=40)
@given(stories, st.integers(1, 8))
def test_it_knows_exactly_what_follows(story: Story, happenings: int) -> None:
    story.name_a_suit()
    for _ in range(happenings):
        if story.random.random() < 0.6:
            story.see(suit=story.random.random() < 0.6)
        else:
            story.mix()
    for slot in story.model.slots:
        assert story.possible(slot) == story.model.possible(slot)
    assert all(map(story.tells_where, story.pack.copies))
    assert story.is_possible(story.known.layout(story.random))


@settings(max_examples=40)
@given(stories, st.integers(1, 8))
def test_by_rank_alone_it_knows_exactly_what_follows(story: Story, happenings: int) -> None:
    for _ in range(happenings):
        if story.random.random() < 0.6:
            story.see(suit=False)
        else:
            story.mix()
    for slot in story.model.slots:
        assert story.possible(slot) == story.model.possible(slot)
    assert all(map(story.tells_where, story.pack.ranks))
    assert story.is_possible(story.known.layout(story.random))


@settings(max_examples=40)
@given(stories, st.integers(1, 30))
def test_it_never_thinks_impossible_what_is_so(story: Story, happenings: int) -> None:
    for _ in range(happenings):
        if story.random.random() < 0.6:
            story.see(suit=story.random.random() < 0.2)  # suits may begin late
        else:
            story.mix()
        assert all(card in story.possible(slot) for slot, card in story.truth.items())


PACK = Pack(("A", "K", "Q", "J"), suits=4, packs=1, jokers=0)


def nothing_known(pack: Pack = PACK) -> Knowledge:
    return Knowledge.of_nothing(pack, [f"#{number}" for number in range(len(pack.cards))])


def test_what_was_seen_is_kept() -> None:
    known = nothing_known().see({"#3": "K♠"})
    assert known.card("#3") == "K♠"
    with pytest.raises(Impossible) as refused:
        known.see({"#3": "K♥"})
    assert (refused.value.slot, refused.value.card) == ("#3", "K♥")


def test_no_card_is_in_two_places() -> None:
    known = nothing_known().see({"#3": "K♠"})
    assert not known.fits({"#5": "K♠"})
    assert known.fits({"#5": "K♥"})


def test_ranks_are_counted_when_suits_are_left_out() -> None:
    known = nothing_known().see({"#0": "K", "#1": "K♠", "#2": "K", "#3": "K"})
    assert not known.fits({"#4": "K"})
    assert not known.fits({"#4": "K♥"})
    assert known.fits({"#0": "K♥"})


def test_a_suit_left_out_is_known_when_no_other_is_left() -> None:
    known = nothing_known().see({"#0": "K", "#1": "K♠", "#2": "K♥", "#3": "K♦"})
    assert known.certain("#0") == "K♣"


def test_the_last_unseen_card_is_known() -> None:
    pack = Pack(("A", "K"), suits=2, packs=1, jokers=0)
    known = nothing_known(pack).see({"#0": "A♣", "#1": "K♣", "#2": "A♦"})
    assert known.card("#3") == "K♦"


def test_a_shuffled_block_is_known_as_a_set() -> None:
    known = nothing_known().see({"#0": "A♠", "#1": "K♥"}).mix(["#0", "#1"], ["#20", "#21"])
    assert known.possible("#20") == {"A♠", "K♥"}
    assert known.see({"#20": "K♥"}).card("#21") == "A♠"


def test_two_equal_cards_are_told_apart_by_nothing() -> None:
    pack = Pack(("A", "K"), suits=2, packs=2, jokers=0)
    known = nothing_known(pack).see({"#0": "A♣"})
    assert known.fits({"#1": "A♣"})
    assert not known.see({"#1": "A♣"}).fits({"#2": "A♣"})


@pytest.mark.parametrize("suits", [True, False])
def test_every_layout_drawn_could_be(suits: bool) -> None:
    shown = {"#0": "K♠" if suits else "K", "#1": "A", "#2": "A"}
    known = nothing_known().see(shown)
    for seed in range(20):
        layout = known.layout(Random(seed))
        assert sorted(layout.values()) == sorted(known.pack.cards)
        assert known.fits(layout)


def test_every_layout_is_as_likely() -> None:
    pack = Pack(("A", "K"), suits=2, packs=1, jokers=0)
    known = nothing_known(pack).see({"#0": "A♣"}).see({"#1": "K"})
    layouts = [known.layout(Random(seed)) for seed in range(800)]
    orders = Counter(tuple(layout[slot] for slot in ("#1", "#2", "#3")) for layout in layouts)
    assert len(orders) == 4  # two kings for #1, then two orders of what is left
    assert all(150 < many < 250 for many in orders.values())


def test_a_large_pack_is_no_trouble() -> None:
    pack = Pack(tuple(map(str, range(100))), suits=4, packs=25, jokers=0)
    known = nothing_known(pack)
    assert len(known.see({"#0": "99♣"}).possible("#1")) == 400
