"""The seeded deal. Deal files are tested in `test_deal_file`."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from strategies import rules

from warcli import rulesfile
from warcli.deal import deal
from warcli.generator import MAX_SEED, Generator
from warcli.rules import Rules

SEEDS = st.integers(0, MAX_SEED)


def test_seed_42_deals_these_cards_for_ever() -> None:
    """This pins what seed 42 means; change the code back, not the cards."""
    dealt = deal(rulesfile.load("english"), Generator(42))
    assert [" ".join(pile) for pile in dealt.piles] == [
        "3♣ K♦ A♥ K♥ Q♥ 4♦ 6♦ 7♠ 4♠ 3♥ J♥ 2♠ K♠ K♣ 7♥ 2♦ 3♠ Q♣ 2♣ 10♠ A♦ A♣ 3♦ 9♠ 8♣ 8♥",
        "4♣ 9♥ 6♥ J♦ 7♦ Q♠ 7♣ 10♣ Q♦ 8♦ A♠ 5♥ 5♦ 8♠ J♣ 2♥ 10♦ 6♠ 5♠ J♠ 10♥ 9♣ 5♣ 9♦ 4♥ 6♣",
    ]
    assert dealt.leftover == ()


def test_the_next_game_of_a_seed_is_another() -> None:
    english = rulesfile.load("english")
    assert deal(english, Generator(42, 1)) != deal(english, Generator(42, 0))


@given(rules(), SEEDS)
def test_cards_are_dealt_one_by_one_each_onto_the_ones_before(of: Rules, seed: int) -> None:
    dealt = deal(of, Generator(seed))
    shuffled = list(Generator(seed).shuffle(of.pack.cards))
    piles: list[list[str]] = [[] for _ in range(of.players)]
    while len(shuffled) >= of.players:
        for pile in piles:
            pile.insert(0, shuffled.pop(0))
    if of.leftover == "dealt":
        for pile in piles:
            if shuffled:
                pile.insert(0, shuffled.pop(0))
    assert dealt.piles == tuple(map(tuple, piles))
    assert dealt.leftover == tuple(shuffled)


@given(rules(), SEEDS)
def test_the_whole_pack_is_dealt_or_left_over(of: Rules, seed: int) -> None:
    dealt = deal(of, Generator(seed))
    sizes = [len(pile) for pile in dealt.piles]
    assert Counter(dealt.leftover) + Counter(sum(dealt.piles, ())) == Counter(of.pack.cards)
    assert max(sizes) - min(sizes) == (
        1 if of.leftover == "dealt" and of.deck_size % of.players else 0
    )
    assert sizes == sorted(sizes, reverse=True)
