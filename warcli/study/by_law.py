"""Very many games on the law itself: slow, plain, and what the kernel is held to.

It also serves where the extra `study` isn't installed.
"""

from __future__ import annotations

from collections import Counter

from msgspec import UNSET

from warcli.events import Result, Round
from warcli.rules import Rules
from warcli.simulation import simulate
from warcli.study.games import REASONS, Games


def play(rules: Rules, seed: int, first: int, count: int) -> Games:
    """Play the games `first` … `first` + `count` − 1 of a seed.

    Raises ValueError when the seed or a game is out of range.
    """
    wars: Counter[int] = Counter()
    played = [_play_one(rules, seed, game, wars) for game in range(first, first + count)]
    columns = [list(column) for column in zip(*played, strict=True)] or [[] for _ in range(10)]
    depths = [wars[steps] for steps in range(1, max(wars, default=0) + 1)]
    return Games._make([*columns, depths])


def _play_one(
    rules: Rules, seed: int, game: int, wars: Counter[int]
) -> tuple[int, int, int, int, int, int, int, int, int, tuple[int, ...]]:
    """One game's entries, in the order of the columns; its wars are added to those by depth."""
    layers = lead_changes = 0
    leader = None
    steps_by_round = []
    for event in simulate(rules, seed, game):
        if isinstance(event, Round):
            layers += len(event.layers)
            steps_by_round.append(war_steps(event))
            leads = _leader(event.sizes)
            if leads is not None:
                lead_changes += leader not in (None, leads)
                leader = leads
        elif isinstance(event, Result):
            result = event
    depths = [steps for steps in steps_by_round if steps]
    wars.update(depths)
    return (
        REASONS.index(result.reason),
        sum(1 << seat for seat in result.winners),
        result.rounds,
        layers,
        len(depths),
        sum(depths),
        max(depths, default=0),
        lead_changes,
        0 if result.first_seen is UNSET else result.first_seen,
        result.sizes,
    )


def war_steps(ended: Round) -> int:
    """How many war steps the round had, one that shortage ended included; 0: no war arose.

    A step that is played out ends in a face-up layer. Shortage ended a further one if nobody
    captured, or if somebody was put out who had turned up a card in the last face-up layer: only a
    tie and what it asks for can do that.
    """
    ups = [layer for layer in ended.layers if layer.face == "up"]
    cut_short = ended.winner is None or any(ups[-1].cards[seat] is not None for seat in ended.out)
    return len(ups) - 1 + cut_short


def _leader(sizes: tuple[int, ...]) -> int | None:
    """The single seat with most cards."""
    most = max(sizes)
    return sizes.index(most) if sizes.count(most) == 1 else None
