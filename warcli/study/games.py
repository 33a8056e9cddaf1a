"""What is recorded of each of very many games: one number of each kind a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from warcli.study.columns import Column, Packed, packed

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

Rows: TypeAlias = "Sequence[Sequence[int]] | NDArray[int64]"

REASONS = ("collected", "shortage", "repetition", "round-limit", "endless")
"""How a simulated game can end, as events name it; `Games.reason` holds places in here."""


class Games(NamedTuple):
    """Games of one seed and one rules file, one entry a game, in the order of their numbers.

    Columns are int64 arrays from the kernel and lists from the law; `by_law` defines them.
    """

    reason: Column
    """How each game ended: its place in `REASONS`."""
    winners: Column
    """Who won: the sum of 2**seat over the winning seats; 0: drawn or nobody."""
    rounds: Column
    """How many rounds there were, one that shortage ended included."""
    layers: Column
    """Layers laid, face up or down: as many cards as a seat lays that takes part in all of them."""
    wars: Column
    """Rounds in which a war arose, each counted once however many steps it had."""
    steps: Column
    """War steps in all its wars together; each counts once it is begun."""
    deepest: Column
    """The most war steps in one round; a step counts once it is begun, even if shortage ends it."""
    lead_changes: Column
    """How often the lead passed to another seat. The leader is the single seat with most cards
    after a round; while several have most, whoever led last still counts as the leader."""
    first_seen: Column
    """Of a repetition or an endless game: the round at whose start the piles first lay as they do
    at the end (1 = the deal); 0 for any other game."""
    sizes: Rows
    """What each seat holds at the end: a row a game, an entry a seat."""
    war_depths: Column
    """Of all these games together: how many wars had 1 step, 2 steps, 3 … (entry 0: 1 step)."""


class Kept(NamedTuple):
    """What is written of games one by one: columns of `Games`, in as little memory as they need."""

    reason: Packed
    winners: Packed
    rounds: Packed
    layers: Packed
    wars: Packed
    deepest: Packed

    @classmethod
    def of(cls, games: Games) -> Kept:
        return cls(*(packed(getattr(games, name)) for name in cls._fields))
