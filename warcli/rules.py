"""What the rules of a game are: one typed, frozen model, every key with what it means.

The model has the shape of a rules file (see `rulesfile`), so its types, bounds and
descriptions are at once the check of a file, its JSON Schema, and its documentation. What the
keys make of a game is the law's business: see `game`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, get_args

from msgspec import Meta, Struct
from msgspec.structs import asdict

from warcli.cards import JOKER, SUITS, USUAL_RANKS, Pack
from warcli.words import printable, say, say_count

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

# In Python `$` stands before a last line break too; `(?!\n)` keeps it to the end, as in a schema.
_RANK = r"^\S+$(?!\n)"
_EXCEPTION = r"^\S+ beats \S+$(?!\n)"
_DURATION = r"^(none|(?=[0-9])([0-9]{1,4}h)?([0-9]{1,4}m)?([0-9]{1,4}s)?)$(?!\n)"

Ranks = tuple[
    Annotated[
        str,
        Meta(
            min_length=1,
            max_length=20,
            pattern=_RANK,
            title="a label of at most 20 characters, without spaces",
            examples=["A", "10", "Cavalier"],
        ),
    ],
    ...,
]


class Remark(NamedTuple):
    """Something about a well-written key: it contradicts others, or it may surprise."""

    keys: tuple[str, ...]
    """The keys that it is about, the likeliest culprit first."""
    message: str
    entry: int | None = None
    """Which entry of the first key's list is meant, from 0; None: the key as a whole."""
    advice: str = ""
    """What to do about it."""


class BadRules(ValueError):
    """Rules that contradict themselves; `contradictions` lists the ways in which they do."""

    def __init__(self, contradictions: list[Remark]) -> None:
        super().__init__("\n".join(remark.message for remark in contradictions))
        self.contradictions = contradictions


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The rules of one game.

    Raises BadRules when keys contradict each other (a rank twice, a pack of another size).
    """

    name: Annotated[
        str,
        Meta(max_length=100, description="What the rules are called. Default: the file's name."),
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
        Ranks,
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
            examples=["none", "30m", "1h30m", "90s"],
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
            description="Jokers in all the packs together; with any, Joker must stand in "
            "rank_order.",
        ),
    ] = 0
    rank_exceptions: Annotated[
        tuple[Annotated[str, Meta(pattern=_EXCEPTION, examples=["6 beats A"])], ...],
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
        if found := list(islice(contradictions(asdict(self)), 100)):  # nobody reads more
            raise BadRules(found)

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
        return _seconds(self.time_limit)

    @property
    def can_run_for_ever(self) -> bool:
        """Whether nothing but the players' patience ends a game that comes back to a position."""
        return self.repetition == "play-on" and self.last_round is None and not self.shuffles

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


def pack_size(rank_order: Sequence[str], suits: int, packs: int, jokers: int) -> int:
    """How many cards a pack of these ranks, suits, packs and jokers has."""
    return len([rank for rank in rank_order if rank != JOKER]) * suits * packs + jokers


def _seconds(time_limit: str) -> int | None:
    if time_limit == "none":
        return None
    parts = re.findall(r"([0-9]+)([hms])", time_limit)
    return sum(int(count) * {"h": 3600, "m": 60, "s": 1}[unit] for count, unit in parts)


_Check = Callable[..., Iterator[Remark]]
_CHECKS: dict[_Check, tuple[str, ...]] = {}


def _check(check: _Check) -> _Check:
    """A check of the keys that the function's parameters name."""
    code = check.__code__
    _CHECKS[check] = code.co_varnames[: code.co_argcount]
    return check


def contradictions(keys: Mapping[str, Any]) -> Iterator[Remark]:
    """Every way in which these keys don't fit together.

    Each of them is well written by itself, but they may be only some of the keys: what needs one
    that isn't there is not judged. So a file with a bad key is told at once what else is wrong.
    """
    for check, needed in _CHECKS.items():
        if all(key in keys for key in needed):
            yield from check(*[keys[key] for key in needed])


@_check
def _name_in_sight(name: str) -> Iterator[Remark]:
    if name and not name.strip():
        yield Remark(("name",), say("the name is nothing but spaces"), advice=say("leave it out"))
    if printable(name) != name:
        yield Remark(("name",), say("the name holds what cannot be shown: {name}", name=name))


@_check
def _description_in_sight(description: str) -> Iterator[Remark]:
    for line in description.replace("\t", " ").split("\n"):
        if printable(line) != line:
            message = say("the description holds what cannot be shown: {line}", line=line)
            yield Remark(("description",), message)


@_check
def _ranks_are_fit(rank_order: Ranks) -> Iterator[Remark]:
    if len(rank_order) > 1 and all(rank.endswith((",", ";")) for rank in rank_order[:-1]):
        parted = " ".join(rank.rstrip(",;") for rank in rank_order)
        yield Remark(
            ("rank_order",),
            say("in one text, spaces alone part the ranks"),
            advice=say("write {ranks}", ranks=parted),
        )
        return
    places: dict[str, int] = {}
    for entry, rank in enumerate(rank_order):
        first = places.setdefault(rank.casefold(), entry)
        if message := _unfit_rank(rank, rank_order[first] if first != entry else None):
            yield Remark(("rank_order",), message, entry)


def _unfit_rank(rank: str, alike: str | None) -> str:
    """What is wrong with one rank; `alike` is an earlier one that differs at most in capitals."""
    if alike == rank:
        message = say("the rank {rank} is there twice", rank=rank)
    elif alike:
        message = say(
            "the ranks {alike} and {rank} differ only in capitals, which a player may leave out",
            alike=alike,
            rank=rank,
        )
    elif any(mark in rank for mark in SUITS + "♧♢♡♤"):
        message = say("the rank {rank} holds a suit; write ranks alone", rank=rank)
    elif printable(rank) != rank:
        message = say("the rank {rank} holds what cannot be shown", rank=rank)
    elif any(mark in rank for mark in "?(){}[]|>#,;:*-&!%@`'\"\\"):
        message = say(
            "the rank {rank} holds a sign that means something else in a deal or the record of a "
            "game; use letters and digits",
            rank=rank,
        )
    elif rank != JOKER and rank.casefold() == JOKER.casefold():
        message = say("the rank of the jokers is written {joker}", joker=JOKER)
    else:
        message = ""
    return message


@_check
def _jokers_have_a_rank(rank_order: Ranks, jokers: int) -> Iterator[Remark]:
    if jokers and JOKER not in rank_order:
        yield Remark(
            ("jokers", "rank_order"),
            say("there are jokers, but no {joker} in rank_order", joker=JOKER),
            advice=say("write {joker} where it ranks: first if it beats all", joker=JOKER),
        )
    if JOKER in rank_order and not jokers:
        yield Remark(
            ("rank_order", "jokers"),
            say("{joker} is in rank_order, but there are no jokers", joker=JOKER),
            rank_order.index(JOKER),
            advice=say("say how many, such as {example}", example="jokers: 2"),
        )


@_check
def _pack_has_its_size(
    deck_size: int, rank_order: Ranks, suits: int, packs: int, jokers: int
) -> Iterator[Remark]:
    size = pack_size(rank_order, suits, packs, jokers)
    if size == deck_size or len(set(rank_order)) < len(rank_order):
        return
    ranks = [rank for rank in rank_order if rank != JOKER]
    made_of = say_count("{count} rank", "{count} ranks", len(ranks))
    made_of += say_count(" × {count} suit", " × {count} suits", suits)
    made_of += say_count(" × {count} pack", " × {count} packs", packs) if packs > 1 else ""
    made_of += say_count(" + {count} joker", " + {count} jokers", jokers) if jokers else ""
    if missing := _missing_ranks(ranks, (deck_size - size) / (suits * packs)):
        advice = say_count(
            "{ranks} is missing from rank_order, or write {line}",
            "{ranks} are missing from rank_order, or write {line}",
            len(missing),
            ranks=" ".join(missing),
            line=f"deck_size: {size}",
        )
    elif not jokers and 0 < deck_size - size < suits * packs:
        advice = say("jokers are counted by the key jokers, and {joker} is their rank", joker=JOKER)
    else:
        advice = say("write {line} if that is the pack", line=f"deck_size: {size}")
    yield Remark(
        ("deck_size", "rank_order", "suits", "packs", "jokers"),
        say(
            "{made_of} make {size} cards, but deck_size is {deck_size}",
            made_of=made_of,
            size=size,
            deck_size=deck_size,
        ),
        advice=advice,
    )


def _missing_ranks(ranks: Sequence[str], how_many: float) -> list[str]:
    """The usual ranks that were forgotten, if it is plain which: those between others first."""
    there = [place for place, rank in enumerate(USUAL_RANKS) if rank in ranks]
    between = USUAL_RANKS[there[0] : there[-1]] if there else ()
    for span in (between, USUAL_RANKS):
        missing = [rank for rank in span if rank not in ranks]
        if len(missing) == how_many:
            return missing
    return []


@_check
def _everybody_has_a_card(deck_size: int, players: int) -> Iterator[Remark]:
    if deck_size < players:
        yield Remark(
            ("players", "deck_size"),
            say(
                "{players} players cannot each have a card of a pack of {size}",
                players=players,
                size=deck_size,
            ),
        )


@_check
def _time_to_play(time_limit: str) -> Iterator[Remark]:
    if _seconds(time_limit) == 0:
        message = say("a time limit of no time would end the game before it begins")
        yield Remark(("time_limit",), message)


@_check
def _exceptions_are_fit(rank_exceptions: tuple[str, ...], rank_order: Ranks) -> Iterator[Remark]:
    ranks = set(rank_order)
    pairs: set[tuple[str, str]] = set()
    for entry, text in enumerate(rank_exceptions):
        winner, loser = exception_pair(text)
        message = advice = ""
        if unknown := [rank for rank in (winner, loser) if rank not in ranks]:
            message = say(
                "{exception}: the rank {rank} is not in rank_order", exception=text, rank=unknown[0]
            )
            advice = say(
                "the ranks are {ranks}; without exceptions: {line}",
                ranks=" ".join(rank_order),
                line="rank_exceptions: []",
            )
        elif winner == loser:
            message = say("{rank} cannot beat itself", rank=winner)
        elif (winner, loser) in pairs:
            message = say("{exception} is there twice", exception=text)
        elif (loser, winner) in pairs:
            message = say(
                "{exception} contradicts {other}",
                exception=text,
                other=f"{loser} beats {winner}",
            )
        if message:
            yield Remark(("rank_exceptions", "rank_order"), message, entry, advice)
        pairs.add((winner, loser))
