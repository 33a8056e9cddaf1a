"""How fast the law plays, with its events, measured against the least Python that plays War.

Run by `pytest tests/benchmarks`. Both play the same deals in turns, so that what else the machine
does hits both alike; the best time of each counts.
"""

from collections import deque
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from warcli.deal import deal
from warcli.events import Round
from warcli.game import Game
from warcli.generator import Generator
from warcli.rules import Rules
from warcli.rulesfile import load

GAMES = 50
TURNS = 7

Piles = tuple[tuple[str, ...], ...]


def least(strengths: tuple[tuple[int, ...], ...]) -> int:
    """Two piles of bare strengths: one card down in a war, own first, short player loses.

    Knows nothing of suits, events, repetitions or endless games. Returns the rounds.
    """
    ours, theirs = map(deque, strengths)
    rounds = 0
    while ours and theirs:
        rounds += 1
        our, their = ours.popleft(), theirs.popleft()
        our_cards, their_cards = [our], [their]
        while our == their:
            if len(ours) < 2 or len(theirs) < 2:
                return rounds
            our_cards += (ours.popleft(), our := ours.popleft())
            their_cards += (theirs.popleft(), their := theirs.popleft())
        if our > their:
            for layer in zip(our_cards, their_cards, strict=False):
                ours += layer
        else:
            for layer in zip(their_cards, our_cards, strict=False):
                theirs += layer
    return rounds


def lawful(rules: Rules, piles: Piles) -> int:
    """The same game by the law, with all its events. Returns the rounds."""
    game = Game(rules, piles)
    events: list[Round] = []
    while game.turning_up:
        if (ended := game.turn_up_named()) is not None:
            events.append(ended)
    return len(events)


@pytest.mark.parametrize(
    ("profile", "share"),
    [
        ("krig", 1 / 5),  # the same work as the least Python, and what the project asks for
        ("guerra", None),
        ("english", None),  # looks for repetitions as well
    ],
)
def test_the_law_against_the_least_python(
    benchmark: BenchmarkFixture, profile: str, share: float | None
) -> None:
    rules = load(profile)
    strength = {rank: place for place, rank in enumerate(reversed(rules.rank_order))}
    games = [deal(rules, Generator(1, game)).piles for game in range(GAMES)]
    bare = [
        tuple(tuple(strength[rules.pack.rank[card]] for card in pile) for pile in piles)
        for piles in games
    ]
    if profile == "krig":
        assert [lawful(rules, piles) for piles in games] == [least(piles) for piles in bare]
    least_times = []

    def play_the_least() -> None:
        start = perf_counter()
        for piles in bare:
            least(piles)
        least_times.append(perf_counter() - start)

    def play_by_the_law() -> int:
        return sum(lawful(rules, piles) for piles in games)

    rounds = benchmark.pedantic(  # type: ignore[no-untyped-call]
        play_by_the_law, setup=play_the_least, rounds=TURNS
    )
    assert benchmark.stats is not None
    speed = rounds / benchmark.stats.stats.min
    least_rounds = sum(map(least, bare))
    least_speed = least_rounds / min(least_times)
    ratio = speed / least_speed
    benchmark.extra_info["of the least Python's rounds a second"] = round(ratio, 3)
    print(
        f"\n{profile}: {speed:,.0f} rounds/s by the law, {least_speed:,.0f} by the least Python: "
        f"{ratio:.3f} of it"
    )
    if share is not None:
        assert ratio >= share
