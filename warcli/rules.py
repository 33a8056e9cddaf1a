"""What the rules of a game are: one typed, frozen model, every key with what it means.

The model has the shape of a rules file (see `rulesfile`), so its types, bounds and
descriptions are at once the check of a file, its JSON Schema, and its documentation. What the
keys make of a game is the law's business: see `game`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, get_args

from msgspec import Meta, Struct

from warcli.cards import JOKER, SUITS, Pack
from warcli.words import say

Shortage = Literal["short-loses", "first-out-loses", "last-card-stands", "fewer-down"]
CaptureOrder = Literal[
    "own-first", "own-last", "seat-order", "own-pile-first", "own-pile-last", "shuffled"
]
LimitResult = Literal["draw", "most-cards"]
Repetition = Literal["play-on", "draw"]
Goal = Literal["collect", "shed"]
WarBetween = Literal["tied", "everyone"]
Leftover = Literal["aside", "dealt"]
WonCards = Literal["under", "aside", "aside-shuffled"]

_DURATION = r"^(none|(?=[0-9])([0-9]{1,4}h)?([0-9]{1,4}m)?([0-9]{1,4}s)?)$"
_EXCEPTION = r"^\S+ beats \S+$"


class Contradiction(NamedTuple):
    """Something in the rules that can't be: the key at fault, what is wrong, what to do."""

    key: str
    message: str
    entry: int | None = None
    """Which entry of the key's list is meant, from 0; None: the key as a whole."""


class BadRules(ValueError):
    """Rules that contradict themselves; `contradictions` lists every one."""

    def __init__(self, contradictions: list[Contradiction]) -> None:
        super().__init__("\n".join(problem.message for problem in contradictions))
        self.contradictions = contradictions


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The rules of one game.

    Raises BadRules when keys contradict each other (a rank twice, a pack of another size).
    """

    name: Annotated[
        str, Meta(max_length=100, description="What the rules are called. Default: the file's name.")
    ] = ""
    description: Annotated[
        str, Meta(description="What the rules are and where they come from, in a few words.")
    ] = ""
    deck_size: Annotated[
        int,
        Meta(
            ge=2,
            le=10_000,
            description="Cards in the whole pack. Must equal what rank_order, suits, packs and "
            "jokers give: a check against a forgotten rank.",
        ),
    ]
    rank_order: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=20, pattern=r"^\S+$")], ...],
        Meta(
            min_length=1,
            description="Every rank of the pack once, the highest first: a list, or one text "
            "split at spaces (A K Q J 10 9 8 7 6 5 4 3 2).",
        ),
    ]
    war_face_down: Annotated[
        int,
        Meta(
            ge=0,
            le=10_000,
            description="Face-down cards that each player adds in a war step before turning one "
            "up. 0: the next card is turned up directly.",
        ),
    ]
    shortage: Annotated[
        Shortage,
        Meta(
            description="What happens to a player without enough cards for a war step. "
            "short-loses: is out at once, what is left goes on the table. first-out-loses: lays "
            "card by card and is out at the first one missing. last-card-stands: keeps one card "
            "to turn up; without any, the newest card that was turned up counts again. "
            "fewer-down: everybody lays as few face down as the shortest can."
        ),
    ]
    capture_order: Annotated[
        CaptureOrder,
        Meta(
            description="The order in which the winner takes up the table. Layer by layer: "
            "own-first, own-last or seat-order. Player by player: own-pile-first or "
            "own-pile-last. shuffled: in random order."
        ),
    ]
    round_limit: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | Literal["none"],
        Meta(
            description="Rounds after which the game stops, or none. A war with all its "
            "repetitions is one round, and is finished first."
        ),
    ]
    limit_result: Annotated[
        LimitResult,
        Meta(
            description="The result at a round or time limit: draw, or most-cards (under shed: "
            "fewest) wins."
        ),
    ] = "draw"
    time_limit: Annotated[
        str,
        Meta(
            pattern=_DURATION,
            description="A duration such as 30m, 1h30m or 90s, or none: the referee stops after "
            "the round during which it expires. A simulation has no clock and ignores it.",
        ),
    ] = "none"
    repetition: Annotated[
        Repetition,
        Meta(
            description="What it means when every pile is, card by card, as it was at the start "
            "of an earlier round: play-on (nothing) or draw."
        ),
    ] = "play-on"
    goal: Annotated[
        Goal, Meta(description="Whoever collects every card wins (collect) or loses (shed).")
    ] = "collect"
    players: Annotated[int, Meta(ge=2, le=8, description="Number of seats, 2 to 8.")] = 2
    suits: Annotated[
        int,
        Meta(
            ge=1,
            le=4,
            description="Suits in each pack, 1 to 4. With 1, cards are written by rank alone.",
        ),
    ] = 4
    packs: Annotated[
        int, Meta(ge=1, le=100, description="Whole packs that are shuffled together.")
    ] = 1
    jokers: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000,
            description="Jokers in all the packs together; with any, Joker must stand in rank_order.",
        ),
    ] = 0
    rank_exceptions: Annotated[
        tuple[Annotated[str, Meta(pattern=_EXCEPTION)], ...],
        Meta(
            description="Pairs such as 6 beats A that turn the order round when exactly these "
            "two ranks meet."
        ),
    ] = ()
    war_between: Annotated[
        WarBetween,
        Meta(
            description="With three or more players: who lays cards in a war, those who tied or "
            "everyone still in the game."
        ),
    ] = "tied"
    leftover: Annotated[
        Leftover,
        Meta(
            description="Cards that don't divide evenly: aside for the whole game, or dealt on "
            "to the first seats."
        ),
    ] = "aside"
    won_cards: Annotated[
        WonCards,
        Meta(
            description="Captured cards go under the pile, or aside to a pile of their own that "
            "becomes the new pile when the old one is empty (aside-shuffled: after a shuffle)."
        ),
    ] = "under"

    def __post_init__(self) -> None:
        if problems := list(_contradictions(self)):
            raise BadRules(problems)

    @cached_property
    def pack(self) -> Pack:
        """The pack that these rules are played with."""
        return Pack(self.rank_order, self.suits, self.packs, self.jokers)

    @cached_property
    def exceptions(self) -> frozenset[tuple[str, str]]:
        """The pairs of ranks (winner, loser) in which the order is turned round."""
        return frozenset(exception_pair(text) for text in self.rank_exceptions)

    @property
    def last_round(self) -> int | None:
        """The round limit as a number of rounds; None without one."""
        return None if isinstance(self.round_limit, str) else self.round_limit

    @property
    def seconds(self) -> int | None:
        """The time limit in seconds; None without one."""
        if self.time_limit == "none":
            return None
        parts = re.findall(r"([0-9]+)([hms])", self.time_limit)
        return sum(int(count) * {"h": 3600, "m": 60, "s": 1}[unit] for count, unit in parts)

    @property
    def shuffles(self) -> bool:
        """Whether cards are shuffled again during play."""
        return self.capture_order == "shuffled" or self.won_cards == "aside-shuffled"


CAPTURE_ORDERS: tuple[CaptureOrder, ...] = get_args(CaptureOrder)
SHORTAGES: tuple[Shortage, ...] = get_args(Shortage)


def exception_pair(text: str) -> tuple[str, str]:
    """The ranks (winner, loser) of a rank exception such as `6 beats A`."""
    winner, _, loser = text.split(" ")
    return winner, loser


def pack_size(rank_order: tuple[str, ...], suits: int, packs: int, jokers: int) -> int:
    """How many cards a pack of these ranks, suits, packs and jokers has."""
    return len([rank for rank in rank_order if rank != JOKER]) * suits * packs + jokers


def _contradictions(rules: Rules) -> Iterator[Contradiction]:
    """Every way in which the keys don't fit together, in the order of the keys."""
    yield from _rank_contradictions(rules)
    expected = pack_size(rules.rank_order, rules.suits, rules.packs, rules.jokers)
    ranks_written_well = len(set(rules.rank_order)) == len(rules.rank_order)
    if ranks_written_well and rules.deck_size != expected:
        yield Contradiction("deck_size", _size_message(rules, expected))
    if rules.deck_size < rules.players:
        yield Contradiction(
            "players",
            say(
                "{players} players cannot each have a card of a pack of {size}",
                players=rules.players,
                size=rules.deck_size,
            ),
        )
    if rules.seconds == 0:
        yield Contradiction(
            "time_limit", say("a time limit of no time would end the game before it begins")
        )
    yield from _exception_contradictions(rules)


def _rank_contradictions(rules: Rules) -> Iterator[Contradiction]:
    spellings = Counter(rank.casefold() for rank in rules.rank_order)
    seen: set[str] = set()
    for entry, rank in enumerate(rules.rank_order):
        if rank in seen:
            message = say("the rank {rank} stands in rank_order twice; keep one", rank=rank)
            yield Contradiction("rank_order", message, entry)
        elif spellings[rank.casefold()] > 1 and rank.casefold() in map(str.casefold, seen):
            message = say(
                "the rank {rank} differs from another only in capitals, which a player may "
                "leave out; choose another label",
                rank=rank,
            )
            yield Contradiction("rank_order", message, entry)
        elif any(mark in rank for mark in SUITS + "♧♢♡♤") or not rank.isprintable():
            message = say(
                "the rank {rank} holds a suit or a character that cannot be shown; a rank is a "
                "short label such as K, 10 or Cavalier",
                rank=rank,
            )
            yield Contradiction("rank_order", message, entry)
        elif rank == "?" or any(mark in rank for mark in "(){}[]|>#,:*-"):
            message = say(
                "the rank {rank} holds a sign that means something else in a game record; use "
                "letters and digits",
                rank=rank,
            )
            yield Contradiction("rank_order", message, entry)
        elif rank.casefold() == JOKER.casefold() and rank != JOKER:
            message = say("write the joker's rank as {joker}", joker=JOKER)
            yield Contradiction("rank_order", message, entry)
        seen.add(rank)
    if rules.jokers and JOKER not in rules.rank_order:
        yield Contradiction(
            "jokers",
            say(
                "{joker} must stand in rank_order when there are jokers; write it where it "
                "ranks, first if it beats everything",
                joker=JOKER,
            ),
        )
    if JOKER in rules.rank_order and not rules.jokers:
        yield Contradiction(
            "rank_order",
            say("{joker} stands in rank_order, but jokers is 0; say how many there are", joker=JOKER),
            rules.rank_order.index(JOKER),
        )


def _size_message(rules: Rules, expected: int) -> str:
    ranks = [rank for rank in rules.rank_order if rank != JOKER]
    message = say(
        "deck_size is {size}, but {ranks} ranks in {suits} suits, {packs} packs and {jokers} "
        "jokers make {expected} cards",
        size=rules.deck_size,
        ranks=len(ranks),
        suits=rules.suits,
        packs=rules.packs,
        jokers=rules.jokers,
        expected=expected,
    )
    usual = "A K Q J 10 9 8 7 6 5 4 3 2".split()
    missing = [rank for rank in usual if rank not in ranks]
    cards_a_rank = rules.suits * rules.packs
    if (rules.deck_size - expected) == len(missing) * cards_a_rank and missing:
        return message + say("; missing from rank_order: {missing}", missing=" ".join(missing))
    return message


def _exception_contradictions(rules: Rules) -> Iterator[Contradiction]:
    pairs: set[tuple[str, str]] = set()
    for entry, text in enumerate(rules.rank_exceptions):
        winner, loser = exception_pair(text)
        unknown = [rank for rank in (winner, loser) if rank not in rules.rank_order]
        message = ""
        if unknown:
            message = say(
                "{exception}: {rank} is not in rank_order ({ranks})",
                exception=text,
                rank=unknown[0],
                ranks=" ".join(rules.rank_order),
            )
        elif winner == loser:
            message = say("{exception}: a rank cannot beat itself", exception=text)
        elif (winner, loser) in pairs:
            message = say("{exception} is there twice; keep one", exception=text)
        elif (loser, winner) in pairs:
            message = say(
                "{exception} contradicts {other}; keep one",
                exception=text,
                other=f"{loser} beats {winner}",
            )
        if message:
            yield Contradiction("rank_exceptions", message, entry)
        pairs.add((winner, loser))
