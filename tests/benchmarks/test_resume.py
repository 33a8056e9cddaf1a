"""What it costs to go on with a long game, measured against simulating it.

Run by `pytest tests/benchmarks`. The game has 5,000 rounds. A whole process is what people wait
for, so both are: `war simulate` printing the game, and `war referee --resume` reading its record
as a table keeps it (no deal, hidden cards unknown). They run in turns, so that what else the
machine does hits both alike; the median of the ratios, turn by turn, counts.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from warcli.recordfile import load
from warcli.referee.session import resume

TURNS = 11
MOST = 1.5
"""Times the cost of simulating the game, and no more."""

ENDLESS = "extends: guerra\ncapture_order: seat-order\nround_limit: 5000\n"
"""Rules by which the game of seed 0 goes on for ever."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game of 5,000 rounds: its rules, and its record as a table keeps it."""
    folder = tmp_path_factory.mktemp("resume")
    (folder / "endless.yaml").write_text(ENDLESS, encoding="utf-8")
    war("simulate", "--rules", "endless.yaml", "--seed", "0", *RECORD, "-o", "game.war", at=folder)
    path = folder / "game.war"
    seen = re.sub(r"(?m)^(deal|seed): .*\n", "", path.read_text(encoding="utf-8"))
    path.write_text(re.sub(r"\([^)]+\)", "(?)", seen), encoding="utf-8")
    assert load(path).entries[-1].line > 5000
    return folder


RECORD = ("--format", "record")


def war(*arguments: str, at: Path) -> float:
    """Run a command with nothing to read; returns the seconds that it took.

    Its modules are compiled beforehand, as they are wherever the program was installed.
    """
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    as_installed = {key: value for key, value in os.environ.items() if key not in unwanted}
    begun = perf_counter()
    subprocess.run(
        [sys.executable, "-m", "warcli", *arguments],
        cwd=at,
        env={**as_installed, "PYTHONPYCACHEPREFIX": str(at / "compiled")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return perf_counter() - begun


@pytest.mark.parametrize("format_", ["text", "record"])
def test_going_on_with_5000_rounds_against_simulating_them(
    benchmark: BenchmarkFixture, game: Path, format_: str
) -> None:
    def in_turn() -> float:
        simulating = war(
            "simulate", "--rules", "endless.yaml", "--seed", "0", "--format", format_, at=game
        )
        return war("referee", "--resume", "game.war", at=game) / simulating

    in_turn()  # compiles
    ratio = median(in_turn() for _ in range(TURNS))
    benchmark.extra_info["ratio"] = ratio
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        resume_and_close, args=(game / "game.war",), rounds=3
    )
    print(f"resuming costs {ratio:.2f} times war simulate --format {format_}")
    assert ratio <= MOST


def resume_and_close(path: Path) -> None:
    resume(path).session.journal.close()
