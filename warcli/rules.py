"""What the rules of a game are: one typed, frozen model, every key with what it means.

The model has the shape of a rules file (see `rulesfile`), so its types, bounds and
descriptions are at once the check of a file, its JSON Schema, and its documentation. What the
keys make of a game is the law's business: see `game`.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import asdict

from warcli.cards import Pack
from warcli.contradictions import Remark, contradictions, exception_pair, seconds

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
        return seconds(self.time_limit)

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
