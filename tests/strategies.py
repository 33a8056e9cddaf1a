"""Hypothesis strategies for rules and deals: `from strategies import games, rules`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Literal, NamedTuple, get_args

from hypothesis import strategies as st

from warcli.cards import JOKER
from warcli.contradictions import pack_size
from warcli.rules import (
    CAPTURE_ORDERS,
    SHORTAGES,
    CaptureOrder,
    Goal,
    Leftover,
    LimitResult,
    Repetition,
    Rules,
    WarBetween,
    WonCards,
)

USUAL_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")

UNSHUFFLED_ORDERS: tuple[CaptureOrder, ...] = tuple(
    order for order in CAPTURE_ORDERS if order != "shuffled"
)
WON_CARDS: tuple[WonCards, ...] = get_args(WonCards)
UNSHUFFLED_WON_CARDS: tuple[WonCards, ...] = ("under", "aside")
LIMIT_RESULTS: tuple[LimitResult, ...] = get_args(LimitResult)
REPETITIONS: tuple[Repetition, ...] = get_args(Repetition)
GOALS: tuple[Goal, ...] = get_args(Goal)
WAR_BETWEEN: tuple[WarBetween, ...] = get_args(WarBetween)
LEFTOVERS: tuple[Leftover, ...] = get_args(Leftover)

MOST_CARDS = 120
"""About the largest pack that is drawn."""

TWO_TO_EIGHT = st.integers(2, 8)
RoundLimit = int | Literal["none"]
NO_LIMIT: st.SearchStrategy[RoundLimit] = st.just("none")
LIMITED: st.SearchStrategy[RoundLimit] = st.integers(1, 100)
SOME_LIMITS: st.SearchStrategy[RoundLimit] = st.one_of(NO_LIMIT, LIMITED)

Piles = tuple[tuple[str, ...], ...]


class Setup(NamedTuple):
    """What a game begins with."""

    rules: Rules
    piles: Piles


@st.composite
def rank_orders(draw: st.DrawFn, most: int = 13) -> tuple[str, ...]:
    """One to `most` of the usual ranks, in any order; half the time in the usual one."""
    ranks = draw(st.lists(st.sampled_from(USUAL_RANKS), min_size=1, max_size=most, unique=True))
    return tuple(sorted(ranks, key=USUAL_RANKS.index) if draw(st.booleans()) else ranks)


@st.composite
def exceptions(draw: st.DrawFn, ranks: Sequence[str]) -> tuple[str, ...]:
    """Some pairs of these ranks turned round, each at most once: often none, sometimes circles."""
    if len(ranks) < 2 or draw(st.booleans()):
        return ()
    pair = st.lists(st.sampled_from(ranks), min_size=2, max_size=2, unique=True).map(tuple)
    pairs = draw(st.lists(pair, max_size=4, unique_by=frozenset))
    return tuple(f"{winner} beats {loser}" for winner, loser in pairs)


@st.composite
def rules(
    draw: st.DrawFn,
    *,
    players: st.SearchStrategy[int] = TWO_TO_EIGHT,
    round_limits: st.SearchStrategy[RoundLimit] = SOME_LIMITS,
    capture_orders: Sequence[CaptureOrder] = CAPTURE_ORDERS,
    won_cards: Sequence[WonCards] = WON_CARDS,
) -> Rules:
    """Rules of any kind, every key varied, for two to eight seats and packs small and whole.

    Where cards are shuffled in play there is always a round limit, so that every game ends.
    """
    seats = draw(players)
    suits = draw(st.integers(1, 4))
    packs = draw(st.integers(1, 3))
    jokers = draw(st.one_of(st.just(0), st.integers(1, 4)))
    ranks = draw(rank_orders(most=max(1, min(13, (MOST_CARDS - jokers) // (suits * packs)))))
    while pack_size(ranks, suits, packs, jokers) < seats:
        packs += 1
    if jokers:
        place = draw(st.integers(0, len(ranks)))
        ranks = (*ranks[:place], JOKER, *ranks[place:])
    order = draw(st.sampled_from(capture_orders))
    won = draw(st.sampled_from(won_cards))
    limit = draw(round_limits)
    if limit == "none" and (order == "shuffled" or won == "aside-shuffled"):
        limit = draw(st.integers(1, 100))
    return Rules(
        name="random rules",
        deck_size=pack_size(ranks, suits, packs, jokers),
        rank_order=ranks,
        war_face_down=draw(st.integers(0, 4)),
        shortage=draw(st.sampled_from(SHORTAGES)),
        capture_order=order,
        round_limit=limit,
        limit_result=draw(st.sampled_from(LIMIT_RESULTS)),
        repetition=draw(st.sampled_from(REPETITIONS)),
        goal=draw(st.sampled_from(GOALS)),
        players=seats,
        suits=suits,
        packs=packs,
        jokers=jokers,
        rank_exceptions=draw(exceptions(ranks)),
        war_between=draw(st.sampled_from(WAR_BETWEEN)),
        leftover=draw(st.sampled_from(LEFTOVERS)),
        won_cards=won,
    )


@st.composite
def piles(draw: st.DrawFn, of: Rules) -> Piles:
    """A deal of these rules' pack: whole and even, or a position with any part of it, uneven.

    In a position seats may hold nothing. Cards left over by an even deal are left out.
    """
    order = draw(st.randoms(use_true_random=False))
    pack = list(of.pack.cards)
    order.shuffle(pack)
    seats = of.players
    if draw(st.booleans()):
        shared = len(pack) if of.leftover == "dealt" else len(pack) - len(pack) % seats
        return tuple(tuple(pack[seat:shared:seats]) for seat in range(seats))
    some = pack[: draw(st.integers(0, len(pack)))]
    cuts = sorted(draw(st.lists(st.integers(0, len(some)), min_size=seats - 1, max_size=seats - 1)))
    return tuple(
        tuple(some[start:end]) for start, end in zip([0, *cuts], [*cuts, len(some)], strict=True)
    )


@st.composite
def games(draw: st.DrawFn, of: st.SearchStrategy[Rules] | None = None) -> Setup:
    """Rules and the piles to begin with."""
    chosen = draw(rules() if of is None else of)
    return Setup(chosen, draw(piles(chosen)))


@st.composite
def crowded(draw: st.DrawFn) -> Setup:
    """Three to five seats with one to three cards of few ranks: wars, shortage, tables that are
    carried and seats that go out meet in every way within a few rounds."""
    ranks = USUAL_RANKS[: draw(st.integers(1, 3))]
    seats = draw(st.integers(3, 5))
    of = Rules(
        name="crowded",
        deck_size=pack_size(ranks, suits=4, packs=2, jokers=0),
        rank_order=ranks,
        war_face_down=draw(st.integers(0, 2)),
        shortage=draw(st.sampled_from(SHORTAGES)),
        capture_order=draw(st.sampled_from(UNSHUFFLED_ORDERS)),
        round_limit=30,
        repetition=draw(st.sampled_from(REPETITIONS)),
        players=seats,
        packs=2,
        war_between=draw(st.sampled_from(WAR_BETWEEN)),
        won_cards=draw(st.sampled_from(UNSHUFFLED_WON_CARDS)),
    )
    pack = iter(draw(st.permutations(of.pack.cards)))
    sizes = draw(st.lists(st.integers(1, 3), min_size=seats, max_size=seats))
    return Setup(of, tuple(tuple(islice(pack, size)) for size in sizes))


@st.composite
def circling(draw: st.DrawFn) -> Setup:
    """Up to eight cards, some of them equal, by rules under which a position often comes back.

    Every game ends: a repetition is a draw, and few positions can be made of so few cards.
    """
    seats = draw(st.sampled_from((2, 2, 3, 4)))
    suits, packs = draw(st.sampled_from(((1, 1), (2, 1), (1, 2), (2, 2))))
    fewest, most = -(-seats // (suits * packs)), 8 // (suits * packs)
    ranks = USUAL_RANKS[: draw(st.integers(max(2, fewest), most))]
    of = Rules(
        name="circling",
        deck_size=pack_size(ranks, suits, packs, jokers=0),
        rank_order=ranks,
        war_face_down=draw(st.integers(0, 1)),
        shortage=draw(st.sampled_from(SHORTAGES)),
        capture_order=draw(st.sampled_from(("seat-order", "seat-order", *UNSHUFFLED_ORDERS))),
        round_limit="none",
        repetition="draw",
        players=seats,
        suits=suits,
        packs=packs,
        won_cards=draw(st.sampled_from(UNSHUFFLED_WON_CARDS)),
    )
    pack = draw(st.permutations(of.pack.cards))
    return Setup(of, tuple(tuple(pack[seat::seats]) for seat in range(seats)))


class Alike(str):
    """A slot whose hash is that of every other, so that different positions have one hash too."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 0


SLOTS = st.sampled_from((str, Alike))


def labelled(piles: Piles, slot: type[str] = str) -> tuple[Piles, dict[str, str]]:
    """The same piles as they lie at a table: slots under labels, and what each of them shows."""
    faces: dict[str, str] = {}
    slots = []
    for pile in piles:
        labels = tuple(slot(f"#{len(faces) + place}") for place in range(len(pile)))
        faces.update(zip(labels, pile, strict=True))
        slots.append(labels)
    return tuple(slots), faces


def by_the_cards(some: tuple[str, ...]) -> tuple[str, ...]:
    """A stand-in for a shuffle: an order that depends only on which cards there are.

    Two implementations that shuffle the same cards get the same, however they held them before.
    """
    shuffled = sorted(some)
    Random(repr(shuffled)).shuffle(shuffled)
    return tuple(shuffled)
