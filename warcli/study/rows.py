"""The games of a study one by one, as lines of CSV."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from warcli.study.columns import Column
from warcli.study.games import REASONS, Games

HEAD = "game,reason,winner,rounds,layers,wars,deepest\n"
"""`winner` is the seat, counted from 0; several with spaces between them; empty: nobody."""


def rows(games: Games, first: int) -> str:
    """A line a game, the first of them game number `first`."""
    return "".join(
        f"{game},{REASONS[reason]},{_seats(winners)},{rounds},{layers},{wars},{deepest}\n"
        for game, (reason, winners, rounds, layers, wars, deepest) in enumerate(
            zip(
                *map(
                    _listed,
                    (
                        games.reason,
                        games.winners,
                        games.rounds,
                        games.layers,
                        games.wars,
                        games.deepest,
                    ),
                ),
                strict=True,
            ),
            start=first,
        )
    )


def _listed(column: Column) -> Sequence[int]:
    """Python's own numbers, which are written faster than numpy's."""
    if isinstance(column, Sequence):
        return column
    numbers: list[int] = column.tolist()
    return numbers


@lru_cache(maxsize=256)
def _seats(winners: int) -> str:
    return " ".join(str(seat) for seat in range(winners.bit_length()) if winners >> seat & 1)
