"""How fast the law plays, with its events, measured against the least Python that plays War.

Run by `pytest tests/benchmarks`. Both play the same deals in turns, so that what else the machine
does hits both alike; of the time that the processor spends on each the best counts.
"""

from collections import deque
from time import process_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from warcli.deal import deal
from warcli.events import Round
from warcli.game import Game
from warcli.generator import Generator
from warcli.rules import Rules
from warcli.rulesfile import load

GAMES = 50
TURNS = 25

Piles = tuple[tuple[str, ...], ...]


def least(piles: tuple[tuple[int, ...], ...]) -> int:
    """Two piles of numbers, four a rank: one card down in a war, own first, short player loses.

    Knows nothing of suits, events, repetitions or endless games. Returns the rounds.
    """
    ours, theirs = map(deque, piles)
    rounds = 0
    while ours and theirs:
        rounds += 1
        our, their = ours.popleft(), theirs.popleft()
        our_cards, their_cards = [our], [their]
        while our >> 2 == their >> 2:
            if len(ours) < 2 or len(theirs) < 2:
                return rounds
            our_cards += (ours.popleft(), our := ours.popleft())
            their_cards += (theirs.popleft(), their := theirs.popleft())
        if our >> 2 > their >> 2:
            for our, their in zip(our_cards, their_cards):  # noqa: B905 (it would take longer)
                ours += (our, their)
        else:
            for their, our in zip(their_cards, our_cards):  # noqa: B905
                theirs += (their, our)
    return rounds


def lawful(rules: Rules, piles: Piles) -> int:
    """The same game by the law, with all its events. Returns the rounds."""
    game = Game(rules, piles)
    events: list[Round] = []
    while game.turning_up:
        if (ended := game.turn_up_named()) is not None:
            events.append(ended)
    return len(events)


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("profile", ["krig", "guerra", "english"])
def test_the_law_plays_a_fifth_of_the_rounds_of_the_least_python(
    benchmark: BenchmarkFixture, profile: str
) -> None:
    """krig is the same work as the least Python; english looks for repetitions as well."""
    rules = load(profile)
    number = {card: place for place, card in enumerate(reversed(rules.pack.cards))}
    games = [deal(rules, Generator(1, game)).piles for game in range(GAMES)]
    bare = [tuple(tuple(map(number.__getitem__, pile)) for pile in piles) for piles in games]
    if profile == "krig":
        assert [lawful(rules, piles) for piles in games] == [least(piles) for piles in bare]
    least_times = []

    def play_the_least() -> None:
        start = process_time()
        for piles in bare:
            least(piles)
        least_times.append(process_time() - start)

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
    assert ratio >= 1 / 5
