"""The games of a study one by one, as lines of CSV."""

from __future__ import annotations

from functools import lru_cache

from warcli.study.columns import listed
from warcli.study.games import REASONS, Kept

HEAD = "game,reason,winner,rounds,layers,wars,deepest\n"
"""`winner` is the seat, counted from 0; several with spaces between them; empty: nobody."""


def rows(games: Kept, first: int) -> str:
    """A line a game, the first of them game number `first`."""
    return "".join(
        f"{game},{REASONS[reason]},{_seats(winners)},{rounds},{layers},{wars},{deepest}\n"
        for game, (reason, winners, rounds, layers, wars, deepest) in enumerate(
            zip(*map(listed, games), strict=True), start=first
        )
    )


@lru_cache(maxsize=256)
def _seats(winners: int) -> str:
    return " ".join(str(seat) for seat in range(winners.bit_length()) if winners >> seat & 1)
